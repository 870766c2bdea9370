// What `tenon bench` found out, as a table or as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tenon::cli {

struct Spread {
  double median = 0, min = 0, max = 0;
};
/// Of at least one value. The median of an even number is the mean of the middle two.
Spread spread_of(std::vector<double> values);

struct BenchRow {
  std::string test;  // "prefill" or "decode"
  int64_t n_tokens;
  uint32_t n_threads;
  std::vector<double> rates;  // tokens a second, one a repetition
};

struct BenchThreads {
  uint32_t n_threads;
  std::vector<double> read_rates;  // bytes a second, one a repetition
};

struct BenchReport {
  std::string model;
  uint64_t decode_bytes;  // of packed weights that a decoded token reads
  std::vector<BenchRow> rows;
  std::vector<BenchThreads> threads;

  double read_rate(uint32_t n_threads) const;
  /// Of the measured read bandwidth, the part that a decode row takes for weights.
  double bandwidth_share(const BenchRow& row) const;
  std::string markdown() const;
  nlohmann::json json() const;
};

}  // namespace tenon::cli
