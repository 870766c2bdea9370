// tenon batch: a file of prompts to a file of answers, many at a time in one engine.
#include "answer_file.hpp"
#include "batch_item.hpp"
#include "cli.hpp"
#include "progress.hpp"

#include <fmt/format.h>

#include <fstream>
#include <unordered_map>
#include <unordered_set>

namespace tenon::cli {
namespace {

constexpr int64_t kMostParallel = 256;

/// Reads prompts as the engine asks for them and writes each answer when it is there.
class Batch {
 public:
  Batch(std::ifstream& in, uint64_t in_bytes, AnswerFile& answers, const Request& defaults,
        const Interrupts& interrupts, bool quiet)
      : in_(in),
        in_bytes_(in_bytes),
        answers_(answers),
        defaults_(defaults),
        interrupts_(interrupts),
        bar_("answering", !quiet) {}

  std::optional<Request> next() {
    for (std::string line; failure_ && interrupts_.count() == 0 && std::getline(in_, line);) {
      ++line_;
      n_read_ += line.size() + 1;
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      if (auto request = take(line)) return request;
    }
    return std::nullopt;
  }

  bool done(size_t index, Result<Generation> outcome) {
    const Taken taken = std::move(running_.extract(index).mapped());
    if (!outcome) {
      refuse(taken.line, taken.id, outcome.error().message);
    } else if (outcome->finish != Finish::interrupted) {  // else it is written by the run that goes on from here
      ++n_written_;
      n_prompt_tokens_ += outcome->prompt_tokens.size();
      n_reused_ += static_cast<size_t>(outcome->n_reused);
      write({{"id", taken.id},
             {"text", outcome->text},
             {"finish_reason", name_of(outcome->finish)},
             {"prompt_tokens", outcome->prompt_tokens.size()},
             {"completion_tokens", outcome->tokens.size()}});
      bar_.show(std::min(n_read_, in_bytes_), in_bytes_, fmt::format("{} answers", n_written_));
    }
    return static_cast<bool>(failure_);
  }

  void end() { bar_.clear(); }
  /// Of the answers' file: nothing more is written after it.
  const Result<void>& failure() const { return failure_; }
  size_t n_written() const { return n_written_; }
  size_t n_skipped() const { return n_skipped_; }
  size_t n_bad() const { return n_bad_; }
  /// Of the answers' prompts, and how many of them an earlier or running text had computed.
  size_t n_prompt_tokens() const { return n_prompt_tokens_; }
  size_t n_reused() const { return n_reused_; }

 private:
  struct Taken {
    uint64_t line;
    nlohmann::json id;
  };

  std::optional<Request> take(const std::string& line) {
    auto item = parse_batch_item(line, defaults_);
    if (!item) {
      tell(line_, item.error().message);
      return std::nullopt;
    }
    if (!seen_.insert(item->id.dump()).second) {
      tell(line_, fmt::format("the id {} stands in an earlier line too; this one is left out", item->id.dump()));
      return std::nullopt;
    }
    if (answers_.has(item->id)) {
      ++n_skipped_;
      return std::nullopt;
    }
    if (!item->request) {
      refuse(line_, item->id, item->request.error().message);
      return std::nullopt;
    }
    running_.emplace(n_taken_++, Taken{line_, item->id});
    return *std::move(item->request);
  }

  void tell(uint64_t line, const std::string& message) {
    ++n_bad_;
    bar_.clear();
    to_stderr("tenon: line {}: {}\n", line, message);
  }

  void refuse(uint64_t line, const nlohmann::json& id, const std::string& message) {
    tell(line, message);
    if (!answers_.has_error(id, message)) write({{"id", id}, {"error", message}});
  }

  void write(const nlohmann::json& answer) {
    if (failure_) failure_ = answers_.append(answer);
  }

