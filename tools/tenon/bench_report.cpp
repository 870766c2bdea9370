#include "bench_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace tenon::cli {

Spread spread_of(std::vector<double> values) {
  std::ranges::sort(values);
  const size_t n = values.size();
  return {(values[(n - 1) / 2] + values[n / 2]) / 2, values.front(), values.back()};
}

double BenchReport::read_rate(uint32_t n_threads) const {
  const auto of = std::ranges::find(threads, n_threads, &BenchThreads::n_threads);
  return spread_of(of->read_rates).median;
}

double BenchReport::bandwidth_share(const BenchRow& row) const {
  return static_cast<double>(decode_bytes) * spread_of(row.rates).median / read_rate(row.n_threads);
}

std::string BenchReport::markdown() const {
  std::string text =
      fmt::format("{}: a decoded token reads {:.1f} MB of weights\n\n", model, static_cast<double>(decode_bytes) / 1e6);
  text += "| test | threads | tokens/s | min - max | share of the read bandwidth |\n|---|---|---|---|---|\n";
  bool cached = false;
  for (const BenchRow& row : rows) {
    const Spread rate = spread_of(row.rates);
    const std::string share = row.test == "decode" ? fmt::format("{:.0f}% of {:.1f} GB/s", 100 * bandwidth_share(row),
                                                                 read_rate(row.n_threads) / 1e9)
                                                   : std::string();
    text += fmt::format("| {} {} | {} | {:.1f} | {:.1f} - {:.1f} | {} |\n", row.test, row.n_tokens, row.n_threads,
                        rate.median, rate.min, rate.max, share);
    cached |= row.test == "decode" && bandwidth_share(row) > 1;
  }
  if (cached)
    text += "\nA share above 100%: the weights stay in a cache of the processor, or other work slowed the reading.\n";
  return text;
}

nlohmann::json BenchReport::json() const {
  const auto spread_json = [](const std::vector<double>& values) {
    const Spread spread = spread_of(values);
    return nlohmann::json{{"median", spread.median}, {"min", spread.min}, {"max", spread.max}, {"all", values}};
  };
  nlohmann::json results = nlohmann::json::array(), bandwidth = nlohmann::json::array();
  for (const BenchRow& row : rows) {
    nlohmann::json result = {{"test", row.test},
                             {"tokens", row.n_tokens},
                             {"threads", row.n_threads},
                             {"tokens_per_second", spread_json(row.rates)}};
    if (row.test == "decode") result["bandwidth_share"] = bandwidth_share(row);
    results.push_back(std::move(result));
  }
  for (const BenchThreads& each : threads) {
    bandwidth.push_back({{"threads", each.n_threads}, {"bytes_per_second", spread_json(each.read_rates)}});
  }
  return {{"model", model},
          {"decode_bytes", decode_bytes},
          {"results", std::move(results)},
          {"read_bandwidth", std::move(bandwidth)}};
}

}  // namespace tenon::cli
