// Weights in the order of the file, and the three ways of multiplying a row by them.
#pragma once

#include <tenon/dtype.hpp>
#include <tenon/kernel.hpp>

#include <cstdint>
#include <vector>

namespace tenon::reference {

/// A row of activations quantized for the int8 class: per block of 32, q, its scale d and its sums.
struct ActBlock {
  int8_t q[32];
  float d;
  int32_t sum;       // of q
  int32_t sum16[2];  // of q[0..15] and q[16..31]
};

/// k is a multiple of 32.
void quantize_row(const float* x, int64_t k, ActBlock* blocks);

/// A weight block of 32 elements with integer codes: w[i] = scale * group scale * code - minimum.
struct WeightBlock {
  int8_t codes[32];
  float d;        // multiplies the integer sum
  float m;        // added m times for each q, for formats with one minimum a block
  int32_t sc[2];  // integer scales of the halves (q2_K, q3_K, q6_K), else 1
  int32_t mn[2];  // integer minima of the halves (q2_K); `m` multiplies them
  bool has_m, has_mn, has_sc;
};

/// Block `b` (of 32 elements) of a row in file order.
WeightBlock load_block(DType dtype, const std::byte* row, int64_t b);

/// One matrix as an op sees it: [rows, k] in file order.
struct Matrix {
  DType dtype = DType::f32;
  int64_t rows = 0;
  int64_t k = 0;
  uint32_t numeric_class = TENON_CLASS_F32;

  int64_t bytes_of_row() const { return row_bytes(dtype, k); }
};

/// Bytes of scratch that one worker needs to unpack a row of k elements.
int64_t scratch_bytes(int64_t k);

/// Rows of x as a matrix product takes them: plain, and quantized where the class is int8.
struct Rows {
  const float* x;
  int64_t ld;
  int64_t n_rows;
  const ActBlock* quantized;  // [n_rows, k / 32], or nullptr
};

/// out[r] = chain of row `row` of the matrix with row r of x, for all r; in the matrix' class. `scratch` as
/// scratch_bytes. `scratch` is unpacked once for all rows. exact64 keeps f64 until the end: `out` is f64, the caller
/// rounds.
void multiply_row(const Matrix& matrix, const std::byte* packed, int64_t row, const Rows& x, std::byte* scratch,
                  double* out);

/// The class that is computed for a weight when `asked`; 0 where the pair makes no sense.
uint32_t class_for(DType dtype, uint32_t asked);

}  // namespace tenon::reference
