// Whole models through the engine, as a user runs them: prefill and decode of the demo model, and of SmolLM2 where it
// is fetched. Each benchmark checks its tokens once outside the timed loop.
#include <tenon/engine.hpp>
#include <tenon/model/plan.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

namespace {

std::filesystem::path smollm2_path() {
  const char* home = std::getenv("HOME");
  return std::filesystem::path(home != nullptr ? home : ".") / ".cache/tenon/models/smollm2-135m.gguf";
}

std::unique_ptr<tenon::Engine> load(const std::string& model, int64_t n_threads) {
  tenon::EngineOptions options;
  options.model = model;
  options.set = {"runtime.threads=" + std::to_string(n_threads), "runtime.context=1024"};
  auto engine = tenon::Engine::load(options);
  return engine ? std::move(*engine) : nullptr;
}

/// Ids that every vocabulary has, in no order that could repeat itself.
std::vector<int32_t> some_tokens(int64_t n) {
  std::vector<int32_t> tokens;
  for (int64_t i = 0; i < n; ++i) tokens.push_back(static_cast<int32_t>(3 + (i * 37) % 700));
  return tokens;
}

tenon::Request request_of(int64_t n_prompt, int64_t n_new) {
  tenon::Request request;
  request.tokens = some_tokens(n_prompt);
  request.max_tokens = n_new;
  request.greedy = true;
  request.ignore_eos = true;
  return request;
}

/// FNV-1a; 32 bits, which a counter holds exactly.
uint32_t digest_of(const std::vector<int32_t>& tokens) {
  uint32_t digest = 2166136261U;
  for (const int32_t token : tokens) digest = (digest ^ static_cast<uint32_t>(token)) * 16777619U;
  return digest;
}

void run(benchmark::State& state, const std::string& model, int64_t n_threads, int64_t n_prompt, int64_t n_new) {
  const auto engine = load(model, n_threads);
  if (!engine) {
    state.SkipWithError("the model cannot be loaded");
    return;
  }
  const tenon::Request request = request_of(n_prompt, n_new);
  const auto first = engine->generate(request);
  const auto again = engine->generate(request);
  if (!first || !again || first->tokens != again->tokens || first->tokens.size() != static_cast<size_t>(n_new)) {
    state.SkipWithError("two greedy runs differ");
    return;
  }
  double seconds = 0;
  for (auto _ : state) {
    const auto result = engine->generate(request);
    // One new token: the time is the prompt's. Many: the prompt's part is taken off.
    const double taken = n_new == 1 ? result->prefill_seconds : result->decode_seconds;
    state.SetIterationTime(taken);
    seconds += taken;
  }
  const auto per_run = static_cast<double>(n_new == 1 ? n_prompt : n_new - 1);
  // For tools/benchdiff: which backend runs how many ops, and what came out, must not change unseen.
  for (const tenon::BoundOp& op : engine->plan().ops()) state.counters["route:" + op.spec.name + "/" + op.backend] += 1;
  state.counters["digest:tokens"] = digest_of(first->tokens);
  state.counters["tokens/s"] = per_run * static_cast<double>(state.iterations()) / seconds;
}

void add(const std::string& name, const std::string& model) {
  for (const int64_t n_threads : {1, 2}) {
    const std::string threads = "/threads=" + std::to_string(n_threads);
    benchmark::RegisterBenchmark(("model/" + name + "/prefill/128" + threads).c_str(),
                                 [=](benchmark::State& s) { run(s, model, n_threads, 128, 1); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("model/" + name + "/decode/32" + threads).c_str(),
                                 [=](benchmark::State& s) { run(s, model, n_threads, 8, 33); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace

int main(int argc, char** argv) {
  add("demo", "");
  if (std::filesystem::exists(smollm2_path())) add("smollm2-135m-q4_1", smollm2_path().string());
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
