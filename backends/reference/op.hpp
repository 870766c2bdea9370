// What the ops of this backend share: the table's entry, packing in file order, views of a run's buffers, workspace.
#pragma once

#include "product.hpp"

#include <tenon/kernel.hpp>

#include <memory>
#include <string_view>
#include <vector>

namespace tenon::reference {

/// One op: whether it can be done, with the reason why not, and the kernel. create is called after supports said yes.
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
OpEntry softcap_entry();
OpEntry matmul_entry();
OpEntry linear_entry();
OpEntry ffn_entry();
OpEntry moe_entry();
OpEntry attention_entry();

template <class K>
std::unique_ptr<Kernel> make_kernel(const OpView& op) {
  return std::make_unique<K>(op);
}

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

// ---- a run's buffers

inline float* row_of(const tenon_buffer& buffer, int64_t row) {
  return static_cast<float*>(buffer.data) + row * buffer.ld;
}
/// nullptr where the weight is absent.
inline const std::byte* bytes_of(const tenon_run& run, uint32_t weight) {
  return weight < run.n_weights ? static_cast<const std::byte*>(run.weights[weight]) : nullptr;
}
inline const float* vector_of(const tenon_run& run, uint32_t weight) {
  return reinterpret_cast<const float*>(bytes_of(run, weight));
}

/// f(row) for every row of the run, over the workers.
template <class F>
Result<void> for_each_row(const tenon_run& run, F&& f) {
  return parallel_for(*run.exec, run.n_rows, [&](int64_t row, uint32_t) { f(row); });
}

/// f(index, worker) for index in [0, n), in tasks of `grain` neighbours.
template <class F>
Result<void> for_each_chunk(const tenon_exec& exec, int64_t n, int64_t grain, F&& f) {
  return parallel_for(exec, (n + grain - 1) / grain, [&](int64_t task, uint32_t worker) {
    const int64_t end = (task + 1) * grain < n ? (task + 1) * grain : n;
    for (int64_t i = task * grain; i < end; ++i) f(i, worker);
  });
}

/// Hands out pieces of workspace on cache lines. With base nullptr it only counts: the same code asks for the bytes at
/// plan time and takes them in run.
class Carver {
 public:
  explicit Carver(void* base) : base_(static_cast<std::byte*>(base)) {}

  template <class T>
  T* take(int64_t n) {
    std::byte* at = base_ == nullptr ? nullptr : base_ + bytes_;
    bytes_ += (n * static_cast<int64_t>(sizeof(T)) + 63) / 64 * 64;
    return reinterpret_cast<T*>(at);
  }
  int64_t bytes() const { return bytes_; }

 private:
  std::byte* base_;
  int64_t bytes_ = 0;
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
