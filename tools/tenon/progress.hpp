// A bar on stderr for work that takes a while.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace tenon::cli {

/// Shown only where stderr is a terminal, and only once the work has taken `delay`, so that short work shows nothing.
/// NO_COLOR and TERM=dumb leave plain characters. Gone when the object is.
class ProgressBar {
 public:
  using Clock = std::chrono::steady_clock;

  /// `wanted` false: never shown.
  ProgressBar(std::string what, bool wanted, Clock::duration delay = std::chrono::milliseconds(500));
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `note` stands after the percentage.
  void show(uint64_t done, uint64_t total, std::string_view note = {});
  /// Takes the bar away, as before another line on stderr; the next show() brings it back.
  void clear();

 private:
  std::string what_;
  bool on_terminal_, plain_;
  Clock::time_point next_;  // not drawn before
  size_t width_ = 0;        // columns that the drawn bar takes
};

}  // namespace tenon::cli
