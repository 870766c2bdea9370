// linear and matmul: chains bit for bit by exact fractions, definitions in f64 by numpy, and values worked by hand.
#include "golden.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::test;

namespace {

tenon_linear_params params_of(uint32_t n_weights, uint32_t has_add = 0, float scale = 1.0f) {
  return {0, n_weights, has_add, scale};
}

std::vector<uint16_t> halves(const std::vector<float>& values, uint16_t (*convert)(float)) {
  std::vector<uint16_t> out;
  for (const float v : values) out.push_back(convert(v));
  return out;
}

/// 32 codes of `code` with scale 1.
Weight q8_0_ones(int64_t n) {
  std::vector<uint8_t> bytes;
  for (int64_t i = 0; i < n; ++i) {
    bytes.insert(bytes.end(), {0x00, 0x3C});
    bytes.insert(bytes.end(), 32, 1);
  }
  return weight(DType::q8_0, {n, 32}, bytes);
}

}  // namespace

TEST_CASE("linear of f32 weights is one chain of fused multiply-adds in ascending order") {
  Rows x = Rows::zeros(3, 67);
  const Rows wide = Golden::get().rows("chain/x", 3);
  for (int64_t r = 0; r < 3; ++r) std::copy_n(wide.values.begin() + r * wide.width, 67, x.row(r).begin());
  const OpCase made = op_case("linear", params_of(1), {golden_weight("chain/f32/w", {4, 67})});
  const Rows got = BoundOp(reference(), made).run({.in = {x}, .out_widths = {4}})[0];
  CHECK(same_bits(got, Golden::get().rows("chain/f32/out", 3)));
}

TEST_CASE("linear is x times the transposed weight, with bias, scale and residual after the chain") {
  const Rows x = Golden::get().rows("linear/x", 3), add = Golden::get().rows("linear/add", 3);
  const Weight w = golden_weight("linear/w", {5, 40}), bias = golden_weight("linear/bias", {5});
  for (const uint32_t numeric_class : {TENON_CLASS_F32, TENON_CLASS_EXACT64}) {
    const BoundOp plain(reference(), op_case("linear", params_of(1), {w, Weight{}}, numeric_class));
    const BoundOp all(reference(), op_case("linear", params_of(1, 1, 0.5f), {w, bias}, numeric_class));
    const Rows got = plain.run({.in = {x}, .out_widths = {5}})[0];
    const Rows got_all = all.run({.in = {x, add}, .out_widths = {5}})[0];
    const Rows in_place = all.run({.in = {x, add}, .out_widths = {5}, .same_as = {1}})[0];
    CHECK(same_bits(got_all, in_place));
    if (numeric_class == TENON_CLASS_EXACT64) {
      CHECK(most_ulps(got.values, Golden::get().floats("linear/plain")) <= 1);
      CHECK(most_ulps(got_all.values, Golden::get().floats("linear/all")) <= 1);
    } else {
      CHECK(nmse(got.values, Golden::get().floats("linear/plain")) < kF32Nmse);
      CHECK(nmse(got_all.values, Golden::get().floats("linear/all")) < kF32Nmse);
    }
  }
}

TEST_CASE("each step after the chain is rounded by itself") {
  // acc = 1, bias = 2^-24: 1 + 2^-24 is a tie and goes to 1. Times 3 is 3; residual 2^24: 16777216 + 3 = 16777219 is a
  // tie of its own and goes to 16777220. In one rounding it would be 16777219.0000002 -> 16777220 all the same, so the
  // residual of the second case is -3: 0 where each step is rounded, 3 * 2^-24 where not.
  const OpCase made = op_case("linear", params_of(1, 1, 3.0f), {f32_weight({1, 1}, {1}), f32_weight({1}, {0x1p-24f})});
  const BoundOp op(reference(), made);
  CHECK(op.run({.in = {Rows(1, {1}), Rows(1, {16777216})}, .out_widths = {1}})[0].values[0] == 16777220.0f);
  CHECK(op.run({.in = {Rows(1, {1}), Rows(1, {-3})}, .out_widths = {1}})[0].values[0] == 0.0f);
}

TEST_CASE("exact64 rounds once at the end of the op") {
  OpCase made = op_case("linear", params_of(1, 1, 3.0f), {f32_weight({1, 1}, {1}), f32_weight({1}, {0x1p-24f})});
  made.numeric_class = TENON_CLASS_EXACT64;
  const auto out = BoundOp(reference(), made).run({.in = {Rows(1, {1}), Rows(1, {-3})}, .out_widths = {1}});
  CHECK(out[0].values[0] == 3 * 0x1p-24f);
}

