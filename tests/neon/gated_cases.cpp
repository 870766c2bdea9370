// ffn and moe in every weight format: activations, routes, biases and a shared expert taken in turns.
#include "case.hpp"
#include "formats.hpp"

namespace tenon::test {
namespace {

constexpr uint32_t kActivations[] = {TENON_ACT_IDENTITY, TENON_ACT_SILU, TENON_ACT_GELU, TENON_ACT_SWIGLU_OAI};
constexpr uint32_t kRoutes[] = {TENON_ROUTE_SOFTMAX_THEN_SELECT, TENON_ROUTE_SELECT_THEN_SOFTMAX, TENON_ROUTE_SIGMOID};

void visit_ffn(const VisitCase& visit, DType dtype, uint32_t kind) {
  const int64_t k = block_of(dtype), inner = dtype == DType::f32 ? 37 : k;
  Random random(kind + 1);
  const std::vector<Weight> weights{random_weight(random, dtype, {inner, k}),
                                    random_weight(random, dtype, {inner, k}),
                                    random_weight(random, dtype, {k, inner}),
                                    random_vector(random, inner),
                                    random_vector(random, inner),
                                    random_vector(random, k)};
  std::vector<RunInput> runs;
  for (const int64_t n_rows : {1, 5}) {
    runs.push_back({.in = {random_rows(random, n_rows, k), random_rows(random, n_rows, k)},
                    .out_widths = {k},
                    .same_as = {1},
                    .n_threads = static_cast<uint32_t>(n_rows) / 2 + 1});
  }
  visit({"ffn of " + std::string(info_of(dtype).name) + ", activation " + std::to_string(kind),
         op_case("ffn", tenon_ffn_params{0, 1, {kind, 1.702f, 7.0f}}, weights), runs});
}

void visit_moe(const VisitCase& visit, DType dtype, uint32_t route) {
  constexpr int64_t kExperts = 3, kHidden = 256, kInner = 256;
  Random random(route + 1);
  tenon_moe_params params{};
  params.has_add = 1;
  params.n_experts = kExperts;
  params.experts_used = 2;
  params.route = route;
  params.renormalize = route == TENON_ROUTE_SOFTMAX_THEN_SELECT ? 1 : 0;
  params.weights_scale = route == TENON_ROUTE_SIGMOID ? 2.5f : 1.0f;
  params.activation = {TENON_ACT_SILU, 0.0f, 0.0f};
  std::vector<Weight> weights(TENON_MOE_N_WEIGHTS);
  weights[TENON_MOE_ROUTER] = random_weight(random, DType::f32, {kExperts, kHidden});
  weights[TENON_MOE_GATE] = random_weight(random, dtype, {kExperts, kInner, kHidden});
  weights[TENON_MOE_UP] = random_weight(random, dtype, {kExperts, kInner, kHidden});
  weights[TENON_MOE_DOWN] = random_weight(random, dtype, {kExperts, kHidden, kInner});
  if (route != TENON_ROUTE_SOFTMAX_THEN_SELECT) {
    weights[TENON_MOE_ROUTER_BIAS] = random_vector(random, kExperts);
    weights[TENON_MOE_GATE_BIAS] = random_weight(random, DType::f32, {kExperts, kInner});
    weights[TENON_MOE_UP_BIAS] = random_weight(random, DType::f32, {kExperts, kInner});
    weights[TENON_MOE_DOWN_BIAS] = random_weight(random, DType::f32, {kExperts, kHidden});
  }
  if (route == TENON_ROUTE_SIGMOID) {
    weights[TENON_MOE_SELECTION_BIAS] = random_vector(random, kExperts);
    weights[TENON_MOE_SHARED_ROUTER] = random_weight(random, DType::f32, {1, kHidden});
    weights[TENON_MOE_SHARED_GATE] = random_weight(random, dtype, {kInner, kHidden});
    weights[TENON_MOE_SHARED_UP] = random_weight(random, dtype, {kInner, kHidden});
    weights[TENON_MOE_SHARED_DOWN] = random_weight(random, dtype, {kHidden, kInner});
  }
  std::vector<RunInput> runs;
  for (const int64_t n_rows : {1, 7}) {
    runs.push_back({.in = {random_rows(random, n_rows, kHidden, 0.2f), random_rows(random, n_rows, kHidden)},
                    .out_widths = {kHidden},
                    .same_as = {1}});
  }
  visit({"moe of " + std::string(info_of(dtype).name) + ", route " + std::to_string(route),
         op_case("moe", params, weights), runs});
}

}  // namespace

void visit_gated_cases(const VisitCase& visit) {
  size_t turn = 0;
  for (const DType dtype : kFormats) {
    visit_ffn(visit, dtype, kActivations[turn % 4]);
    visit_moe(visit, dtype, kRoutes[turn % 3]);
    ++turn;
  }
  for (const uint32_t kind : kActivations) visit_ffn(visit, DType::q4_K, kind);
}

}  // namespace tenon::test
