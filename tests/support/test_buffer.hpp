// Rows in memory as a run gets them.
#pragma once

#include <support/op_case.hpp>
#include <tenon/convert.hpp>

#include <stdexcept>

namespace tenon::test {

/// Rows in memory: lines of 64 bytes, a row stride wider than the row, marks in the gap.
class TestBuffer {
 public:
  TestBuffer(int64_t n, int64_t width, DType dtype)
      : n_(n), width_(width), ld_((width + 15) / 16 * 16 + 16), dtype_(dtype), bytes_(bytes_of(n * ld_)) {
    std::memset(bytes_.data(), kMark, bytes_.size());
  }

  tenon_buffer view() { return {bytes_.data(), ld_}; }

  void set(const Rows& rows) {
    for (int64_t r = 0; r < n_; ++r) {
      for (int64_t i = 0; i < width_; ++i) put(r * ld_ + i, rows.values[static_cast<size_t>(r * width_ + i)]);
    }
  }
  Rows get() const {
    Rows rows = Rows::zeros(n_, width_);
    for (int64_t r = 0; r < n_; ++r) {
      for (int64_t i = 0; i < width_; ++i) rows.values[static_cast<size_t>(r * width_ + i)] = at(r * ld_ + i);
    }
    return rows;
  }
  void check_marks() const {
    for (int64_t r = 0; r < n_; ++r) {
      const std::byte* gap = bytes_.data() + bytes_of(r * ld_ + width_);
      const std::byte* end = bytes_.data() + bytes_of((r + 1) * ld_);
      if (std::any_of(gap, end, [](std::byte b) { return b != std::byte{kMark}; })) {
        throw std::runtime_error("the op wrote behind the end of a row");
      }
    }
  }

 private:
  static constexpr uint8_t kMark = 0xA7;

  size_t bytes_of(int64_t n) const { return static_cast<size_t>(row_bytes(dtype_, n)); }
  void put(int64_t i, float value) {
    if (dtype_ == DType::f32) {
      std::memcpy(bytes_.data() + 4 * i, &value, 4);
    } else {
      const uint16_t half = dtype_ == DType::f16 ? f32_to_f16(value) : f32_to_bf16(value);
      std::memcpy(bytes_.data() + 2 * i, &half, 2);
    }
  }
  float at(int64_t i) const {
    if (dtype_ == DType::f32) {
      float value;
      std::memcpy(&value, bytes_.data() + 4 * i, 4);
      return value;
    }
    uint16_t half;
    std::memcpy(&half, bytes_.data() + 2 * i, 2);
    return dtype_ == DType::f16 ? f16_to_f32(half) : bf16_to_f32(half);
  }

  int64_t n_, width_, ld_;
  DType dtype_;
  Buffer bytes_;
};

}  // namespace tenon::test
