// Counts what a rendering uses against the limits, and ends it with a RenderError when one is reached.
#pragma once

#include "limits.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace tenon::jinja {

/// Ends a rendering: a mistake of the template or of its input, or a limit.
struct RenderError : std::runtime_error {
  explicit RenderError(const std::string& message, bool is_limit = false)
      : std::runtime_error(message), limit(is_limit) {}
  bool limit;
};

/// One a rendering; outlives every value that was made under it.
class Budget {
 public:
  void step() { work(kBytesAStep); }
  /// For work that is linear in a number of bytes.
  void work(int64_t bytes) {
    work_ += bytes;
    if (work_ > kMostSteps * kBytesAStep) out_of_steps();
  }
  void work(size_t bytes) { work(static_cast<int64_t>(std::min(bytes, kMostMemoryBytes))); }
  /// Before memory is allocated.
  void take(size_t bytes) {
    if (bytes > kMostMemoryBytes - memory_) out_of_memory();
    memory_ += bytes;
  }
  void give_back(size_t bytes) noexcept { memory_ -= bytes; }
  void check_output(size_t bytes) const {
    if (bytes > kMostOutputBytes) out_of_output();
  }

  /// One level of recursion of the evaluation, of printing or of comparing.
  class Level {
   public:
    explicit Level(Budget& budget) : budget_(budget) {
      if (budget_.depth_ >= kMostDepth) out_of_depth();
      ++budget_.depth_;
    }
    ~Level() { --budget_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Budget& budget_;
  };

 private:
  [[noreturn]] static void out_of_steps();
  [[noreturn]] static void out_of_memory();
  [[noreturn]] static void out_of_output();
  [[noreturn]] static void out_of_depth();

  int64_t work_ = 0;
  size_t memory_ = 0;
  int depth_ = 0;
};

/// A share of the memory budget, given back at the end of its life. Without a budget (literals, input) it counts
/// nothing.
class Charge {
 public:
  Charge() = default;
  Charge(Budget* budget, size_t bytes) : budget_(budget) { grow(bytes); }
  Charge(Charge&& other) noexcept
      : budget_(std::exchange(other.budget_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Charge& operator=(Charge&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Charge() {
    if (budget_ != nullptr) budget_->give_back(bytes_);
  }
  void grow(size_t bytes) {
    if (budget_ == nullptr) return;
    budget_->take(bytes);
    bytes_ += bytes;
  }
  Budget* budget() const { return budget_; }

 private:
  Budget* budget_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace tenon::jinja
