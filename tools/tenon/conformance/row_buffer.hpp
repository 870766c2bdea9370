// Rows in memory as a run gets them.
#pragma once

#include <conformance/guarded_buffer.hpp>
#include <conformance/op_case.hpp>
#include <tenon/dtype.hpp>

#include <string>

namespace tenon::conformance {

/// On lines of 64 bytes, with a row stride wider than the row and marks (NaN, read as f32, f16 or bf16) in the gaps;
/// the last row ends before a guard page.
class RowBuffer {
 public:
  /// Elements from one row to the next.
  static constexpr int64_t stride_of(int64_t width) { return (width + 15) / 16 * 16 + 16; }

  /// `name`: "output 0".
  RowBuffer(int64_t n, int64_t width, DType dtype, const std::string& name);

  tenon_buffer view() { return {bytes_.data(), ld_}; }
  void set(const Rows& rows);
  Rows get() const;
  /// "" where only the rows were written, else what was.
  std::string overrun() const;

 private:
  size_t bytes_of(int64_t n) const { return static_cast<size_t>(row_bytes(dtype_, n)); }
  void put(int64_t i, float value);
  float at(int64_t i) const;

  int64_t n_, width_, ld_;
  DType dtype_;
  std::string name_;
  GuardedBuffer bytes_;
};

}  // namespace tenon::conformance
