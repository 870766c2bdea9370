// What the ops of this backend share: the list of them, packing in file order, inputs as products read them.
#pragma once

#include "product.hpp"

#include <tenon/kernel.hpp>
#include <tenon/op_table.hpp>
#include <tenon/run_view.hpp>

#include <memory>
#include <vector>

namespace tenon::reference {

OpEntry gather_entry();
OpEntry add_entry();
OpEntry mul_entry();
OpEntry reduce_mean_entry();
OpEntry softmax_entry();
OpEntry rms_norm_entry();
OpEntry layer_norm_entry();
OpEntry rope_entry();
OpEntry glu_entry();
OpEntry softcap_entry();
OpEntry matmul_entry();
OpEntry linear_entry();
OpEntry ffn_entry();
OpEntry moe_entry();
OpEntry attention_entry();

/// Keeps every weight as the file has it: layout "rows/<dtype>/1".
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
  Result<void> check_index(uint32_t index) const;

  std::vector<tenon_tensor> tensors_;
};

/// x [n_rows, k] as the products of an op read it: widened in class exact64, quantized where a matrix is int8.
template <class T>
struct Prepared {
  T* widened = nullptr;
  ActBlock* blocks = nullptr;

  void carve(Carver& carver, int64_t n_rows, int64_t k, bool quantized) {
    if constexpr (sizeof(T) == sizeof(double)) widened = carver.take<T>(n_rows * k);
    if (quantized) blocks = carver.take<ActBlock>(n_rows * (k / 32));
  }
  /// Fills and gives the input; every row takes part.
  Result<Input<T>> fill(const tenon_run& run, const tenon_buffer& x, int64_t k) const {
    Input<T> input{nullptr, x.ld, blocks, run.n_rows, nullptr};
    const auto done = for_each_row(run, [&](int64_t r) {
      if (widened != nullptr) {
        for (int64_t i = 0; i < k; ++i) widened[r * k + i] = row_of(x, r)[i];
      }
      if (blocks != nullptr) quantize_row(row_of(x, r), k, blocks + r * (k / 32));
    });
    if (!done) return done.error();
    if constexpr (sizeof(T) == sizeof(double)) {
      input.x = widened;
      input.ld = k;
    } else {
      input.x = row_of(x, 0);
    }
    return input;
  }
};

}  // namespace tenon::reference
