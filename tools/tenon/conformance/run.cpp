#include <conformance/run.hpp>
#include <tenon/base/child.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace tenon::conformance {
namespace {

// Of one row; what is left of it then counts as errors unseen, so that a kernel that always hangs ends some time.
constexpr int kMostCrashes = 20, kMostHangs = 2;

// Far more than the largest case takes.
constexpr uint64_t kMemory = uint64_t{16} << 30;

class Run {
 public:
  Run(std::span<const Case> cases, const RunRequest& request) : cases_(cases), request_(request) {
    result_.cases.resize(cases.size());
  }

  Result<RunResult> all() {
    for (size_t first = 0; first < cases_.size();) {
      size_t end = first;
      while (end < cases_.size() && cases_[end].op == cases_[first].op && cases_[end].format == cases_[first].format)
        ++end;
      if (const auto done = stretch(first, end); !done) return done.error();
      first = end;
      if (request_.progress) request_.progress(first, cases_.size());
    }
    return std::move(result_);
  }

 private:
  Result<void> stretch(size_t first, size_t end) {
    while (first < end) {
      const ChildOutcome outcome = child(first, end);
      const Told told = read_lines(outcome.result);
      if (told.refusal) return invalid(*told.refusal);
      if (outcome.end == ChildEnd::not_started) return Error{TENON_INTERNAL, "the child " + outcome.what()};
      if (!told.plugin) return Error{TENON_INTERNAL, crashed_in_load(outcome, told)};
      result_.plugin = *told.plugin;
      for (const auto& [index, ended] : told.ended) {
        if (index >= first && index < end) result_.cases[index] = ended;
      }
      if (outcome.end == ChildEnd::done && !told.begun) return {};
      const size_t stopped = told.begun.value_or(told.ended.empty() ? first : told.ended.back().first + 1);
      if (stopped >= end) return {};  // it died after the last case, in shutdown
      fail(stopped, describe(outcome, told));
      first = after(stopped, outcome.end == ChildEnd::timed_out);
    }
    return {};
  }

  /// The case to go on with; the rest of a row that crashed or hung too often is left out.
  size_t after(size_t stopped, bool hung) {
    if (cases_[stopped].row() != row_) crashes_ = hangs_ = 0;
    row_ = cases_[stopped].row();
    (hung ? hangs_ : crashes_) += 1;
    size_t next = stopped + 1;
    if (crashes_ < kMostCrashes && hangs_ < kMostHangs) return next;
    for (; next < cases_.size() && cases_[next].row() == row_; ++next) {
      fail(next, fmt::format("not run after {} crashes and {} hangs", crashes_, hangs_));
    }
    return next;
  }

  ChildOutcome child(size_t first, size_t end) const {
    ChildRequest child;
    child.arguments = request_.arguments(first, end);
    child.quiet_limit = request_.step_limit;
    child.memory_limit = kMemory;
    return run_child(child);
  }

  void fail(size_t index, std::string message) {
    result_.cases[index].verdict = Verdict::error;
    result_.cases[index].message = std::move(message);
  }

  static std::string describe(const ChildOutcome& outcome, const Told& told) {
    const std::string at = told.stage.empty() ? "" : " at: " + told.stage;
    const std::string fault = told.fault.empty() ? "" : told.fault + "; ";
    const std::string end = outcome.end == ChildEnd::done ? "exited with code 0" : outcome.what();
    return fault + "the process " + end + at + last_words(outcome);
  }

  static std::string crashed_in_load(const ChildOutcome& outcome, const Told& told) {
    return fmt::format("PLUGIN_CRASHED_IN_PROBE: while the plug-in was loaded, {}", describe(outcome, told));
  }

  /// The end of what was written to stderr: an assertion, a sanitizer.
  static std::string last_words(const ChildOutcome& outcome) {
    constexpr size_t kMost = 300;
    std::string text = outcome.errors.substr(0, kMost);
    std::ranges::replace(text, '\n', ' ');
    return text.empty() ? "" : "; it wrote: " + text;
  }

  std::span<const Case> cases_;
  const RunRequest& request_;
  RunResult result_;
  std::string row_;  // of the last case that stopped a child, and how often one was stopped in it
  int crashes_ = 0, hangs_ = 0;
};

}  // namespace

Result<RunResult> run_cases(std::span<const Case> cases, const RunRequest& request) {
  return Run(cases, request).all();
}

}  // namespace tenon::conformance
