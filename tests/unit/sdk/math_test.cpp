// The shared elementary functions against the C library in f64.
#include <tenon/math.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <limits>

using namespace tenon;

namespace {

/// |got - want| in units of the last place of `want` as a float.
double ulps(float got, double want) {
  const auto near = static_cast<float>(want);
  const float magnitude = std::fabs(near);
  const double unit = std::nextafter(magnitude, INFINITY) - magnitude;
  return std::fabs(static_cast<double>(got) - want) / unit;
}

/// The largest value of `error` over every 397th float from `low` to `high`, both signs.
double worst(float low, float high, const std::function<double(float)>& error) {
  double most = 0;
  for (uint32_t bits = 0; bits < 0x7F800000u; bits += 397) {
    for (const uint32_t sign : {0u, 0x80000000u}) {
      const auto x = std::bit_cast<float>(bits | sign);
      if (x >= low && x <= high) most = std::max(most, error(x));
    }
  }
  return most;
}

}  // namespace

TEST_CASE("exp_f32 is within 2 ulp of exp") {
  CHECK(worst(kExpLowest, kExpHighest, [](float x) { return ulps(exp_f32(x), std::exp(static_cast<double>(x))); }) <
        2.0);
}

TEST_CASE("exp_f32 at its edges") {
  CHECK(exp_f32(0.0f) == 1.0f);
  CHECK(exp_f32(-0.0f) == 1.0f);
  CHECK(exp_f32(std::numeric_limits<float>::denorm_min()) == 1.0f);
  CHECK(exp_f32(-INFINITY) == 0.0f);
  CHECK(exp_f32(std::nextafter(kExpLowest, -INFINITY)) == 0.0f);
  CHECK(exp_f32(kExpLowest) > 0.0f);
  CHECK(exp_f32(INFINITY) == exp_f32(kExpHighest));
  CHECK(exp_f32(1000.0f) == exp_f32(kExpHighest));
  CHECK(std::isfinite(exp_f32(kExpHighest)));
  CHECK(std::isnan(exp_f32(std::nanf(""))));
}

TEST_CASE("exp_f32 never falls while x rises, seen at its own steps") {
  // Where n = rint(x log2 e) changes, two reductions meet.
  for (int n = -125; n <= 126; ++n) {
    const auto edge = static_cast<float>((n + 0.5) / 1.4426950408889634);
    const float below = std::nextafter(edge, -INFINITY), above = std::nextafter(edge, INFINITY);
    CHECK(exp_f32(below) <= exp_f32(edge) * (1 + 0x1p-22f));
    CHECK(exp_f32(edge) <= exp_f32(above) * (1 + 0x1p-22f));
  }
}

TEST_CASE("sigmoid, silu, tanh and gelu are near their definitions") {
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  CHECK(worst(-80, 80, [&](float x) { return ulps(sigmoid_f32(x), sigmoid(x)); }) < 4.0);
  CHECK(worst(-80, 80, [&](float x) { return ulps(silu_f32(x), x * sigmoid(x)); }) < 5.0);
  // 1 - 2 / (e^2x + 1) cancels near 0: the error is one of 1, not of tanh(x).
  const auto absolute = [](float got, double want) { return std::fabs(static_cast<double>(got) - want); };
  CHECK(worst(-40, 40, [&](float x) { return absolute(tanh_f32(x), std::tanh(static_cast<double>(x))); }) < 4e-7);
  const auto gelu = [](double x) { return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))); };
  CHECK(worst(-8, 8, [&](float x) { return absolute(gelu_f32(x), gelu(x)); }) < 2e-6);
}

TEST_CASE("activations saturate without NaN") {
  CHECK(sigmoid_f32(-INFINITY) < 1e-38f);
  CHECK(sigmoid_f32(INFINITY) == 1.0f);
  CHECK(tanh_f32(100.0f) == 1.0f);
  CHECK(tanh_f32(-100.0f) == -1.0f);
  CHECK(gelu_f32(30.0f) == 30.0f);
  CHECK(std::fabs(gelu_f32(-30.0f)) == 0.0f);
}

TEST_CASE("swiglu_oai clamps the gate from above and up on both sides") {
  // gate at most 7, up within 7: sigmoid of alpha times the clamped gate.
  const float at_limit = swiglu_oai_f32(7.0f, 7.0f, 1.702f, 7.0f);
  CHECK(at_limit == Approx(7.0 / (1 + std::exp(-1.702 * 7)) * 8).epsilon(1e-6));
  CHECK(swiglu_oai_f32(100.0f, 50.0f, 1.702f, 7.0f) == at_limit);
  CHECK(swiglu_oai_f32(1.0f, -50.0f, 1.702f, 7.0f) == swiglu_oai_f32(1.0f, -7.0f, 1.702f, 7.0f));
  CHECK(swiglu_oai_f32(1.0f, -1.0f, 1.702f, 7.0f) == 0.0f);
  // The gate has no lower limit.
  CHECK(swiglu_oai_f32(-9.0f, 0.0f, 1.702f, 7.0f) != swiglu_oai_f32(-7.0f, 0.0f, 1.702f, 7.0f));
}
