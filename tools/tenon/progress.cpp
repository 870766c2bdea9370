#include "progress.hpp"

#include "to_stderr.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace tenon::cli {
namespace {

constexpr auto kBetweenDraws = std::chrono::milliseconds(100);
constexpr uint64_t kBarWidth = 30;

bool plain_terminal() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  // https://no-color.org: set and not empty, whatever the value.
  return (no_color != nullptr && *no_color != '\0') || term == nullptr || std::string_view(term) == "dumb";
}

}  // namespace

ProgressBar::ProgressBar(std::string what, bool wanted, Clock::duration delay)
    : what_(std::move(what)),
      on_terminal_(wanted && isatty(STDERR_FILENO) != 0),
      plain_(plain_terminal()),
      next_(Clock::now() + delay) {}

void ProgressBar::show(uint64_t done, uint64_t total, std::string_view note) {
  if (!on_terminal_ || Clock::now() < next_) return;
  clear();
  next_ = Clock::now() + kBetweenDraws;
  const double part = total == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(total);
  const auto filled = static_cast<size_t>(part * static_cast<double>(kBarWidth));
  const std::string bar = std::string(filled, '=') + std::string(kBarWidth - filled, ' ');
  const std::string percent = fmt::format(" {:3.0f}%{}{}", part * 100, note.empty() ? "" : " ", note);
  width_ = what_.size() + 3 + bar.size() + percent.size();
  to_stderr("\r{} [{}{}{}]{}", what_, plain_ ? "" : "\x1b[36m", bar, plain_ ? "" : "\x1b[0m", percent);
  std::fflush(stderr);
}

void ProgressBar::clear() {
  if (width_ == 0) return;
  if (plain_) {
    to_stderr("\r{}\r", std::string(width_, ' '));
  } else {
    to_stderr("\r\x1b[K");
  }
  width_ = 0;
}

}  // namespace tenon::cli
