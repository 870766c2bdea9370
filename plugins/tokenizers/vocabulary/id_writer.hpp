// Ids on their way to a sink, and the check of the ranges that come with a text.
#pragma once

#include <tenon/result.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace tenon::vocabulary {

/// Collects ids and hands them on by the thousand. The first refusal of the sink is kept; later ids are dropped.
class IdWriter {
 public:
  explicit IdWriter(const tenon_sink& sink) : sink_(sink) {}

  void put(int32_t id) {
    if (n_ == buffer_.size()) flush();
    buffer_[n_++] = id;
  }
  void put(std::span<const int32_t> ids) {
    for (const int32_t id : ids) put(id);
  }
  bool failed() const { return !result_; }
  Result<void> finish() {
    flush();
    return result_;
  }

 private:
  void flush() {
    if (result_) result_ = append(sink_, buffer_.data(), n_);
    n_ = 0;
  }

  const tenon_sink& sink_;
  std::array<int32_t, 1024> buffer_;
  size_t n_ = 0;
  Result<void> result_;
};

/// Ascending, disjoint ranges of `text`; TENON_INVALID with the first that is not.
Result<void> check_ranges(std::string_view text, std::span<const tenon_range> ranges);

}  // namespace tenon::vocabulary
