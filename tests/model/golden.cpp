#include "golden.hpp"

#include <tenon/base/file.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tenon::test {

Golden read_golden(const std::string& path) {
  const auto data = read_text(TENON_TEST_SOURCE "/tests/data/" + path, 1 << 26);
  REQUIRE(data);
  constexpr size_t kHeader = 24;
  REQUIRE(data->size() >= kHeader);
  REQUIRE(data->substr(0, 8) == "TNGOLD01");
  uint32_t sizes[4];
  std::memcpy(sizes, data->data() + 8, sizeof sizes);
  Golden golden{sizes[0], sizes[1], sizes[2], sizes[3], {}, {}, {}, {}};
  const size_t n = golden.n_positions, k = golden.top_k, skipped = golden.n_skipped;
  REQUIRE(data->size() == kHeader + 4 * (skipped + n * (2 + 2 * k)));
  const char* at = data->data() + kHeader;
  const auto take = [&](auto& values, size_t count) {
    values.resize(count);
    std::memcpy(values.data(), at, 4 * count);
    at += 4 * count;
  };
  take(golden.tokens, skipped + n);
  take(golden.ids, n * k);
  take(golden.log_probs, n * k);
  take(golden.log_rest, n);
  return golden;
}

double partition_divergence(const Golden& golden, int64_t index, std::span<const float> logits) {
  const auto row = static_cast<size_t>(index);
  const std::span ids(golden.ids.data() + row * golden.top_k, golden.top_k);
  const double highest = *std::ranges::max_element(logits);
  const auto mass = [&](float logit) { return std::exp(static_cast<double>(logit) - highest); };
  double total = 0;
  for (const float logit : logits) total += mass(logit);
  // What is left is summed by itself: total - top would cancel.
  std::vector<float> others(logits.begin(), logits.end());
  double divergence = 0;
  for (size_t i = 0; i < golden.top_k; ++i) {
    const double log_p = golden.log_probs[row * golden.top_k + i];
    divergence += std::exp(log_p) * (log_p - (static_cast<double>(logits[ids[i]]) - highest - std::log(total)));
    others[ids[i]] = -INFINITY;
  }
  double rest = 0;
  for (const float logit : others) rest += mass(logit);
  const double log_p = golden.log_rest[row];
  return divergence + std::exp(log_p) * (log_p - (std::log(rest) - std::log(total)));
}

Distance distance(Engine& engine, const Golden& golden, size_t n_positions) {
  double sum = 0;
  size_t n = 0, n_same = 0;
  const auto done = engine.evaluate(std::span(golden.tokens).first(golden.n_skipped + n_positions),
                                    [&](int64_t position, std::span<const float> logits) {
                                      const int64_t row = position - static_cast<int64_t>(golden.n_skipped);
                                      if (row < 0) return;
                                      sum += partition_divergence(golden, row, logits);
                                      const auto top =
                                          static_cast<size_t>(std::ranges::max_element(logits) - logits.begin());
                                      n_same += top == golden.ids[static_cast<size_t>(row) * golden.top_k] ? 1 : 0;
                                      ++n;
                                    });
  if (!done) FAIL(done.error().message);
  REQUIRE(n == n_positions);
  return {sum / static_cast<double>(n), static_cast<double>(n_same) / static_cast<double>(n)};
}

}  // namespace tenon::test
