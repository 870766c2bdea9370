// 59 short scenarios with the names of the old report. An iteration runs 1000 units and so many more as the executable
// was linked with (extra.cpp): work that grows in proportion, not sleep. BENCHDIFF_SEED reshuffles the order.
#include "kernels.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>

namespace proof {
extern const int kExtraPermille;
}

namespace {

struct Scenario {
  const char* name;
  proof::Unit unit;
};

constexpr Scenario kScenarios[] = {
#include "scenarios.inc"
};

void run(benchmark::State& state, const Scenario& scenario) {
  proof::Data data = proof::make_data();
  const auto units = static_cast<size_t>(1000 + proof::kExtraPermille);
  for (auto _ : state) {
    for (size_t i = 0; i < units; ++i) scenario.unit(data, i);
    benchmark::DoNotOptimize(data.out.data());
    benchmark::ClobberMemory();
  }
  state.counters["units"] = static_cast<double>(units);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Scenario> scenarios(std::begin(kScenarios), std::end(kScenarios));
  if (const char* seed = std::getenv("BENCHDIFF_SEED")) {
    std::mt19937_64 random(std::strtoull(seed, nullptr, 10));
    std::shuffle(scenarios.begin(), scenarios.end(), random);
  }
  for (const Scenario& scenario : scenarios) {
    benchmark::RegisterBenchmark(scenario.name, [scenario](benchmark::State& state) { run(state, scenario); });
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
