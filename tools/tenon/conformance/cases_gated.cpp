// ffn and moe: every activation and route, with and without biases, residual and shared expert.
#include <conformance/case.hpp>

namespace tenon::conformance {
namespace {

constexpr uint32_t kActivations[] = {TENON_ACT_IDENTITY, TENON_ACT_SILU, TENON_ACT_GELU, TENON_ACT_SWIGLU_OAI};
constexpr const char* kActivationNames[] = {"identity", "silu", "gelu", "swiglu_oai"};
constexpr uint32_t kRoutes[] = {TENON_ROUTE_SOFTMAX_THEN_SELECT, TENON_ROUTE_SELECT_THEN_SOFTMAX, TENON_ROUTE_SIGMOID};
constexpr const char* kRouteNames[] = {"softmax then select", "select then softmax", "sigmoid"};

struct Width {
  int64_t hidden, inner;
};

struct FfnShape {
  Width width;
  uint32_t activation;
  bool full;  // biases, and a residual in place
  int64_t rows;
};

Made ffn(Random& random, DType dtype, const FfnShape& s) {
  const auto [hidden, inner] = s.width;
  std::vector<Weight> weights{random_weight(random, dtype, {inner, hidden}),
                              random_weight(random, dtype, {inner, hidden}),
                              random_weight(random, dtype, {hidden, inner})};
  if (s.full) {
    for (const int64_t n : {inner, inner, hidden}) weights.push_back(random_vector(random, n));
  }
  RunInput input{.in = {random_rows(random, s.rows, hidden)}, .out_widths = {hidden}};
  if (s.full) {
    input.in.push_back(random_rows(random, s.rows, hidden));
    input.same_as = {1};
  }
  const tenon_ffn_params params{0, s.full ? 1u : 0u, {s.activation, 1.702f, 7.0f}};
  Made made = one_run(op_case("ffn", params, std::move(weights)), std::move(input), hidden + inner);
  made.int8_nmse = kGatedInt8Nmse;
  return made;
}

void add_ffn(CaseList& list, DType dtype) {
  const int64_t block = block_of(dtype);
  const Width small = block == 1 ? Width{50, 37} : Width{block, 3 * block};
  const auto add = [&](const FfnShape& s, bool quick) {
    const std::string name = std::string(kActivationNames[s.activation]) + (s.full ? ", biases, add in place " : " ");
    list.add("ffn", std::string(info_of(dtype).name), true, name + size_text({s.rows, s.width.hidden, s.width.inner}),
             quick, [=](Random& random) { return ffn(random, dtype, s); });
  };
  for (const uint32_t activation : kActivations) {
    for (const int64_t rows : {1, 5, 40})
      add({small, activation, true, rows}, activation == TENON_ACT_SILU && rows == 5);
  }
  for (const int64_t rows : {0, 1, 9}) add({small, TENON_ACT_SILU, false, rows}, rows == 0);
  const auto whole = [block](int64_t n) { return (n + block - 1) / block * block; };
  add({{whole(576), whole(640)}, TENON_ACT_SILU, false, 2}, false);
}

struct MoeShape {
  Width width;
  uint32_t n_experts, experts_used, route;
  bool renormalize, biases, add, shared;
  float weights_scale;
  int64_t rows;
  bool mixed = false;  // up is of f16, whatever gate and down are
};

std::vector<Weight> moe_weights(Random& random, DType dtype, const MoeShape& s) {
  const auto [hidden, inner] = s.width;
  const int64_t n = s.n_experts, shared = 2 * inner;
  std::vector<Weight> weights(TENON_MOE_N_WEIGHTS);
  weights[TENON_MOE_ROUTER] = random_weight(random, DType::f32, {n, hidden});
  weights[TENON_MOE_GATE] = random_weight(random, dtype, {n, inner, hidden});
  weights[TENON_MOE_UP] = random_weight(random, s.mixed ? DType::f16 : dtype, {n, inner, hidden});
  weights[TENON_MOE_DOWN] = random_weight(random, dtype, {n, hidden, inner});
  if (s.biases) {
    weights[TENON_MOE_ROUTER_BIAS] = random_vector(random, n);
    weights[TENON_MOE_GATE_BIAS] = random_weight(random, DType::f32, {n, inner});
    weights[TENON_MOE_UP_BIAS] = random_weight(random, DType::f32, {n, inner});
    weights[TENON_MOE_DOWN_BIAS] = random_weight(random, DType::f32, {n, hidden});
    if (s.route == TENON_ROUTE_SIGMOID) weights[TENON_MOE_SELECTION_BIAS] = random_vector(random, n);
  }
  if (s.shared) {
    weights[TENON_MOE_SHARED_ROUTER] = random_weight(random, DType::f32, {1, hidden});
    weights[TENON_MOE_SHARED_GATE] = random_weight(random, dtype, {shared, hidden});
    weights[TENON_MOE_SHARED_UP] = random_weight(random, dtype, {shared, hidden});
    weights[TENON_MOE_SHARED_DOWN] = random_weight(random, dtype, {hidden, shared});
  }
  return weights;
}

Made moe(Random& random, DType dtype, const MoeShape& s) {
  tenon_moe_params params{};
  params.has_add = s.add ? 1 : 0;
  params.n_experts = s.n_experts;
  params.experts_used = s.experts_used;
  params.route = s.route;
  params.renormalize = s.renormalize ? 1 : 0;
  params.weights_scale = s.weights_scale;
  params.activation = {s.biases ? uint32_t{TENON_ACT_SWIGLU_OAI} : uint32_t{TENON_ACT_SILU}, 1.702f, 7.0f};
  RunInput input{.in = {random_rows(random, s.rows, s.width.hidden, 0.2f)}, .out_widths = {s.width.hidden}};
  if (s.add) {
    input.in.push_back(random_rows(random, s.rows, s.width.hidden));
    input.same_as = {1};
  }
  Made made =
      one_run(op_case("moe", params, moe_weights(random, dtype, s)), std::move(input), s.width.hidden + s.width.inner);
  made.int8_nmse = kGatedInt8Nmse;
  return made;
}

std::string text_of(const MoeShape& s) {
  return std::string(kRouteNames[s.route]) + (s.renormalize ? ", renormalized" : "") + (s.biases ? ", biases" : "") +
         (s.shared ? ", shared expert" : "") + (s.weights_scale != 1.0f ? ", scaled" : "") +
         (s.mixed ? ", up of f16" : "") + (s.add ? ", add in place " : " ") + std::to_string(s.experts_used) + " of " +
         std::to_string(s.n_experts) + " " + size_text({s.rows, s.width.hidden, s.width.inner});
}

void add_moe(CaseList& list, DType dtype) {
  const int64_t block = block_of(dtype);
  const Width width = block == 1 ? Width{50, 21} : Width{2 * block, block};
  const auto add = [&](const MoeShape& s, bool quick) {
    list.add("moe", std::string(info_of(dtype).name), true, text_of(s), quick,
             [=](Random& random) { return moe(random, dtype, s); });
  };
  for (const uint32_t route : kRoutes) {
    const bool sigmoid = route == TENON_ROUTE_SIGMOID, first = route == TENON_ROUTE_SOFTMAX_THEN_SELECT;
    for (const int64_t rows : {1, 7, 41}) {
      add({width, 5, 2, route, first, false, false, false, 1.0f, rows}, rows == 7 && first);
      add({width, 5, 2, route, sigmoid, true, true, sigmoid, sigmoid ? 2.5f : 1.0f, rows}, rows == 7 && sigmoid);
    }
  }
  add({width, 5, 2, TENON_ROUTE_SOFTMAX_THEN_SELECT, false, false, true, true, 1.0f, 3}, false);
  add({width, 3, 3, TENON_ROUTE_SIGMOID, true, false, false, false, 1.0f, 9}, false);
  add({width, 32, 4, TENON_ROUTE_SELECT_THEN_SOFTMAX, false, false, false, false, 1.0f, 2}, false);
  add({width, 3, 1, TENON_ROUTE_SELECT_THEN_SOFTMAX, false, false, false, false, 1.0f, 9, true}, false);
  add({width, 1, 1, TENON_ROUTE_SOFTMAX_THEN_SELECT, true, false, false, false, 1.0f, 2}, false);
  add({width, 5, 2, TENON_ROUTE_SOFTMAX_THEN_SELECT, true, false, false, false, 1.0f, 0}, true);
}

}  // namespace

void add_gated_cases(CaseList& list) {
  for (const DType dtype : kWeightFormats) add_ffn(list, dtype);
  for (const DType dtype : kWeightFormats) add_moe(list, dtype);
}

}  // namespace tenon::conformance
