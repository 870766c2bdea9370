// What the ops of this backend share: the table entry, packing in file order, views of a run's buffers.
#pragma once

#include "weights.hpp"

#include <tenon/kernel.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::reference {

/// One op: whether it can be done (and the reason why not), and the kernel. `supports` and `create` see the same op.
struct OpEntry {
  std::string_view name;
  tenon_support (*supports)(const OpView& op);
  std::unique_ptr<Kernel> (*create)(const OpView& op);
};

OpEntry gather_entry();
OpEntry add_entry();
OpEntry mul_entry();
OpEntry reduce_mean_entry();
OpEntry softmax_entry();
OpEntry rms_norm_entry();
OpEntry layer_norm_entry();
OpEntry rope_entry();
OpEntry glu_entry();
OpEntry matmul_entry();
OpEntry linear_entry();
OpEntry moe_entry();
OpEntry attention_entry();

/// Keeps every weight as the file has it.
class FileOrderKernel : public Kernel {
 public:
  explicit FileOrderKernel(const OpView& op) : tensors_(op.weights().begin(), op.weights().end()) {}

  Result<tenon_pack_plan> pack_plan(uint32_t index) const override;
  Result<void> pack(uint32_t index, const void* source, void* packed, const tenon_exec& exec) const override;
  Result<void> unpack_rows(uint32_t index, const void* packed, std::span<const int32_t> rows, float* out,
                           int64_t ld) const override;

 protected:
  tenon_tensor tensor(uint32_t index) const { return index < tensors_.size() ? tensors_[index] : tenon_tensor{}; }

 private:
  std::vector<tenon_tensor> tensors_;
};

inline float* row_of(const tenon_buffer& buffer, int64_t row) {
  return static_cast<float*>(buffer.data) + row * buffer.ld;
}
inline const float* vector_of(const tenon_run& run, uint32_t weight) {
  return weight < run.n_weights ? static_cast<const float*>(run.weights[weight]) : nullptr;
}
inline const std::byte* bytes_of(const tenon_run& run, uint32_t weight) {
  return static_cast<const std::byte*>(run.weights[weight]);
}

/// The class of elementwise ops: exact64 where asked, else f32.
inline uint32_t elementwise_class(const OpView& op) {
  return op.numeric_class() == TENON_CLASS_EXACT64 ? TENON_CLASS_EXACT64 : TENON_CLASS_F32;
}

/// "" where the weight is a vector of f32 [width], else what is wrong with it.
std::string check_vector(const tenon_tensor& tensor, std::string_view what, int64_t width, bool may_be_absent);
/// "" where the weight can be multiplied in the asked class.
std::string check_matrix(const tenon_tensor& tensor, std::string_view what, uint32_t asked);

inline Matrix matrix_of(const tenon_tensor& tensor, uint32_t asked) {
  const auto dtype = static_cast<DType>(tensor.dtype);
  return {dtype, rows_of(tensor), row_width(tensor), class_for(dtype, asked)};
}

constexpr int64_t aligned64(int64_t bytes) { return (bytes + 63) / 64 * 64; }

/// Quantizes all rows of x into `blocks`, over the workers.
Result<void> quantize_rows(const float* x, int64_t ld, int64_t n_rows, int64_t k, ActBlock* blocks,
                           const tenon_exec& exec);

}  // namespace tenon::reference
