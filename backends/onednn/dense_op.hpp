// Weights for a library that multiplies f32 alone: f32 as the file has it; other formats in the order of the file with
// an expanded copy where the host's dense cache holds it, else expanded slice by slice into workspace. The same numbers
// are multiplied in the same slices either way.
#pragma once

#include <tenon/op_contract.hpp>
#include <tenon/op_table.hpp>
#include <tenon/run_view.hpp>

#include <vector>

namespace tenon::onednn {

/// Outputs of one task. Fixed, so that the bits do not depend on the number of threads.
inline constexpr int64_t kSlice = 64;

/// n_parts stacked matrices [rows, k].
struct Matrix {
  DType dtype = DType::f32;
  int64_t n_parts = 0, rows = 0, k = 0;

  bool expands() const { return dtype != DType::f32; }
  int64_t dense_bytes() const { return (rows * k * 4 + 63) / 64 * 64; }
  int64_t n_slices() const { return (rows + kSlice - 1) / kSlice; }
};

class DenseOp : public Kernel {
 public:
  Result<tenon_pack_plan> pack_plan(uint32_t index) const override;
  Result<void> pack(uint32_t index, const void* source, void* packed, const tenon_exec& exec) const override;
  Result<void> unpack_rows(uint32_t index, const void* packed, std::span<const int32_t> rows, float* out,
                           int64_t ld) const override;
  Result<void> expand(uint32_t index, uint32_t part, const void* packed, void* dense,
                      const tenon_exec& exec) const override;

 protected:
  explicit DenseOp(const OpView& op) : tensors_(op.weights().begin(), op.weights().end()), matrices_(tensors_.size()) {}
  /// To be called for each matrix. Absent ones stay empty.
  void use_matrix(uint32_t index, int64_t n_parts = 1);
  const Matrix& matrix(uint32_t index) const { return matrices_[index]; }

  /// Rows [first, first + n) of a part as f32 [n, k]: in place, from the cache, or expanded into scratch [n, k].
  const float* rows_of_part(const tenon_run& run, uint32_t index, int64_t part, int64_t first, int64_t n,
                            float* scratch) const;
  /// Floats of scratch that rows_of_part needs for a slice of any matrix of this op.
  int64_t scratch_floats() const;

 private:
  std::vector<tenon_tensor> tensors_;
  std::vector<Matrix> matrices_;
};

/// yes, class other, bits of a row depending on the number of rows.
tenon_support answer(const OpView& op, const std::string& problem, DType weight, int64_t multiply_adds);

OpEntry matmul_entry();
OpEntry linear_entry();
OpEntry moe_entry();

}  // namespace tenon::onednn
