// The noise of sampling: published values of its mixer, and that it is even, independent and a function of its whole
// key.
#include <tenon/noise.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <cmath>

using namespace tenon;

namespace {

constexpr int kTokens = 100'000;
constexpr NoiseKey kKey{42, 0, 17};

}  // namespace

TEST_CASE("mix64 gives the first numbers of SplitMix64 with seed 0") {
  // Its authors' splitmix64.c: the state grows by the golden ratio, the finalizer is mix64.
  constexpr uint64_t kGolden = 0x9E3779B97F4A7C15u;
  CHECK(mix64(1 * kGolden) == 0xE220A8397B1DCDAFu);
  CHECK(mix64(2 * kGolden) == 0x6E789E6AA1B965F4u);
  CHECK(mix64(3 * kGolden) == 0x06C45D188009454Fu);
}

TEST_CASE("noise_uniform lies inside (0, 1) with the mean and variance of an even distribution") {
  double sum = 0, squares = 0, least = 1, most = 0;
  for (uint64_t id = 0; id < kTokens; ++id) {
    const double u = noise_uniform(kKey, id);
    sum += u;
    squares += (u - 0.5) * (u - 0.5);
    least = std::min(least, u);
    most = std::max(most, u);
  }
  CHECK(least > 0.0);
  CHECK(most < 1.0);
  // Five standard errors: sqrt(1/12/n) of the mean, sqrt(1/180/n) of the variance.
  CHECK(std::fabs(sum / kTokens - 0.5) < 5 * std::sqrt(1.0 / 12 / kTokens));
  CHECK(std::fabs(squares / kTokens - 1.0 / 12) < 5 * std::sqrt(1.0 / 180 / kTokens));
}

TEST_CASE("noise_uniform fills 64 equal cells evenly") {
  std::array<int, 64> cells{};
  for (uint64_t id = 0; id < kTokens; ++id) ++cells[static_cast<size_t>(noise_uniform(kKey, id) * 64)];
  double chi_squared = 0;
  for (const int n : cells) chi_squared += (n - kTokens / 64.0) * (n - kTokens / 64.0) / (kTokens / 64.0);
  // 63 degrees of freedom: mean 63, standard deviation 11.2.
  CHECK(chi_squared > 63 - 4 * 11.2);
  CHECK(chi_squared < 63 + 5 * 11.2);
}

TEST_CASE("noise of neighbouring tokens, positions, samples and seeds is not correlated") {
  const auto correlation = [](auto other) {
    double sum = 0;
    for (uint64_t id = 0; id < kTokens; ++id) sum += (noise_uniform(kKey, id) - 0.5) * (other(id) - 0.5);
    return sum / kTokens * 12;
  };
  const double limit = 5 / std::sqrt(static_cast<double>(kTokens));
  CHECK(std::fabs(correlation([](uint64_t id) { return noise_uniform(kKey, id + 1); })) < limit);
  CHECK(std::fabs(correlation([](uint64_t id) { return noise_uniform({42, 0, 18}, id); })) < limit);
  CHECK(std::fabs(correlation([](uint64_t id) { return noise_uniform({42, 1, 17}, id); })) < limit);
  CHECK(std::fabs(correlation([](uint64_t id) { return noise_uniform({43, 0, 17}, id); })) < limit);
}

TEST_CASE("the parts of the key are not interchangeable") {
  CHECK(noise_bits({1, 2, 3}, 4) != noise_bits({2, 1, 3}, 4));
  CHECK(noise_bits({1, 2, 3}, 4) != noise_bits({1, 3, 2}, 4));
  CHECK(noise_bits({1, 2, 3}, 4) != noise_bits({1, 2, 4}, 3));
  CHECK(noise_bits({1, 2, 3}, 4) != noise_bits({1, 2, 3}, 5));
}

TEST_CASE("noise_gumbel has the mean and variance of the standard Gumbel distribution") {
  double sum = 0, squares = 0;
  for (uint64_t id = 0; id < kTokens; ++id) {
    const double g = noise_gumbel(kKey, id);
    sum += g;
    squares += g * g;
  }
  // Mean 0.5772 (Euler), variance pi^2 / 6; five standard errors of the mean, and 3% of the variance.
  const double mean = sum / kTokens, variance = squares / kTokens - mean * mean;
  const double want = 1.6449340668482264;
  CHECK(std::fabs(mean - 0.5772156649015329) < 5 * std::sqrt(want / kTokens));
  CHECK(std::fabs(variance - want) < 0.03 * want);
}

TEST_CASE("the largest of logit plus noise is drawn as often as the softmax says") {
  // Probabilities 0.5, 0.3, 0.2 of logits ln p; 40,000 positions.
  constexpr int kDraws = 40'000;
  const std::array<double, 3> p = {0.5, 0.3, 0.2};
  std::array<int, 3> counts{};
  for (uint64_t position = 0; position < kDraws; ++position) {
    size_t best = 0;
    double highest = -INFINITY;
    for (size_t id = 0; id < 3; ++id) {
      const double value = std::log(p[id]) + noise_gumbel({7, 0, position}, id);
      if (value > highest) highest = value, best = id;
    }
    ++counts[best];
  }
  for (size_t id = 0; id < 3; ++id) {
    CHECK(std::fabs(counts[id] / static_cast<double>(kDraws) - p[id]) < 5 * std::sqrt(p[id] * (1 - p[id]) / kDraws));
  }
}
