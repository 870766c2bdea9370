// What the border between host and plug-in costs: an op that has nothing to do, a parallel_for of empty tasks, and one
// more processor in a chain.
#include <conformance/op_case.hpp>
#include <support/kernel_runner.hpp>
#include <tenon/base/thread_pool.hpp>
#include <tenon/config/settings.hpp>
#include <tenon/engine/sampler.hpp>
#include <tenon/kernel.hpp>
#include <tenon/registry/registry.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>

#include <memory>
#include <optional>
#include <string>

namespace {

using namespace tenon;

/// add of one element: the call through the table, the thunk, the kernel's own set-up.
void empty_op(benchmark::State& state) {
  const test::LoadedBackend backend(TENON_BENCH_PLUGINS "/" TENON_BENCH_BACKEND ".so");
  const test::BoundOp op(backend, conformance::op_case("add", tenon_binary_params{0, 0, 1, 0, 0}));
  conformance::RunInput input;
  input.in = {conformance::Rows(1, {1.0f}), conformance::Rows(1, {2.0f})};
  input.out_widths = {1};
  input.drive = [&](const std::function<tenon_code()>& once) {
    tenon_code code = TENON_OK;
    for (auto _ : state) code = once();
    return code;
  };
  if (op.run(input)[0].values[0] != 3.0f) state.SkipWithError("1 + 2 is not 3");
}

/// As many empty tasks as threads: waking or finding the workers, and the barrier.
void empty_tasks(benchmark::State& state) {
  const auto n_threads = static_cast<uint32_t>(state.range(0));
  ThreadPool pool(n_threads);
  const tenon_exec exec = pool.exec(nullptr);
  const auto nothing = [](int64_t, uint32_t) {};
  for (auto _ : state) benchmark::DoNotOptimize(parallel_for(exec, n_threads, nothing));
}

/// A draw from eight logits through a chain of that many temperatures of 1; the difference of two lengths, divided by
/// theirs, is what one processor costs.
void chain(benchmark::State& state) {
  std::string items;
  for (int64_t i = 0; i < state.range(0); ++i) items += "{temperature: 1.0}, ";
  const std::string overrides[] = {"sampling.chain=[" + items + "greedy]"};
  const auto settings = load_settings(TENON_BENCH_CONFIG, overrides);
  std::optional<Registry> registry;
  if (settings) {
    auto opened = Registry::open({settings->plugin_dirs, settings->plugins, settings->plugins_given}, silent_log());
    if (opened) registry.emplace(std::move(*opened));
  }
  if (!registry) return state.SkipWithError("the processors cannot be loaded");
  auto sampler = Sampler::create(registry->processors(), settings->sampling.chain, 8);
  if (!sampler) return state.SkipWithError("the chain cannot be made");
  const float logits[8] = {0, 1, 2, 9, 4, 5, 6, 7};
  int32_t drawn = 3;
  for (auto _ : state) {
    float scores[8];
    std::copy_n(logits, 8, scores);
    const auto id = sampler->draw(scores, {}, {}, {});
    drawn = id ? *id : -1;
  }
  if (drawn != 3) state.SkipWithError("the greatest logit was not drawn");
}

BENCHMARK(empty_op)->Name("boundary/op");
BENCHMARK(empty_tasks)->Name("boundary/parallel_for/threads")->Arg(1)->Arg(2);
BENCHMARK(chain)->Name("boundary/processors")->Arg(0)->Arg(1)->Arg(9);

}  // namespace

BENCHMARK_MAIN();
