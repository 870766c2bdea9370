// What the support answers promise: the bits of a row depend neither on the other rows nor on the number of threads.
#include "golden.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::test;

namespace {

constexpr int64_t kRows = 37;

Rows waves(int64_t n, int64_t width, float phase) {
  Rows rows = Rows::zeros(n, width);
  for (size_t i = 0; i < rows.values.size(); ++i) rows.values[i] = 3 * std::sin(phase * static_cast<float>(i + 1));
  return rows;
}

Weight wave_weight(const std::vector<int64_t>& dims, float phase) {
  int64_t n = 1;
  for (const int64_t d : dims) n *= d;
  return f32_weight(dims, waves(1, n, phase).values);
}

/// Any bytes make a matrix of q6_K codes; the scales are set to 2^-12.
Weight q6_k_weight(const std::vector<int64_t>& dims) {
  int64_t n = 1;
  for (const int64_t d : dims) n *= d;
  std::vector<uint8_t> bytes;
  uint32_t state = 1;
  for (int64_t i = 0; i < n / 256 * 210; ++i) {
    state = state * 1664525u + 1013904223u;
    bytes.push_back(static_cast<uint8_t>(state >> 24));
    if (i % 210 == 208) bytes.back() = 0x00;
    if (i % 210 == 209) bytes.back() = 0x0C;
  }
  return weight(DType::q6_K, dims, bytes);
}

Rows stacked(const std::vector<Rows>& pieces) {
  Rows all = Rows::zeros(0, pieces[0].width);
  for (const Rows& piece : pieces) {
    all.n += piece.n;
    all.values.insert(all.values.end(), piece.values.begin(), piece.values.end());
  }
  return all;
}

/// All rows at once, one by one, and with 2 and 3 threads. Inputs have kRows rows each.
void check_invariance(const OpCase& made, const std::vector<Rows>& in, int64_t out_width) {
  for (const uint32_t numeric_class : {TENON_CLASS_DEFAULT, TENON_CLASS_F32, TENON_CLASS_EXACT64}) {
    OpCase of_class = made;
    of_class.numeric_class = numeric_class;
    INFO(made.name << " class " << numeric_class);
    const BoundOp op(reference(), of_class);
    CHECK(op.support().row_invariant == 1);
    CHECK(op.support().thread_invariant == 1);
    const Rows want = op.run({.in = in, .out_widths = {out_width}})[0];
    for (const uint32_t n_threads : {2u, 3u}) {
      CHECK(same_bits(op.run({.in = in, .out_widths = {out_width}, .n_threads = n_threads})[0], want));
    }
    std::vector<Rows> pieces;
    for (int64_t r = 0; r < kRows; ++r) {
      std::vector<Rows> one;
      for (const Rows& rows : in) one.push_back(rows.slice(r, 1));
      pieces.push_back(op.run({.in = one, .out_widths = {out_width}, .n_threads = 2})[0]);
    }
    CHECK(same_bits(stacked(pieces), want));
  }
}

}  // namespace

TEST_CASE("ops without products are invariant") {
  const Rows x = waves(kRows, 40, 0.7f), y = waves(kRows, 40, 1.9f);
  check_invariance(op_case("add", tenon_binary_params{0, 0, 40}), {x, y}, 40);
  check_invariance(op_case("mul", tenon_binary_params{0, 0, 40}), {x, y}, 40);
  check_invariance(op_case("reduce_mean", tenon_rowwise_params{0, 1.0f, 40}), {x}, 1);
  check_invariance(op_case("softmax", tenon_rowwise_params{0, 0.5f, 40}), {x}, 40);
  check_invariance(op_case("rms_norm", tenon_norm_params{0, 1e-5f, 20, 2}, {wave_weight({20}, 0.3f)}), {x}, 40);
  check_invariance(op_case("layer_norm", tenon_norm_params{0, 1e-5f, 20, 2}, {wave_weight({20}, 0.3f)}), {x}, 40);
  check_invariance(op_case("glu", tenon_glu_params{0, {TENON_ACT_SILU, 0, 0}, 40}), {x, y}, 40);
}

TEST_CASE("linear and matmul are invariant") {
  const Rows x = waves(kRows, 256, 0.7f);
  check_invariance(op_case("linear", tenon_linear_params{0, 1, 0, 1.0f}, {q6_k_weight({33, 256})}), {x}, 33);
  check_invariance(
      op_case("linear", tenon_linear_params{0, 1, 1, 0.7f}, {q6_k_weight({33, 256}), wave_weight({33}, 0.2f)}),
      {x, waves(kRows, 33, 1.1f)}, 33);
  check_invariance(op_case("matmul", tenon_matmul_params{0, TENON_F32}, {wave_weight({256, 19}, 0.9f)}), {x}, 19);
}

TEST_CASE("ffn is invariant") {
  const Rows x = waves(kRows, 256, 0.7f);
  check_invariance(op_case("ffn", tenon_ffn_params{0, 1, {TENON_ACT_SILU, 0, 0}},
                           {q6_k_weight({256, 256}), q6_k_weight({256, 256}), q6_k_weight({256, 256})}),
                   {x, x}, 256);
}

TEST_CASE("moe is invariant, whichever rows share an expert") {
  constexpr int64_t kExperts = 7;
  std::vector<Weight> weights(TENON_MOE_N_WEIGHTS);
  weights[TENON_MOE_ROUTER] = wave_weight({kExperts, 256}, 0.11f);
  weights[TENON_MOE_GATE] = q6_k_weight({kExperts, 256, 256});
  weights[TENON_MOE_UP] = wave_weight({kExperts, 256, 256}, 0.013f);
  weights[TENON_MOE_DOWN] = q6_k_weight({kExperts, 256, 256});
  weights[TENON_MOE_SHARED_GATE] = wave_weight({64, 256}, 0.017f);
  weights[TENON_MOE_SHARED_UP] = wave_weight({64, 256}, 0.019f);
  weights[TENON_MOE_SHARED_DOWN] = wave_weight({256, 64}, 0.023f);
  const tenon_moe_params params{0, 0, kExperts, 3, TENON_ROUTE_SOFTMAX_THEN_SELECT, 1, 1.0f, {TENON_ACT_SILU, 0, 0}};
  check_invariance(op_case("moe", params, weights), {waves(kRows, 256, 0.7f)}, 256);
}

TEST_CASE("packing does not depend on the number of threads and keeps the bytes of the file") {
  // Above one slice of a mebibyte; the runner packs with two threads.
  const int64_t n = 400'000;
  std::vector<float> values = waves(1, n, 0.01f).values;
  const BoundOp op(reference(), op_case("gather", tenon_gather_params{0, 1.0f}, {f32_weight({n / 4, 4}, values)}));
  CHECK(std::string(op.pack_plans()[0].layout) == "rows/f32/1");
  CHECK(op.pack_plans()[0].bytes == static_cast<uint64_t>(n) * 4);
  std::vector<int32_t> all;
  for (int32_t i = 0; i < n / 4; ++i) all.push_back(i);
  CHECK(op.unpack_rows(0, all, 4).values == values);
}
