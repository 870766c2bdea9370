#include <conformance/row_buffer.hpp>
#include <tenon/convert.hpp>

#include <algorithm>
#include <cstring>

namespace tenon::conformance {
namespace {

constexpr std::byte kMark{0xFF};

/// Elements from the start to the end of the last row.
int64_t extent(int64_t n, int64_t width) { return n == 0 ? 0 : (n - 1) * RowBuffer::stride_of(width) + width; }

}  // namespace

RowBuffer::RowBuffer(int64_t n, int64_t width, DType dtype, const std::string& name)
    : n_(n),
      width_(width),
      ld_(stride_of(width)),
      dtype_(dtype),
      name_(name),
      bytes_(bytes_of(extent(n, width)), kMark, name) {}

void RowBuffer::set(const Rows& rows) {
  for (int64_t r = 0; r < n_; ++r) {
    for (int64_t i = 0; i < width_; ++i) put(r * ld_ + i, rows.values[static_cast<size_t>(r * width_ + i)]);
  }
}

Rows RowBuffer::get() const {
  Rows rows = Rows::zeros(n_, width_);
  for (int64_t r = 0; r < n_; ++r) {
    for (int64_t i = 0; i < width_; ++i) rows.values[static_cast<size_t>(r * width_ + i)] = at(r * ld_ + i);
  }
  return rows;
}

std::string RowBuffer::overrun() const {
  for (int64_t r = 0; r + 1 < n_; ++r) {
    const std::byte* gap = bytes_.data() + bytes_of(r * ld_ + width_);
    const std::byte* end = bytes_.data() + bytes_of((r + 1) * ld_);
    if (std::any_of(gap, end, [](std::byte b) { return b != kMark; })) {
      return "it wrote behind the end of row " + std::to_string(r) + " of " + name_;
    }
  }
  return bytes_.overrun();
}

void RowBuffer::put(int64_t i, float value) {
  if (dtype_ == DType::f32) {
    std::memcpy(bytes_.data() + 4 * i, &value, 4);
  } else {
    const uint16_t half = dtype_ == DType::f16 ? f32_to_f16(value) : f32_to_bf16(value);
    std::memcpy(bytes_.data() + 2 * i, &half, 2);
  }
}

float RowBuffer::at(int64_t i) const {
  if (dtype_ == DType::f32) {
    float value;
    std::memcpy(&value, bytes_.data() + 4 * i, 4);
    return value;
  }
  uint16_t half;
  std::memcpy(&half, bytes_.data() + 2 * i, 2);
  return dtype_ == DType::f16 ? f16_to_f32(half) : bf16_to_f32(half);
}

}  // namespace tenon::conformance
