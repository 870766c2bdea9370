#include "seed_scenarios.hpp"

#include "gemm_peers.hpp"
#include "op_bench.hpp"
#include "plain_loops.hpp"

#include <conformance/random_case.hpp>

#include <array>

namespace tenon::bench {
namespace {

using namespace tenon::conformance;

constexpr DType kPlain[] = {DType::f32, DType::f16, DType::bf16};

std::string name_of(DType dtype) { return std::string(info_of(dtype).name); }

/// What a scenario is made for: to be asked about, when shapes will do, or to be run.
enum class Purpose { ask, run };

/// Small, varied and signed; empty where only asked about.
Rows varied_rows(Purpose purpose, int64_t n, int64_t width) {
  Random random(1);
  return purpose == Purpose::ask ? Rows() : random_rows(random, n, width, 1.0f);
}
Weight varied_weight(Purpose purpose, DType dtype, const std::vector<int64_t>& dims) {
  Random random(1);
  return purpose == Purpose::ask ? Weight{tensor_of(dtype, dims), {}} : random_weight(random, dtype, dims);
}

/// Under the seed's own name on the backend that the default config takes, and beside it on every other.
void add_on_all(const std::string& name, const std::function<Scenario(Purpose)>& make) {
  const Candidate first = default_candidate();
  const OpCase asked = make(Purpose::ask).op;
  const auto made = [make] { return make(Purpose::run); };
  if (takes(first, asked)) add_scenario(name, first, made);
  for (const Candidate& other : candidates()) {
    if (other.name != first.name && takes(other, asked)) add_scenario(name + "/" + other.name, other, made);
  }
}

// ---- add: [rows, width] + [width]

Scenario row_sum(Purpose purpose, DType dtype, int64_t rows, int64_t width) {
  const tenon_binary_params params{0, 1, width, static_cast<uint32_t>(dtype), 0};
  OpCase op = op_case("add", params);
  op.revision = dtype == DType::f32 ? 1 : 2;
  return {std::move(op),
          {.in = {varied_rows(purpose, rows, width), varied_rows(purpose, 1, width)},
           .out_widths = {width},
           .n_rows = rows,
           .dtype = dtype},
          0,
          2 * rows * width * info_of(dtype).block_bytes,
          [=] { return std::vector{plain_add(dtype, rows, width)}; }};
}

// ---- gather: rows i * 97 mod n of [n, width]

Scenario gathered(Purpose purpose, DType dtype, int64_t n, int64_t width, int64_t n_indices) {
  const tenon_gather_params params{0, 1.0f, static_cast<uint32_t>(dtype), 0};
  OpCase op = op_case("gather", params, {varied_weight(purpose, dtype, {n, width})});
  op.revision = dtype == DType::f32 ? 1 : 2;
  std::vector<int32_t> tokens;
  for (int64_t i = 0; i < n_indices; ++i) tokens.push_back(static_cast<int32_t>(i * 97 % n));
  const int64_t element = info_of(dtype).block_bytes;
  return {std::move(op),
          {.in = {}, .out_widths = {width}, .tokens = tokens, .dtype = dtype},
          0,
          2 * n_indices * width * element,
          [=] { return std::vector{plain_gather(element, n, width, n_indices)}; }};
}

// ---- reduce_mean over the last axis

Scenario means(Purpose purpose, int64_t rows, int64_t width) {
  return {op_case("reduce_mean", tenon_rowwise_params{0, 1.0f, width}),
          {.in = {varied_rows(purpose, rows, width)}, .out_widths = {1}},
          0,
          rows * width * 4,
          [=] { return std::vector{plain_sums(rows, width)}; }};
}

// ---- matmul: b is a constant weight, packed ahead

Scenario product(Purpose purpose, DType dtype, int64_t m, int64_t k, int64_t n, uint32_t n_threads) {
  const tenon_matmul_params params{0, static_cast<uint32_t>(dtype)};
  return {op_case("matmul", params, {varied_weight(purpose, dtype, {k, n})}),
          {.in = {varied_rows(purpose, m, k)}, .out_widths = {n}, .dtype = dtype, .n_threads = n_threads},
          m * k * n,
          k * n * info_of(dtype).block_bytes,
          [=] { return gemm_peers(m, k, n, n_threads); }};
}

// ---- MXFP4: blocks multiplied directly, expanded in each call, or once into the dense cache

enum class Expansion { none, each_call, kept };

/// [groups * rows, k]: scale 1, nibbles by row, block and byte.
Weight mxfp4_weight(Purpose purpose, const std::vector<int64_t>& dims) {
  Weight made{tensor_of(DType::mxfp4, dims), {}};
  if (purpose == Purpose::ask) return made;
  const int64_t n_blocks = row_width(made.tensor) / 32;
  for (int64_t row = 0; row < rows_of(made.tensor); ++row) {
    for (int64_t block = 0; block < n_blocks; ++block) {
      made.bytes.push_back(std::byte{127});
      for (int64_t byte = 0; byte < 16; ++byte) {
        const auto low = static_cast<uint8_t>((row + block + byte) & 15);
        const auto high = static_cast<uint8_t>((3 * row + block + byte) & 15);
        made.bytes.push_back(static_cast<std::byte>(low | high << 4));
      }
    }
  }
  return made;
}

void set_expansion(Scenario& scenario, Expansion expansion) {
  if (expansion != Expansion::none) scenario.op.numeric_class = TENON_CLASS_F32;
  if (expansion == Expansion::kept) scenario.input.dense = Dense::all;
}

Scenario mxfp4_product(Purpose purpose, Expansion expansion) {
  constexpr int64_t kSize = 1024;
  Scenario made{op_case("linear", tenon_linear_params{0, 1, 0, 1.0f}, {mxfp4_weight(purpose, {kSize, kSize})}),
                {.in = {varied_rows(purpose, 1, kSize)}, .out_widths = {kSize}},
                kSize * kSize,
                0};
  set_expansion(made, expansion);
  return made;
}

Scenario expanded_product(Purpose purpose) {
  constexpr int64_t kSize = 1024;
  return {op_case("linear", tenon_linear_params{0, 1, 0, 1.0f}, {varied_weight(purpose, DType::f32, {kSize, kSize})}),
          {.in = {varied_rows(purpose, 1, kSize)}, .out_widths = {kSize}},
          kSize * kSize,
          0};
}

/// Four experts, of which the router's bias (4, -1, -2, -3) picks the first. The op's experts are gated: gate beside
/// fc1 and fc2 makes it half as much work again as the seed's.
Scenario mxfp4_experts(Purpose purpose, Expansion expansion, int64_t rows) {
  constexpr int64_t kExperts = 4, kHidden = 256, kInner = 256;
  std::vector<Weight> weights(TENON_MOE_N_WEIGHTS);
  weights[TENON_MOE_ROUTER] = f32_weight({kExperts, kHidden}, std::vector<float>(kExperts * kHidden));
  weights[TENON_MOE_GATE] = weights[TENON_MOE_UP] = mxfp4_weight(purpose, {kExperts, kInner, kHidden});
  weights[TENON_MOE_DOWN] = mxfp4_weight(purpose, {kExperts, kHidden, kInner});
  weights[TENON_MOE_ROUTER_BIAS] = f32_weight({kExperts}, {4, -1, -2, -3});
  const tenon_moe_params params{
      0, 0, kExperts, 1, TENON_ROUTE_SELECT_THEN_SOFTMAX, 0, 1.0f, {TENON_ACT_IDENTITY, 0, 0}};
  Scenario made{op_case("moe", params, std::move(weights)),
                {.in = {varied_rows(purpose, rows, kHidden)}, .out_widths = {kHidden}},
                rows * 3 * kHidden * kInner,
                0};
  set_expansion(made, expansion);
  return made;
}

// ---- the list

struct Size {
  const char* name;
  int64_t a, b, c;
};

void add_elementwise() {
  for (const DType dtype : kPlain) {
    for (const Size& s : {Size{"small", 1, 1024, 0}, Size{"medium", 256, 1024, 0}, Size{"large", 1024, 4096, 0}}) {
      add_on_all(
          "add/" + std::string(s.name) + "_" + name_of(dtype) + "_threads=1-internal/" + std::to_string(s.a * s.b),
          [=](Purpose p) { return row_sum(p, dtype, s.a, s.b); });
    }
    for (const Size& s :
         {Size{"small", 4096, 128, 32}, Size{"medium", 16384, 256, 128}, Size{"large", 32768, 512, 256}}) {
      add_on_all(
          "gather/" + std::string(s.name) + "_" + name_of(dtype) + "_threads=1-internal/" + std::to_string(s.b * s.c),
          [=](Purpose p) { return gathered(p, dtype, s.a, s.b, s.c); });
    }
  }
  for (const Size& s : {Size{"small", 32, 128, 0}, Size{"medium", 128, 512, 0}, Size{"large", 256, 1024, 0}}) {
    add_on_all("reduce_mean/" + std::string(s.name) + "_f32_threads=1-internal/" + std::to_string(s.a * s.b),
               [=](Purpose p) { return means(p, s.a, s.b); });
  }
}

void add_products() {
  for (const DType dtype : kPlain) {
    for (const Size& s : {Size{"small", 1, 256, 256}, Size{"medium", 32, 512, 512}, Size{"large", 32, 1024, 1024}}) {
      for (const uint32_t threads : {1u, 2u, 8u}) {
        add_on_all("matmul/" + std::string(s.name) + "_generic_" + name_of(dtype) +
                       "_threads=" + std::to_string(threads) + "/" + std::to_string(s.a) + "x" + std::to_string(s.b) +
                       "x" + std::to_string(s.c),
                   [=](Purpose p) { return product(p, dtype, s.a, s.b, s.c, threads); });
      }
    }
  }
}

void add_mxfp4() {
  const std::string matmul = "block_quantized_matmul_cached_dense/mxfp4_", shape = "/1x1024x1024";
  add_on_all(matmul + "direct" + shape, [](Purpose p) { return mxfp4_product(p, Expansion::none); });
  add_on_all(matmul + "uncached_dequant_each_call" + shape,
             [](Purpose p) { return mxfp4_product(p, Expansion::each_call); });
  add_on_all(matmul + "cached_dense_repeated_call" + shape,
             [](Purpose p) { return mxfp4_product(p, Expansion::kept); });
  add_on_all(matmul + "preexpanded_dense_oncelock_like_proxy" + shape, [](Purpose p) { return expanded_product(p); });
  for (const int64_t rows : {1, 32}) {
    const std::string moe = "block_quantized_moe_cached_dense/mxfp4_",
                      experts = "/rows=" + std::to_string(rows) + ",H=256,I=256,E=4,top_k=1";
    add_on_all(moe + "direct" + experts, [=](Purpose p) { return mxfp4_experts(p, Expansion::none, rows); });
    add_on_all(moe + "uncached_expert_dequant_each_call" + experts,
               [=](Purpose p) { return mxfp4_experts(p, Expansion::each_call, rows); });
    add_on_all(moe + "cached_dense_expert_repeated_call" + experts,
               [=](Purpose p) { return mxfp4_experts(p, Expansion::kept, rows); });
  }
}

}  // namespace

void add_seed_scenarios() {
  add_elementwise();
  add_products();
  add_mxfp4();
}

}  // namespace tenon::bench
