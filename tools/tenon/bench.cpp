// tenon bench: how fast a model reads prompts and writes text, against how fast this machine's memory is.
#include "bench_report.hpp"
#include "cli.hpp"
#include "progress.hpp"
#include "read_bandwidth.hpp"

#include <tenon/engine/text.hpp>
#include <tenon/model/plan.hpp>
#include <tenon/model/source.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <random>

namespace tenon::cli {
namespace {

constexpr int64_t kMostTokens = 1'000'000, kMostThreads = 1024, kMostRepetitions = 1000;

struct BenchSettings {
  std::vector<int64_t> prefill, decode, threads;
  int64_t n_repetitions;
  bool json;
};

Result<BenchSettings> bench_settings(const po::variables_map& values) {
  BenchSettings s;
  struct List {
    const char* name;
    std::vector<int64_t>& to;
    int64_t min, max;
  };
  for (const List& list : {List{"prefill", s.prefill, 1, kMostTokens}, List{"decode", s.decode, 1, kMostTokens},
                           List{"threads", s.threads, 1, kMostThreads}}) {
    if (values.count(list.name) == 0) continue;
    auto numbers =
        whole_numbers(values[list.name].as<std::string>(), std::string("--") + list.name, list.min, list.max);
    if (!numbers) return numbers.error();
    for (const int64_t n : *numbers) {
      if (std::ranges::find(list.to, n) == list.to.end()) list.to.push_back(n);
    }
  }
  auto repetitions = whole_number_or(values, "repetitions", 5, 1, kMostRepetitions);
  if (!repetitions) return repetitions.error();
  s.n_repetitions = *repetitions;
  const auto& format = values["format"].as<std::string>();
  if (format != "md" && format != "json") return invalid(fmt::format("--format is '{}', expected md or json", format));
  s.json = format == "json";
  return s;
}

/// Tokens as different as those of a text: a mixture of experts uses other experts for others.
std::vector<int32_t> some_tokens(const Engine& engine, int64_t n) {
  std::mt19937 random(1);
  std::vector<int32_t> tokens(static_cast<size_t>(n));
  const auto n_ids = static_cast<uint32_t>(engine.tokenizer().info().n_tokens);
  for (int32_t& token : tokens) token = static_cast<int32_t>(random() % n_ids);
  return tokens;
}

/// Tokens a second. Prefill: from the request to the logits after its last token. Decode: steps of one token, from a
/// prompt of one, greedy.
Result<double> rate_of(Engine& engine, const std::string& test, int64_t n) {
  const bool decode = test == "decode";
  const Request request{.tokens = some_tokens(engine, decode ? 1 : n),
                        .max_tokens = decode ? n + 1 : 1,
                        .greedy = true,
                        .ignore_eos = true};
  auto done = engine.generate(request);
  if (!done) return done.error();
  if (done->finish == Finish::interrupted) return Error{TENON_CANCELLED, "stopped"};
  return static_cast<double>(n) / (decode ? done->decode_seconds : done->prefill_seconds);
}

Result<void> check_context(const BenchSettings& settings, int64_t context) {
  for (const int64_t n : settings.prefill) {
    if (n + 1 > context) return invalid(fmt::format("-p {} needs a context of {}, it is {}", n, n + 1, context));
  }
  for (const int64_t n : settings.decode) {
    if (n + 2 > context) return invalid(fmt::format("-n {} needs a context of {}, it is {}", n, n + 2, context));
  }
  return {};
}

/// One round measures every row once, so that a slow minute of the machine falls on all of them.
Result<void> measure_round(Engine& engine, ReadBandwidth& memory, BenchReport& report, bool record) {
  for (BenchThreads& each : report.threads) {
    auto set = engine.set_threads(each.n_threads);
    if (!set) return set;
    const double read_rate = memory.measure(each.n_threads);
    if (record) each.read_rates.push_back(read_rate);
    for (BenchRow& row : report.rows) {
      if (row.n_threads != each.n_threads) continue;
      // Warming up takes a short run: pages and caches are touched, a slow model does not run a round for nothing.
      auto rate = rate_of(engine, row.test, record ? row.n_tokens : std::min<int64_t>(row.n_tokens, 16));
      if (!rate) return rate.error();
      if (record) row.rates.push_back(*rate);
    }
  }
  return {};
}

BenchReport empty_report(const BenchSettings& settings, const Engine& engine) {
  BenchReport report{engine.model().path().filename().string(), engine.plan().decode_bytes(), {}, {}};
  for (const int64_t threads : settings.threads) report.threads.push_back({static_cast<uint32_t>(threads), {}});
  for (const char* test : {"prefill", "decode"}) {
    for (const int64_t n : test == std::string("prefill") ? settings.prefill : settings.decode) {
      for (const BenchThreads& each : report.threads) report.rows.push_back({test, n, each.n_threads, {}});
    }
  }
  return report;
}

int measure(const po::variables_map& values) {
  auto settings = bench_settings(values);
  if (!settings) return report(settings.error());
  Interrupts interrupts;
  auto engine_opts = engine_options(values);
  if (!engine_opts) return report(engine_opts.error());
  if (!settings->threads.empty()) {
    // Loaded once, for the most threads; fewer are taken at run time. The last item wins over the list of -t.
    std::erase_if(engine_opts->set, [](const std::string& item) { return item.starts_with("runtime.threads="); });
    engine_opts->set.push_back(fmt::format("runtime.threads={}", std::ranges::max(settings->threads)));
  }
  auto engine = load_engine(*engine_opts, values);
  if (!engine) return report(engine.error());
  if (settings->threads.empty()) settings->threads = {(*engine)->n_threads()};
  if (settings->prefill.empty()) settings->prefill = {std::min<int64_t>(512, (*engine)->context() - 1)};
  if (settings->decode.empty()) settings->decode = {std::min<int64_t>(64, (*engine)->context() - 2)};
  auto checked = check_context(*settings, (*engine)->context());
  if (!checked) return report(checked.error());

  interrupts.set_handler([&](int) { (*engine)->cancel(); });
  BenchReport found = empty_report(*settings, **engine);
  ReadBandwidth memory;
  ProgressBar bar("measuring", !values["quiet"].as<bool>());
  const auto n = static_cast<uint64_t>(settings->n_repetitions);
  auto outcome = measure_round(**engine, memory, found, false);
  for (uint64_t i = 0; outcome && interrupts.count() == 0 && i < n; ++i) {
    bar.show(i, n);
    outcome = measure_round(**engine, memory, found, true);
  }
  bar.clear();
  interrupts.set_handler({});
  if (interrupts.count() > 0) return kInterrupted;
  if (!outcome) return report(outcome.error());
  if (settings->json) return write_json(found.json());
  return write_out(found.markdown()) ? kDone : kFailed;
}

}  // namespace

int run_bench(const std::vector<std::string>& arguments) {
  po::options_description options = model_options();
  options.add_options()("prefill,p", po::value<std::string>(), "prompt lengths to measure, e.g. 32,512 (default 512)")(
      "decode,n", po::value<std::string>(), "tokens to write, e.g. 64 (the default)")(
      "repetitions,r", po::value<std::string>(), "rounds (default 5); -t takes a list here, e.g. -t 1,2")(
      "format,o", po::value<std::string>()->default_value("md"), "md: a table; json");
  const Parsed parsed = parse("bench [-m MODEL] [-p LIST] [-n LIST] [-t LIST] [-r N] [-o md|json]", arguments, options);
  return parsed.done ? parsed.code : measure(parsed.values);
}

}  // namespace tenon::cli
