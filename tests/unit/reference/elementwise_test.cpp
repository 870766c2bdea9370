// Ops without matrix products: f64 definitions by numpy (golden_ops.py) and values worked by hand.
#include "golden.hpp"

#include <tenon/math.hpp>

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::test;

namespace {

/// Runs the op in both classes: exact64 to an ulp, f32 to its roundings.
void check_against(OpCase made, const RunInput& input, const std::vector<float>& want) {
  INFO(made.name);
  made.numeric_class = TENON_CLASS_EXACT64;
  CHECK(most_ulps(BoundOp(reference(), made).run(input)[0].values, want) <= 1);
  made.numeric_class = TENON_CLASS_DEFAULT;
  const BoundOp f32(reference(), made);
  CHECK(f32.support().numeric_class == TENON_CLASS_F32);
  CHECK(nmse(f32.run(input)[0].values, want) < kF32Nmse);
}

tenon_rope_params rope_params(uint32_t pairing) { return {0, pairing, 1, 0, 10, 6, {3, 0, 0, 0}}; }

}  // namespace

TEST_CASE("gather takes the rows of the tokens and scales them") {
  const OpCase table = op_case("gather", tenon_gather_params{0, 2.0f}, {f32_weight({3, 2}, {1, 2, 3, 4, 5, 6})});
  const auto out = BoundOp(reference(), table).run({.in = {}, .out_widths = {2}, .tokens = {2, 0, 2}});
  CHECK(out[0].values == std::vector<float>{10, 12, 2, 4, 10, 12});
}

TEST_CASE("gather refuses a token that is not in the table") {
  const BoundOp op(reference(),
                   op_case("gather", tenon_gather_params{0, 1.0f}, {f32_weight({3, 2}, {1, 2, 3, 4, 5, 6})}));
  for (const int32_t token : {3, -1}) {
    CHECK_THROWS_WITH(op.run({.in = {}, .out_widths = {2}, .tokens = {0, token}}),
                      Catch::Contains("token " + std::to_string(token) + " in row 1") && Catch::Contains("0 to 2"));
  }
}

TEST_CASE("add and mul take a row for each, one row for all, or a weight") {
  const Rows a(2, {1, 2, 3, 4}), b(2, {10, 20, 30, 40}), one(1, {10, 20});
  const auto run = [](const char* name, uint32_t broadcast, std::vector<Rows> in, std::vector<Weight> weights) {
    return BoundOp(reference(), op_case(name, tenon_binary_params{0, broadcast, 2}, std::move(weights)))
        .run({.in = std::move(in), .out_widths = {2}})[0]
        .values;
  };
  CHECK(run("add", 0, {a, b}, {}) == std::vector<float>{11, 22, 33, 44});
  CHECK(run("add", 1, {a, one}, {}) == std::vector<float>{11, 22, 13, 24});
  CHECK(run("mul", 0, {a, b}, {}) == std::vector<float>{10, 40, 90, 160});
  CHECK(run("mul", 0, {a}, {f32_weight({2}, {5, 7})}) == std::vector<float>{5, 14, 15, 28});
}

TEST_CASE("reduce_mean is the mean of each row") {
  check_against(op_case("reduce_mean", tenon_rowwise_params{0, 1.0f, 37}),
                {.in = {Golden::get().rows("rowwise/x", 3)}, .out_widths = {1}}, Golden::get().floats("rowwise/mean"));
}

TEST_CASE("softmax scales first and sums to one") {
  check_against(op_case("softmax", tenon_rowwise_params{0, 0.25f, 37}),
                {.in = {Golden::get().rows("rowwise/x", 3)}, .out_widths = {37}},
                Golden::get().floats("rowwise/softmax"));
}

TEST_CASE("softmax adds in eight partial sums by place, and multiplies by one over the sum") {
  // Written out for 11 values; the sum of another order differs in the last bits.
  const std::vector<float> x = {0.1f, 1.3f, -0.7f, 2.9f, 0.4f, -3.1f, 1.7f, 0.9f, 2.2f, -1.4f, 0.6f};
  float e[11];
  for (int i = 0; i < 11; ++i) e[i] = exp_f32(x[static_cast<size_t>(i)] - 2.9f);
  const float p0 = e[0] + e[8], p1 = e[1] + e[9], p2 = e[2] + e[10];
  const float sum = ((p0 + e[4]) + (p2 + e[6])) + ((p1 + e[5]) + (e[3] + e[7]));
  const Rows got = BoundOp(reference(), op_case("softmax", tenon_rowwise_params{0, 1.0f, 11}))
                       .run({.in = {Rows(1, x)}, .out_widths = {11}})[0];
  for (int i = 0; i < 11; ++i) CHECK(got.values[static_cast<size_t>(i)] == e[i] * (1.0f / sum));
}

