// Weights in panels, seen from the ops: shapes, packing, rows back, and the products of a slice of outputs.
#pragma once

#include "layout.hpp"

#include <tenon/op_check.hpp>
#include <tenon/op_table.hpp>
#include <tenon/run_view.hpp>

#include <string>
#include <vector>

namespace tenon::panels {

/// A weight of n_groups stacked matrices [rows, k] (experts; one where there are none), each in panels of its own.
struct Matrix {
  const PanelFormat* format = nullptr;
  int64_t n_groups = 0, rows = 0, k = 0;
  bool in_f32 = false;  // a block format that is dequantized and multiplied in the class f32

  int64_t n_panels() const { return (rows + kPanel - 1) / kPanel; }
  int64_t panel_bytes() const { return k / format->unit_elements * format->unit_bytes; }
  int64_t group_bytes() const { return n_panels() * panel_bytes(); }
  bool is_int8() const { return format != nullptr && !in_f32 && is_quantized(format->dtype); }
  PanelKernel kernel() const { return in_f32 ? format->kernel_f32 : format->kernel; }
  const uint8_t* group(const std::byte* packed, int64_t index) const {
    return reinterpret_cast<const uint8_t*>(packed) + index * group_bytes();
  }
};

/// The absent matrix (no format) where the tensor is absent. `asked`: the op's class.
Matrix matrix_of(const tenon_tensor& tensor, int64_t n_groups, uint32_t asked);

/// Packs the matrices that use_panels was called for into panels and keeps all other weights as the file has them.
class PanelOp : public Kernel {
 public:
  Result<tenon_pack_plan> pack_plan(uint32_t index) const override;
  Result<void> pack(uint32_t index, const void* source, void* packed, const tenon_exec& exec) const override;
  Result<void> unpack_rows(uint32_t index, const void* packed, std::span<const int32_t> rows, float* out,
                           int64_t ld) const override;

 protected:
  explicit PanelOp(const OpView& op)
      : tensors_(op.weights().begin(), op.weights().end()), matrices_(tensors_.size()), asked_(op.numeric_class()) {}

  /// To be called for each matrix before the first pack_plan.
  void use_panels(uint32_t index, int64_t n_groups = 1) {
    matrices_[index] = matrix_of(tensor(index), n_groups, asked_);
  }
  const Matrix& matrix(uint32_t index) const { return matrices_[index]; }
  tenon_tensor tensor(uint32_t index) const { return index < tensors_.size() ? tensors_[index] : tenon_tensor{}; }

 private:
  Result<void> check_index(uint32_t index) const;

  std::vector<tenon_tensor> tensors_;
  std::vector<Matrix> matrices_;
  uint32_t asked_;
};

/// yes with the name <op>_<weight>_<class>_<isa>. `has_blocks`: some weight is of a block format, so that the class is
/// int8 where f32 is not asked. `cost`: multiply-adds a row, or elements for ops without products.
tenon_support answer(const OpView& op, const std::string& problem, std::string_view weight, bool has_blocks,
                     int64_t cost);

}  // namespace tenon::panels
