#include "op_bench.hpp"

#include <benchmark/benchmark.h>
#include <support/kernel_runner.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>

namespace tenon::bench {
namespace {

using namespace tenon::test;

std::string built(const std::string& name) {
  return (std::filesystem::path(TENON_BENCH_PLUGINS) / (name + ".so")).string();
}

const LoadedBackend* backend(const std::string& file) {
  static std::map<std::string, std::unique_ptr<LoadedBackend>> loaded;
  if (!loaded.contains(file)) {
    loaded[file] = std::filesystem::exists(file) ? std::make_unique<LoadedBackend>(file) : nullptr;
  }
  return loaded[file].get();
}

double squared_error(const std::vector<Rows>& found, const std::vector<Rows>& want) {
  double error = 0, power = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    for (size_t j = 0; j < found[i].values.size(); ++j) {
      const double a = found[i].values[j], b = want[i].values[j];
      error += (a - b) * (a - b);
      power += b * b;
    }
  }
  return error / power;
}

/// Batches of each that a benchmark takes; --benchmark_repetitions gives more.
constexpr int kTurns = 50;

double seconds_of(int n, const std::function<void()>& run) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < n; ++i) run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Calls that take about 50 microseconds together, against which reading the clock is nothing.
int calls_of_a_batch(const std::function<void()>& run) {
  constexpr double kBatch = 50e-6;
  int n = 1;
  while (seconds_of(n, run) < kBatch && n < 1 << 20) n *= 2;
  return n;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Batches of the op and of each yardstick in turns, so that a busy machine slows all of them alike. The counters are
/// medians over the turns.
tenon_code measure(benchmark::State& state, const std::vector<Yardstick>& yardsticks,
                   const std::function<tenon_code()>& once) {
  tenon_code code = TENON_OK;
  const std::function<void()> op = [&] { code = once(); };
  const int n = calls_of_a_batch(op);
  std::vector<int> batches;
  for (const Yardstick& yardstick : yardsticks) batches.push_back(calls_of_a_batch(yardstick.run));
  std::vector<std::vector<double>> ratios(yardsticks.size());
  for (auto _ : state) {
    const double seconds = seconds_of(n, op) / n;
    state.SetIterationTime(seconds);
    for (size_t i = 0; i < yardsticks.size(); ++i) {
      ratios[i].push_back(seconds_of(batches[i], yardsticks[i].run) / batches[i] / seconds);
    }
  }
  for (size_t i = 0; i < yardsticks.size(); ++i) state.counters["vs_" + yardsticks[i].name] = median(ratios[i]);
  return code;
}

void run(benchmark::State& state, const std::string& file, const Scenario& scenario) {
  const BoundOp bound(*backend(file), scenario.op);
  RunInput input = scenario.input;
  if (input.dense != Dense::none) bound.expand();
  const BoundOp reference(*backend(built("reference")), scenario.op);
  RunInput plain = input;
  plain.dense = Dense::none;
  if (squared_error(bound.run(input), reference.run(plain)) > 1e-3) {
    state.SkipWithError("the result differs from the reference's");
    return;
  }
  const std::vector<Yardstick> yardsticks = scenario.yardsticks ? scenario.yardsticks() : std::vector<Yardstick>();
  input.drive = [&](const std::function<tenon_code()>& once) { return measure(state, yardsticks, once); };
  bound.run(input);
  const auto rate = benchmark::Counter::kIsIterationInvariantRate;
  if (scenario.multiply_adds != 0) {
    state.counters["FLOP/s"] = benchmark::Counter(2.0 * static_cast<double>(scenario.multiply_adds), rate);
  }
  if (scenario.bytes != 0) state.counters["bytes/s"] = benchmark::Counter(static_cast<double>(scenario.bytes), rate);
}

}  // namespace

std::vector<Candidate> candidates() {
  const char* a = std::getenv("BENCHDIFF_PLUGIN_A");
  const char* b = std::getenv("BENCHDIFF_PLUGIN_B");
  if (a != nullptr && b != nullptr) {
    const std::string name = std::filesystem::path(a).stem().string();
    return {{"a:", name, a}, {"b:", name, b}};
  }
  std::vector<Candidate> all;
  for (const char* name : {"avx2", "neon", "onednn", "reference"}) all.push_back({"", name, built(name)});
  return all;
}

Candidate default_candidate() {
  for (const char* name : {"avx2", "neon"}) {
    if (backend(built(name)) != nullptr) return {"", name, built(name)};
  }
  return {"", "reference", built("reference")};
}

bool takes(const Candidate& candidate, const OpCase& op) {
  const LoadedBackend* loaded = backend(candidate.file);
  return loaded != nullptr && BoundOp::ask(*loaded, op).supported != 0;
}

void add_scenario(const std::string& name, const Candidate& candidate, std::function<Scenario()> make) {
  benchmark::RegisterBenchmark(name.c_str(), [file = candidate.file, make = std::move(make)](
                                                 benchmark::State& state) { run(state, file, make()); })
      ->UseManualTime()
      ->Iterations(kTurns)
      ->Unit(benchmark::kMicrosecond);
}

}  // namespace tenon::bench
