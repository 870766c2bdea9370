// Single kernels of every backend that is built, as <op>/<backend>/<format>/<rows>x<k>x<n>/threads=T. Each result is
// checked once, outside of the timed runs, against `reference`: normalised squared error at most 1e-3 over all outputs,
// which tells a wrong kernel from an 8-bit one; exactness is the tests' business.
#include <support/kernel_runner.hpp>
#include <support/random_case.hpp>

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>

namespace {

using namespace tenon;
using namespace tenon::test;

constexpr int kRunsPerIteration = 20;

/// A backend to measure. Its scenarios are called <mark><op>/<name>/...
struct Candidate {
  std::string mark, name, file;
};

std::string built(const std::string& name) {
  return (std::filesystem::path(TENON_BENCH_PLUGINS) / (name + ".so")).string();
}

/// Those of this build; or the two files that tools/benchdiff wants measured by turns, under one name, so that it can
/// tell which scenarios belong together.
std::vector<Candidate> candidates() {
  const char* a = std::getenv("BENCHDIFF_PLUGIN_A");
  const char* b = std::getenv("BENCHDIFF_PLUGIN_B");
  if (a != nullptr && b != nullptr) {
    const std::string name = std::filesystem::path(a).stem().string();
    return {{"a:", name, a}, {"b:", name, b}};
  }
  return {{"", "avx2", built("avx2")}, {"", "onednn", built("onednn")}, {"", "reference", built("reference")}};
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

struct Scenario {
  OpCase op;
  RunInput input;
  int64_t multiply_adds, weight_bytes;
};

void run(benchmark::State& state, const std::string& file, const Scenario& scenario) {
  const BoundOp bound(*backend(file), scenario.op);
  RunInput input = scenario.input;
  const BoundOp reference(*backend(built("reference")), scenario.op);
  if (squared_error(bound.run(input), reference.run(input)) > 1e-3) {
    state.SkipWithError("the result differs from the reference's");
    return;
  }
  double seconds = 0;
  input.repeat = kRunsPerIteration;
  input.seconds = &seconds;
  for (auto _ : state) {
    benchmark::DoNotOptimize(bound.run(input));
    state.SetIterationTime(seconds / kRunsPerIteration);
  }
  const auto rate = benchmark::Counter::kIsIterationInvariantRate;
  state.counters["FLOP/s"] = benchmark::Counter(2.0 * static_cast<double>(scenario.multiply_adds), rate);
  state.counters["weight_bytes/s"] = benchmark::Counter(static_cast<double>(scenario.weight_bytes), rate);
}

Scenario linear(DType dtype, int64_t rows, int64_t k, int64_t n, uint32_t n_threads) {
  Random random(1);
  Weight w = random_weight(random, dtype, {n, k});
  const auto bytes = static_cast<int64_t>(w.bytes.size());
  return {op_case("linear", tenon_linear_params{0, 1, 0, 1.0f}, {std::move(w)}),
          {.in = {random_rows(random, rows, k)}, .out_widths = {n}, .n_threads = n_threads},
          rows * k * n,
          bytes};
}

/// Top 4 of 32 experts.
Scenario moe(DType dtype, int64_t rows, int64_t hidden, int64_t inner, uint32_t n_threads) {
  constexpr int64_t kExperts = 32, kUsed = 4;
  Random random(1);
  std::vector<Weight> weights(TENON_MOE_N_WEIGHTS);
  weights[TENON_MOE_ROUTER] = random_weight(random, DType::f32, {kExperts, hidden});
  weights[TENON_MOE_GATE] = random_weight(random, dtype, {kExperts, inner, hidden});
  weights[TENON_MOE_UP] = random_weight(random, dtype, {kExperts, inner, hidden});
  weights[TENON_MOE_DOWN] = random_weight(random, dtype, {kExperts, hidden, inner});
  const auto expert_bytes = static_cast<int64_t>(3 * weights[TENON_MOE_GATE].bytes.size()) / kExperts;
  const tenon_moe_params params{
      0, 0, kExperts, kUsed, TENON_ROUTE_SELECT_THEN_SOFTMAX, 0, 1.0f, {TENON_ACT_SILU, 0, 0}};
  return {op_case("moe", params, std::move(weights)),
          {.in = {random_rows(random, rows, hidden, 0.5f)}, .out_widths = {hidden}, .n_threads = n_threads},
          rows * kUsed * 3 * hidden * inner,
          std::min(rows * kUsed, kExperts) * expert_bytes};
}

/// `rows` queries after `cached` positions: 9 heads on 3 kv heads of 64.
Scenario attention(int64_t rows, int64_t cached, uint32_t n_threads) {
  Random random(1);
  const tenon_attention_params params{0, TENON_F16, 16, 9, 3, 64, 64, 0, 0.125f, 0.0f, 0};
  std::vector<int32_t> pages(static_cast<size_t>((cached + rows) / 16 + 1));
  for (size_t i = 0; i < pages.size(); ++i) pages[i] = static_cast<int32_t>(i);
  return {op_case("attention", params),
          {.in = {random_rows(random, rows, 576), random_rows(random, rows, 192), random_rows(random, rows, 192)},
           .out_widths = {576},
           .sequences = {{rows, cached, pages}},
           .n_threads = n_threads},
          9 * 128 * (rows * cached + rows * (rows + 1) / 2),
          0};
}

void add(const std::string& op, const std::string& format, const std::string& shape, uint32_t n_threads,
         const std::function<Scenario()>& make) {
  for (const auto& [mark, name, file] : candidates()) {
    if (backend(file) == nullptr) continue;
    const Scenario scenario = make();
    if (BoundOp::ask(*backend(file), scenario.op).supported == 0) continue;
    const std::string full =
        mark + op + "/" + name + "/" + format + "/" + shape + "/threads=" + std::to_string(n_threads);
    benchmark::RegisterBenchmark(full.c_str(), [=](benchmark::State& s) { run(s, file, make()); })
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
}

std::string shape_of(int64_t m, int64_t k, int64_t n) {
  return std::to_string(m) + "x" + std::to_string(k) + "x" + std::to_string(n);
}

void add_all() {
  for (const uint32_t t : {1u, 2u}) {
    for (const DType dtype : {DType::f32, DType::f16, DType::bf16, DType::q4_0, DType::q4_1, DType::q5_0, DType::q5_1,
                              DType::q8_0, DType::q4_K, DType::q5_K, DType::q6_K, DType::iq4_nl, DType::mxfp4}) {
      const std::string format(info_of(dtype).name);
      for (const int64_t rows : {1, 32}) {
        add("linear", format, shape_of(rows, 1024, 1024), t, [=] { return linear(dtype, rows, 1024, 1024, t); });
      }
    }
    for (const int64_t rows : {1, 32}) {
      add("moe", "mxfp4", shape_of(rows, 512, 512), t, [=] { return moe(DType::mxfp4, rows, 512, 512, t); });
    }
    add("attention", "f16", "1+1024", t, [=] { return attention(1, 1024, t); });
    add("attention", "f16", "512+0", t, [=] { return attention(512, 0, t); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  add_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