TEST_CASE("f16 and bf16 weights are widened and multiplied like f32") {
  // Values that all three hold exactly.
  const std::vector<float> w = {1, -2, 0.5f, 4, 0.25f, -8};
  const Rows x(2, {0.1f, 0.2f, 0.3f, 1e-3f, 7.0f, -0.6f});
  const auto run = [&](Weight made) {
    return BoundOp(reference(), op_case("linear", params_of(1), {std::move(made)}))
        .run({.in = {x}, .out_widths = {2}})[0];
  };
  const Rows want = run(f32_weight({2, 3}, w));
  CHECK(same_bits(run(weight(DType::f16, {2, 3}, halves(w, f32_to_f16))), want));
  CHECK(same_bits(run(weight(DType::bf16, {2, 3}, halves(w, f32_to_bf16))), want));
}

TEST_CASE("several weights of different dtypes and sizes each give the bits they give alone") {
  std::vector<float> values;
  for (int i = 0; i < 32; ++i) values.push_back(0.01f * static_cast<float>(i * i) - 1.0f);
  const Rows x(1, values);
  const Weight f32 = f32_weight({1, 32}, std::vector<float>(32, 0.3f)), bias = f32_weight({1}, {10});
  const auto alone = [&](Weight w, Weight b, int64_t n) {
    return BoundOp(reference(), op_case("linear", params_of(1), {std::move(w), std::move(b)}))
        .run({.in = {x}, .out_widths = {n}})[0];
  };
  const BoundOp together(reference(), op_case("linear", params_of(3), {q8_0_ones(2), f32, q8_0_ones(1), {}, bias, {}}));
  CHECK(together.support().numeric_class == TENON_CLASS_INT8);
  const auto out = together.run({.in = {x}, .out_widths = {2, 1, 1}});
  CHECK(same_bits(out[0], alone(q8_0_ones(2), {}, 2)));
  CHECK(same_bits(out[1], alone(f32, bias, 1)));
  CHECK(same_bits(out[2], alone(q8_0_ones(1), {}, 1)));
}

TEST_CASE("linear runs with no rows") {
  const BoundOp op(reference(), op_case("linear", params_of(1), {q8_0_ones(2)}));
  CHECK(op.run({.in = {Rows::zeros(0, 32)}, .out_widths = {2}})[0].values.empty());
}

TEST_CASE("matmul multiplies by an untransposed weight") {
  const Rows a = Golden::get().rows("matmul/a", 11);
  for (const uint32_t numeric_class : {TENON_CLASS_F32, TENON_CLASS_EXACT64}) {
    const OpCase made =
        op_case("matmul", tenon_matmul_params{0, TENON_F32}, {golden_weight("matmul/b", {7, 5})}, numeric_class);
    const Rows got = BoundOp(reference(), made).run({.in = {a}, .out_widths = {5}})[0];
    CHECK(nmse(got.values, Golden::get().floats("matmul/out")) < kF32Nmse);
  }
}

TEST_CASE("matmul reads and writes f16 and bf16 and rounds once") {
  // [a c] [1 0; 1 1] = [a + c, c]. f16 steps by 2 above 2048: 2049 and 2051 are ties and go to the even 2048 and 2052.
  // bf16 steps by 16 there: 2049 goes to 2048.
  const std::vector<float> b = {1, 0, 1, 1};
  const auto run = [&](DType dtype, uint16_t (*convert)(float), std::vector<float> a) {
    const tenon_matmul_params params{0, static_cast<uint32_t>(dtype)};
    return BoundOp(reference(), op_case("matmul", params, {weight(dtype, {2, 2}, halves(b, convert))}))
        .run({.in = {Rows(1, std::move(a))}, .out_widths = {2}, .dtype = dtype})[0]
        .values;
  };
  CHECK(run(DType::f16, f32_to_f16, {1, 2048}) == std::vector<float>{2048, 2048});
  CHECK(run(DType::f16, f32_to_f16, {3, 2048}) == std::vector<float>{2052, 2048});
  CHECK(run(DType::bf16, f32_to_bf16, {1, 2048}) == std::vector<float>{2048, 2048});
}
