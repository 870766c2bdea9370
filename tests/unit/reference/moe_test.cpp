// moe: its definition in f64 by numpy (golden_ops.py), and routing worked by hand.
#include "golden.hpp"

#include <tenon/math.hpp>

#include <catch2/catch.hpp>

#include <cmath>

using namespace tenon;
using namespace tenon::test;

namespace {

constexpr int64_t kRows = 5, kHidden = 32, kInner = 32, kShared = 64, kExperts = 6;

struct Setting {
  uint32_t used, route, renormalize = 0;
  float scale = 1.0f;
  uint32_t activation = TENON_ACT_SILU, has_add = 0;
};

tenon_moe_params params_of(const Setting& s) {
  return {0, s.has_add, kExperts, s.used, s.route, s.renormalize, s.scale, {s.activation, 1.702f, 7.0f}};
}

std::vector<Weight> matrices() {
  std::vector<Weight> weights(TENON_MOE_N_WEIGHTS);
  weights[TENON_MOE_ROUTER] = golden_weight("moe/router", {kExperts, kHidden});
  weights[TENON_MOE_GATE] = golden_weight("moe/gate", {kExperts, kInner, kHidden});
  weights[TENON_MOE_UP] = golden_weight("moe/up", {kExperts, kInner, kHidden});
  weights[TENON_MOE_DOWN] = golden_weight("moe/down", {kExperts, kHidden, kInner});
  return weights;
}

void add_biases(std::vector<Weight>& weights) {
  weights[TENON_MOE_ROUTER_BIAS] = golden_weight("moe/router_bias", {kExperts});
  weights[TENON_MOE_GATE_BIAS] = golden_weight("moe/gate_bias", {kExperts, kInner});
  weights[TENON_MOE_UP_BIAS] = golden_weight("moe/up_bias", {kExperts, kInner});
  weights[TENON_MOE_DOWN_BIAS] = golden_weight("moe/down_bias", {kExperts, kHidden});
}

void add_shared(std::vector<Weight>& weights) {
  weights[TENON_MOE_SHARED_GATE] = golden_weight("moe/shared_gate", {kShared, kHidden});
  weights[TENON_MOE_SHARED_UP] = golden_weight("moe/shared_up", {kShared, kHidden});
  weights[TENON_MOE_SHARED_DOWN] = golden_weight("moe/shared_down", {kHidden, kShared});
}

void check(const Setting& setting, std::vector<Weight> weights, const std::string& name) {
  INFO(name);
  RunInput input{.in = {Golden::get().rows("moe/x", kRows)}, .out_widths = {kHidden}};
  if (setting.has_add != 0) input.in.push_back(Golden::get().rows("moe/add", kRows));
  const std::vector<float> want = Golden::get().floats("moe/" + name);
  const BoundOp exact(reference(), op_case("moe", params_of(setting), weights, TENON_CLASS_EXACT64));
  CHECK(most_ulps(exact.run(input)[0].values, want) <= 1);
  const BoundOp f32(reference(), op_case("moe", params_of(setting), weights));
  CHECK(f32.support().numeric_class == TENON_CLASS_F32);
  CHECK(nmse(f32.run(input)[0].values, want) < kF32Nmse);
}

/// Experts of width 1 whose down weight says which it is: the output is the sum of weight * 10^expert.
Rows which_experts(const Setting& setting, const std::vector<float>& router, std::vector<float> selection_bias = {}) {
  const auto n = static_cast<int64_t>(router.size());
  tenon_moe_params params = params_of(setting);
  params.n_experts = static_cast<uint32_t>(n);
  params.activation.kind = TENON_ACT_IDENTITY;
  std::vector<float> down;
  for (int64_t e = 0; e < n; ++e) down.push_back(static_cast<float>(std::pow(10.0, e)));
  const std::vector<float> ones(static_cast<size_t>(n), 1.0f);
  std::vector<Weight> weights(TENON_MOE_N_WEIGHTS);
  weights[TENON_MOE_ROUTER] = f32_weight({n, 1}, router);
  weights[TENON_MOE_GATE] = weights[TENON_MOE_UP] = f32_weight({n, 1, 1}, ones);
  weights[TENON_MOE_DOWN] = f32_weight({n, 1, 1}, down);
  if (!selection_bias.empty()) weights[TENON_MOE_SELECTION_BIAS] = f32_weight({n}, selection_bias);
  return BoundOp(reference(), op_case("moe", params, weights)).run({.in = {Rows(1, {1})}, .out_widths = {1}})[0];
}

}  // namespace

TEST_CASE("moe takes the softmax over all experts, then the best") {
  check({.used = 2, .route = TENON_ROUTE_SOFTMAX_THEN_SELECT}, matrices(), "softmax");
  check({.used = 6, .route = TENON_ROUTE_SOFTMAX_THEN_SELECT, .activation = TENON_ACT_GELU}, matrices(), "all_experts");
}

