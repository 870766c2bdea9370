// ffn: its definition in f64 by numpy (golden_ops.py), and the ops it stands for.
#include "golden.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::test;

namespace {

constexpr int64_t kHidden = 32, kInner = 64;

tenon_ffn_params params_of(uint32_t activation, uint32_t has_add) { return {0, has_add, {activation, 1.702f, 7.0f}}; }

std::vector<Weight> matrices() {
  return {golden_weight("ffn/gate", {kInner, kHidden}), golden_weight("ffn/up", {kInner, kHidden}),
          golden_weight("ffn/down", {kHidden, kInner})};
}

/// q8_0 with scale 1/64 and codes that differ from place to place.
Weight q8_0_matrix(int64_t rows, int64_t k, uint8_t seed) {
  std::vector<uint8_t> bytes;
  for (int64_t b = 0; b < rows * k / 32; ++b) {
    bytes.insert(bytes.end(), {0x00, 0x24});  // f16 2^-6
    for (int j = 0; j < 32; ++j) bytes.push_back(seed = static_cast<uint8_t>(seed * 29 + 17));
  }
  return weight(DType::q8_0, {rows, k}, bytes);
}

}  // namespace

TEST_CASE("ffn is down(act(gate) * up), with biases and residual where there are some") {
  const Rows x = Golden::get().rows("ffn/x", 3), add = Golden::get().rows("ffn/add", 3);
  std::vector<Weight> with_biases = matrices();
  with_biases.push_back(golden_weight("ffn/gate_bias", {kInner}));
  with_biases.push_back(golden_weight("ffn/up_bias", {kInner}));
  with_biases.push_back(golden_weight("ffn/down_bias", {kHidden}));
  for (const uint32_t numeric_class : {TENON_CLASS_F32, TENON_CLASS_EXACT64}) {
    const BoundOp plain(reference(), op_case("ffn", params_of(TENON_ACT_SILU, 0), matrices(), numeric_class));
    const BoundOp all(reference(), op_case("ffn", params_of(TENON_ACT_SWIGLU_OAI, 1), with_biases, numeric_class));
    const Rows got = plain.run({.in = {x}, .out_widths = {kHidden}})[0];
    const Rows got_all = all.run({.in = {x, add}, .out_widths = {kHidden}, .same_as = {1}})[0];
    if (numeric_class == TENON_CLASS_EXACT64) {
      CHECK(most_ulps(got.values, Golden::get().floats("ffn/plain")) <= 1);
      CHECK(most_ulps(got_all.values, Golden::get().floats("ffn/all")) <= 1);
    } else {
      CHECK(nmse(got.values, Golden::get().floats("ffn/plain")) < kF32Nmse);
      CHECK(nmse(got_all.values, Golden::get().floats("ffn/all")) < kF32Nmse);
    }
  }
}

TEST_CASE("ffn has the bits of linear, glu and linear, in int8 and with mixed weights") {
  const Rows x = Golden::get().rows("ffn/x", 3), add = Golden::get().rows("ffn/add", 3);
  const Weight gate = q8_0_matrix(kInner, kHidden, 1), up = golden_weight("ffn/up", {kInner, kHidden}),
               down = q8_0_matrix(kHidden, kInner, 3);
  const BoundOp whole(reference(), op_case("ffn", params_of(TENON_ACT_GELU, 1), {gate, up, down}));
  CHECK(whole.support().numeric_class == TENON_CLASS_INT8);

  const BoundOp gate_up(reference(), op_case("linear", tenon_linear_params{0, 2, 0, 1.0f}, {gate, up}));
  const BoundOp glu(reference(), op_case("glu", tenon_glu_params{0, {TENON_ACT_GELU, 0, 0}, kInner}));
  const BoundOp last(reference(), op_case("linear", tenon_linear_params{0, 1, 1, 1.0f}, {down}));
  const auto both = gate_up.run({.in = {x}, .out_widths = {kInner, kInner}});
  const Rows inner = glu.run({.in = both, .out_widths = {kInner}})[0];
  const Rows want = last.run({.in = {inner, add}, .out_widths = {kHidden}})[0];
  CHECK(same_bits(whole.run({.in = {x, add}, .out_widths = {kHidden}})[0], want));
}