TEST_CASE("softmax of large scores stays finite and a masked score gets nothing") {
  const auto out = BoundOp(reference(), op_case("softmax", tenon_rowwise_params{0, 1.0f, 3}))
                       .run({.in = {Rows(1, {1e30f, -INFINITY, 1e30f})}, .out_widths = {3}});
  CHECK(out[0].values == std::vector<float>{0.5f, 0.0f, 0.5f});
}

TEST_CASE("rms_norm works on each group of a row and may work in place") {
  const RunInput input{.in = {Golden::get().rows("norm/x", 3)}, .out_widths = {74}, .same_as = {0}};
  check_against(op_case("rms_norm", tenon_norm_params{0, 1e-5f, 37, 2}, {golden_weight("norm/w", {37})}), input,
                Golden::get().floats("norm/rms"));
}

TEST_CASE("rms_norm of a row of zeros is zero") {
  const OpCase norm = op_case("rms_norm", tenon_norm_params{0, 1e-5f, 4, 1}, {f32_weight({4}, {1, 2, 3, 4})});
  CHECK(BoundOp(reference(), norm).run({.in = {Rows::zeros(1, 4)}, .out_widths = {4}})[0].values ==
        std::vector<float>(4, 0.0f));
}

TEST_CASE("layer_norm takes the mean away and adds the bias where there is one") {
  const RunInput input{.in = {Golden::get().rows("norm/x", 3)}, .out_widths = {74}};
  const tenon_norm_params params{0, 1e-5f, 37, 2};
  const Weight w = golden_weight("norm/w", {37});
  check_against(op_case("layer_norm", params, {w, golden_weight("norm/bias", {37})}), input,
                Golden::get().floats("norm/layer"));
  check_against(op_case("layer_norm", params, {w, Weight{}}), input, Golden::get().floats("norm/layer_without_bias"));
}

TEST_CASE("rope turns the pairs of both pairings and leaves the rest of a head alone") {
  const Rows x = Golden::get().rows("rope/x", 2), table = Golden::get().rows("rope/table", 2);
  const RunInput input{.in = {x, table}, .out_widths = {30}, .same_as = {0}};
  check_against(op_case("rope", rope_params(TENON_PAIRING_INTERLEAVED)), input,
                Golden::get().floats("rope/interleaved"));
  check_against(op_case("rope", rope_params(TENON_PAIRING_HALVES)), input, Golden::get().floats("rope/halves"));
}

TEST_CASE("rope turns several inputs with different numbers of heads by one table") {
  // A quarter turn: (a, b) becomes (-b, a).
  const tenon_rope_params params{0, TENON_PAIRING_HALVES, 2, 0, 2, 2, {2, 1, 0, 0}};
  const auto out = BoundOp(reference(), op_case("rope", params))
                       .run({.in = {Rows(1, {1, 2, 3, 4}), Rows(1, {5, 6}), Rows(1, {0, 1})},
                             .out_widths = {4, 2},
                             .same_as = {0, 1}});
  CHECK(out[0].values == std::vector<float>{-2, 1, -4, 3});
  CHECK(out[1].values == std::vector<float>{-6, 5});
}

TEST_CASE("softcap bends values to its cap and may work in place") {
  // 5 tanh(x / 5) by hand: tanh(0.2) = 0.19737532, tanh(-1) = -0.76159416, tanh(20) = 1.
  const RunInput input{.in = {Rows(1, {0, 1, -5, 100})}, .out_widths = {4}, .same_as = {0}};
  check_against(op_case("softcap", tenon_softcap_params{0, 5.0f, 4}), input, {0, 0.98687660f, -3.80797078f, 5});
}

TEST_CASE("softcap refuses a cap that is not above zero") {
  for (const float cap : {0.0f, -1.0f, NAN}) {
    CHECK_THROWS_WITH(BoundOp(reference(), op_case("softcap", tenon_softcap_params{0, cap, 4})),
                      Catch::Contains("expected more than 0"));
  }
}

TEST_CASE("glu has every activation") {
  const Rows gate = Golden::get().rows("glu/gate", 2), up = Golden::get().rows("glu/up", 2);
  for (const auto& [kind, name] : {std::pair{TENON_ACT_IDENTITY, "identity"},
                                   {TENON_ACT_SILU, "silu"},
                                   {TENON_ACT_GELU, "gelu"},
                                   {TENON_ACT_SWIGLU_OAI, "swiglu_oai"}}) {
    const tenon_glu_params params{0, {static_cast<uint32_t>(kind), 1.702f, 7.0f}, 21};
    check_against(op_case("glu", params), {.in = {gate, up}, .out_widths = {21}},
                  Golden::get().floats(std::string("glu/") + name));
  }
}