TEST_CASE("moe renormalizes the weights of the selected experts and adds the residual") {
  check({.used = 3, .route = TENON_ROUTE_SOFTMAX_THEN_SELECT, .renormalize = 1, .has_add = 1}, matrices(),
        "softmax_renormalized");
}

TEST_CASE("moe takes the best scores, then the softmax over them, with biases everywhere") {
  std::vector<Weight> weights = matrices();
  add_biases(weights);
  check({.used = 4, .route = TENON_ROUTE_SELECT_THEN_SOFTMAX, .activation = TENON_ACT_SWIGLU_OAI, .has_add = 1},
        weights, "select");
}

TEST_CASE("moe by sigmoid chooses with the selection bias and weighs without it, and adds a plain shared expert") {
  std::vector<Weight> weights = matrices();
  weights[TENON_MOE_SELECTION_BIAS] = golden_weight("moe/selection_bias", {kExperts});
  add_shared(weights);
  check({.used = 2, .route = TENON_ROUTE_SIGMOID, .renormalize = 1, .scale = 2.5f}, weights, "sigmoid");
}

TEST_CASE("moe weighs the shared expert by the sigmoid of its router") {
  std::vector<Weight> weights = matrices();
  add_shared(weights);
  weights[TENON_MOE_SHARED_ROUTER] = golden_weight("moe/shared_router", {1, kHidden});
  check({.used = 2, .route = TENON_ROUTE_SOFTMAX_THEN_SELECT, .has_add = 1}, weights, "shared");
}

TEST_CASE("among equal scores the lowest expert is taken") {
  // Weights of 1/2 each after renormalizing: experts 0 and 2 of scores 3, 1, 3, 3.
  const Setting setting{.used = 2, .route = TENON_ROUTE_SOFTMAX_THEN_SELECT, .renormalize = 1};
  CHECK(which_experts(setting, {3, 1, 3, 3}).values[0] == 0.5f * 1 + 0.5f * 100);
}

TEST_CASE("experts are summed in the order of selection, not in the file's") {
  // Scores 1, 0.5 and 2 choose 2, 0, 1. Their parts are about 2.6e7, 1 and -1.9e7: the order is seen in the last bits.
  const std::vector<float> scores{1.0f, 0.5f, 2.0f}, down{1.0f, -3e7f, 3e7f};
  std::vector<Weight> weights(TENON_MOE_N_WEIGHTS);
  weights[TENON_MOE_ROUTER] = f32_weight({3, 1}, scores);
  weights[TENON_MOE_GATE] = weights[TENON_MOE_UP] = f32_weight({3, 1, 1}, {1, 1, 1});
  weights[TENON_MOE_DOWN] = f32_weight({3, 1, 1}, down);
  tenon_moe_params params = params_of({.used = 3, .route = TENON_ROUTE_SIGMOID, .activation = TENON_ACT_IDENTITY});
  params.n_experts = 3;
  const auto sum = [&](std::initializer_list<size_t> order) {
    float acc = 0;
    for (const size_t e : order) acc = std::fma(sigmoid_f32(scores[e]), down[e], acc);
    return acc;
  };
  REQUIRE(sum({2, 0, 1}) != sum({0, 1, 2}));
  REQUIRE(sum({2, 0, 1}) != sum({2, 1, 0}));
  const auto out =
      BoundOp(reference(), op_case("moe", params, weights)).run({.in = {Rows(1, {1})}, .out_widths = {1}})[0];
  CHECK(out.values[0] == sum({2, 0, 1}));
}

TEST_CASE("a selection bias moves the choice and not the weight") {
  // sigmoid(0) = 1/2 for all; the bias puts expert 1 first.
  const Setting setting{.used = 1, .route = TENON_ROUTE_SIGMOID};
  CHECK(which_experts(setting, {0, 0, 0}, {0, 5, 0}).values[0] == 0.5f * 10);
}

TEST_CASE("a tiny sum of weights is clamped before dividing") {
  // exp_f32 below -87 is 0, so sigmoid(-40) stays 4.2e-18: divided by 2^-14, not by itself.
  const Setting setting{.used = 1, .route = TENON_ROUTE_SIGMOID, .renormalize = 1};
  const float weight = which_experts(setting, {-40, -50}).values[0];
  CHECK(weight == Approx(std::exp(-40.0) * 16384.0).epsilon(1e-6));
}

TEST_CASE("scores that are NaN do not lead out of the table of experts") {
  const Setting setting{.used = 2, .route = TENON_ROUTE_SOFTMAX_THEN_SELECT};
  CHECK(std::isnan(which_experts(setting, {std::nanf(""), 1, std::nanf("")}).values[0]));
}
