// One weight row times many activation rows: what linear, ffn and moe are made of.
#pragma once

#include "quantize.hpp"

#include <tenon/dtype.hpp>
#include <tenon/kernel.hpp>

#include <cstddef>
#include <cstdint>

namespace tenon::reference {

/// A weight as an op sees it: [rows, k] in file order, leading dimensions flattened.
struct Matrix {
  DType dtype = DType::f32;
  int64_t rows = 0;
  int64_t k = 0;
  uint32_t numeric_class = TENON_CLASS_F32;  // f32, int8 or exact64

  int64_t bytes_of_row() const { return row_bytes(dtype, k); }
};

Matrix matrix_of(const tenon_tensor& tensor, uint32_t asked);

/// Activations [.., k]. T is double in class exact64, else float.
template <class T>
struct Input {
  const T* x = nullptr;
  int64_t ld = 0;
  const ActBlock* blocks = nullptr;  // [.., k / 32]: the same rows quantized, where an int8 matrix reads them
  int64_t n = 0;                     // rows that take part
  const int32_t* rows = nullptr;     // [n] which they are; nullptr: 0 .. n - 1

  int64_t row(int64_t i) const { return rows == nullptr ? i : rows[i]; }
};

/// out[i] = row `row` of the matrix times input row i, for i < n. The weight row is unpacked once. `packed` is the
/// whole matrix, `scratch` has unpacked_bytes(k).
void multiply_row(const Matrix& matrix, const std::byte* packed, int64_t row, const Input<float>& input,
                  std::byte* scratch, float* out);
void multiply_row(const Matrix& matrix, const std::byte* packed, int64_t row, const Input<double>& input,
                  std::byte* scratch, double* out);

/// Bytes that an unpacked row of k elements takes in any class.
int64_t unpacked_bytes(int64_t k);

}  // namespace tenon::reference
