#include "product.hpp"

#include "chains.hpp"

#include <tenon/dequantize.hpp>
#include <tenon/op_check.hpp>

#include <algorithm>

namespace tenon::reference {

Matrix matrix_of(const tenon_tensor& tensor, uint32_t asked) {
  if (is_absent(tensor)) return {};
  const auto dtype = static_cast<DType>(tensor.dtype);
  return {dtype, rows_of(tensor), row_width(tensor), class_of(dtype, asked)};
}

void multiply_row(const Matrix& matrix, const std::byte* packed, int64_t row, const Input<float>& input,
                  std::byte* scratch, float* out) {
  const std::byte* bytes = packed + row * matrix.bytes_of_row();
  if (matrix.numeric_class == TENON_CLASS_INT8) {
    auto* blocks = reinterpret_cast<WeightBlock*>(scratch);
    unpack_row(matrix.dtype, bytes, matrix.k, blocks);
    const Step step = step_of(matrix.dtype);
    const int64_t n_blocks = matrix.k / 32;
    for (int64_t i = 0; i < input.n; ++i) out[i] = dot(step, blocks, input.blocks + input.row(i) * n_blocks, n_blocks);
    return;
  }
  auto* w = reinterpret_cast<float*>(scratch);
  dequantize_row(matrix.dtype, bytes, w, matrix.k);
  for (int64_t i = 0; i < input.n; ++i) out[i] = dot(input.x + input.row(i) * input.ld, w, matrix.k);
}

void multiply_row(const Matrix& matrix, const std::byte* packed, int64_t row, const Input<double>& input,
                  std::byte* scratch, double* out) {
  auto* w = reinterpret_cast<float*>(scratch);
  dequantize_row(matrix.dtype, packed + row * matrix.bytes_of_row(), w, matrix.k);
  for (int64_t i = 0; i < input.n; ++i) out[i] = dot(input.x + input.row(i) * input.ld, w, matrix.k);
}

int64_t unpacked_bytes(int64_t k) {
  return std::max(k / 32 * static_cast<int64_t>(sizeof(WeightBlock)), k * static_cast<int64_t>(sizeof(float)));
}

}  // namespace tenon::reference