  std::ifstream& in_;
  uint64_t in_bytes_;
  AnswerFile& answers_;
  const Request& defaults_;
  const Interrupts& interrupts_;
  ProgressBar bar_;
  std::unordered_map<size_t, Taken> running_;  // by the engine's index
  std::unordered_set<std::string> seen_;
  uint64_t line_ = 0, n_read_ = 0;  // read so far: lines, bytes
  size_t n_taken_ = 0, n_written_ = 0, n_skipped_ = 0, n_bad_ = 0, n_prompt_tokens_ = 0, n_reused_ = 0;
  Result<void> failure_;
};

Result<void> check_files(const std::string& in, const std::string& out) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(in, error)) {
    return Error{TENON_IO, fmt::format("cannot read the prompts of {}: no such file", in)};
  }
  if (std::filesystem::equivalent(in, out, error) && !error) {
    return invalid(fmt::format("-i and -o are the same file, {}", in));
  }
  return {};
}

int answer(const po::variables_map& values) {
  const auto& in_path = values["input"].as<std::string>();
  const auto& out_path = values["output"].as<std::string>();
  auto checked = check_files(in_path, out_path);
  if (!checked) return report(checked.error());
  auto parallel = whole_number_or(values, "parallel", 4, 1, kMostParallel);
  if (!parallel) return report(parallel.error());
  auto max_tokens = whole_number_or(values, "max-tokens", -1, 0, 1'000'000'000);
  if (!max_tokens) return report(max_tokens.error());
  // What one answer leaves serves the next prompt that starts alike, with one sequence at a time too.
  const Request defaults{.max_tokens = *max_tokens, .greedy = values["greedy"].as<bool>(), .keep = true};

  Interrupts interrupts;
  auto engine_opts = engine_options(values);
  if (!engine_opts) return report(engine_opts.error());
  engine_opts->max_sequences = *parallel;
  auto engine = load_engine(*engine_opts, values);
  if (!engine) return report(engine.error());
  std::ifstream in(in_path, std::ios::binary);
  if (!in) return report(Error{TENON_IO, fmt::format("cannot read {}", in_path)});
  auto answers = AnswerFile::open(out_path);
  if (!answers) return report(answers.error());

  const bool quiet = values["quiet"].as<bool>();
  Batch batch(in, std::filesystem::file_size(in_path), *answers, defaults, interrupts, quiet);
  interrupts.set_handler([&](int) { (*engine)->cancel(); });
  auto ran = (*engine)->generate_stream(
      [&] { return batch.next(); },
      [&](size_t index, Result<Generation> outcome) { return batch.done(index, std::move(outcome)); },
      [&](size_t, std::string_view) { return interrupts.count() == 0; });
  interrupts.set_handler({});
  batch.end();
  if (!ran) return report(ran.error());
  if (!batch.failure()) {
    report(batch.failure().error());
    return kFailed;
  }
  if (!quiet) {
    to_stderr("tenon: {} answers written, {} were there, {} lines refused; {} of {} prompt tokens were shared{}\n",
              batch.n_written(), batch.n_skipped(), batch.n_bad(), batch.n_reused(), batch.n_prompt_tokens(),
              interrupts.count() > 0 ? "; stopped: the same command goes on from here" : "");
  }
  if (interrupts.count() > 0) return kInterrupted;
  return batch.n_bad() > 0 ? kFailed : kDone;
}

}  // namespace

int run_batch(const std::vector<std::string>& arguments) {
  po::options_description options = model_options();
  options.add_options()("input,i", po::value<std::string>()->required(),
                        "JSON lines: id, prompt or messages, and max_tokens, seed, greedy, stop where wanted")(
      "output,o", po::value<std::string>()->required(),
      "answers, appended; ids that have a text there are not answered again")(
      "parallel", po::value<std::string>(), "so many sequences at a time (default 4)")(
      "max-tokens,n", po::value<std::string>(), "at most so many new tokens, where the line does not say")(
      "greedy", po::bool_switch(), "take the most probable token, where the line does not say");
  const Parsed parsed = parse("batch [-m MODEL] -i PROMPTS.jsonl -o ANSWERS.jsonl [OPTIONS]", arguments, options);
  return parsed.done ? parsed.code : answer(parsed.values);
}

}  // namespace tenon::cli
