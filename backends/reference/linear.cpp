// linear: out_i = scale * (x W_i^T + bias_i) + add. matmul: out = a b with b [K, N].
#include "op.hpp"

#include <tenon/convert.hpp>

#include <algorithm>
#include <cmath>

namespace tenon::reference {
namespace {

class Linear final : public FileOrderKernel {
 public:
  explicit Linear(const OpView& op) : FileOrderKernel(op), params_(op.params<tenon_linear_params>()) {
    for (uint32_t i = 0; i < params_.n_weights; ++i) {
      matrices_.push_back(matrix_of(op.weight(i), op.numeric_class()));
      has_int8_ |= matrices_.back().numeric_class == TENON_CLASS_INT8;
      total_rows_ += matrices_.back().rows;
    }
    k_ = matrices_.front().k;
  }

  uint64_t workspace_bytes(int64_t n_rows, uint32_t n_threads, int64_t) const override {
    return static_cast<uint64_t>(quantized_bytes(n_rows) + worker_bytes(n_rows) * n_threads);
  }

  Result<void> run(const tenon_run& run) const override {
    auto* workspace = static_cast<std::byte*>(run.workspace);
    Rows x{row_of(run.in[0], 0), run.in[0].ld, run.n_rows, nullptr};
    if (has_int8_) {
      auto* blocks = reinterpret_cast<ActBlock*>(workspace);
      x.quantized = blocks;
      const auto done = quantize_rows(x.x, x.ld, run.n_rows, k_, blocks, *run.exec);
      if (!done) return done;
    }
    std::byte* scratch = workspace + quantized_bytes(run.n_rows);
    // Tasks of a few rows each, over all weights in one go.
    const int64_t n_tasks = (total_rows_ + kRowsPerTask - 1) / kRowsPerTask;
    return parallel_for(*run.exec, n_tasks, [&](int64_t task, uint32_t worker) {
      const int64_t end = std::min(total_rows_, (task + 1) * kRowsPerTask);
      for (int64_t row = task * kRowsPerTask; row < end; ++row) {
        multiply(run, x, row, scratch + worker * worker_bytes(run.n_rows));
      }
    });
  }

 private:
  static constexpr int64_t kRowsPerTask = 16;

  int64_t quantized_bytes(int64_t n_rows) const {
    return has_int8_ ? aligned64(n_rows * (k_ / 32) * static_cast<int64_t>(sizeof(ActBlock))) : 0;
  }
  int64_t worker_bytes(int64_t n_rows) const {
    return scratch_bytes(k_) + aligned64(n_rows * static_cast<int64_t>(sizeof(double)));
  }

  /// `row` counts through the rows of all weights.
  void multiply(const tenon_run& run, const Rows& x, int64_t row, std::byte* scratch) const {
    uint32_t i = 0;
    while (row >= matrices_[i].rows) row -= matrices_[i++].rows;
    auto* sums = reinterpret_cast<double*>(scratch + scratch_bytes(k_));
    multiply_row(matrices_[i], bytes_of(run, i), row, x, scratch, sums);
    const float* bias = vector_of(run, params_.n_weights + i);
    const bool exact = matrices_[i].numeric_class == TENON_CLASS_EXACT64;
    for (int64_t r = 0; r < run.n_rows; ++r) {
      const float* add = params_.has_add != 0 ? row_of(run.in[1], r) + row : nullptr;
      float& out = row_of(run.out[i], r)[row];
      out =
          exact ? finish<double>(sums[r], bias, row, add) : finish<float>(static_cast<float>(sums[r]), bias, row, add);
    }
  }

  template <class T>
  float finish(T acc, const float* bias, int64_t row, const float* add) const {
    if (bias != nullptr) acc = acc + static_cast<T>(bias[row]);
    if (params_.scale != 1.0f) acc = acc * static_cast<T>(params_.scale);
    if (add != nullptr) acc = static_cast<T>(*add) + acc;
    return static_cast<float>(acc);
  }

  tenon_linear_params params_;
  std::vector<Matrix> matrices_;
  bool has_int8_ = false;
  int64_t total_rows_ = 0, k_ = 0;
};

std::string_view class_suffix(uint32_t numeric_class) {
  return numeric_class == TENON_CLASS_INT8 ? "int8" : numeric_class == TENON_CLASS_EXACT64 ? "f64" : "f32";
}

tenon_support linear_supports(const OpView& op) {
  const auto params = op.params<tenon_linear_params>();
  if (params.n_weights < 1 || params.n_weights > 4) return no("linear takes 1 to 4 weights");
  uint32_t numeric_class = 0;
  float cost = 0;
  for (uint32_t i = 0; i < params.n_weights; ++i) {
    std::string problem = check_matrix(op.weight(i), "weight " + std::to_string(i), op.numeric_class());
    if (problem.empty()) problem = check_vector(op.weight(params.n_weights + i), "a bias", rows_of(op.weight(i)), true);
    if (!problem.empty()) return no(problem);
    const Matrix matrix = matrix_of(op.weight(i), op.numeric_class());
    if (numeric_class != TENON_CLASS_INT8) numeric_class = matrix.numeric_class;
    cost += static_cast<float>(matrix.rows * matrix.k);
  }
  const std::string dtype(find_dtype(op.weight(0).dtype)->name);
  return yes("linear_" + dtype + "_" + std::string(class_suffix(numeric_class)) + "_reference", numeric_class, cost);
}

/// b [K, N] in file order; f32 chain over ascending k, or f64. Data and result are of one dtype.
class Matmul final : public FileOrderKernel {
 public:
  explicit Matmul(const OpView& op)
      : FileOrderKernel(op),
        dtype_(static_cast<DType>(op.weight(0).dtype)),
        k_(op.weight(0).dims[0]),
        n_(op.weight(0).dims[1]),
        exact_(op.numeric_class() == TENON_CLASS_EXACT64) {}

  Result<void> run(const tenon_run& run) const override {
    return parallel_for(*run.exec, run.n_rows, [&](int64_t row, uint32_t) {
      for (int64_t j = 0; j < n_; ++j)
        store(run.out[0], row, j, exact_ ? dot<double>(run, row, j) : dot<float>(run, row, j));
    });
  }

 private:
  float load(const void* data, int64_t i) const {
    if (dtype_ == DType::f32) return static_cast<const float*>(data)[i];
    const uint16_t half = static_cast<const uint16_t*>(data)[i];
    return dtype_ == DType::f16 ? f16_to_f32(half) : bf16_to_f32(half);
  }

  void store(const tenon_buffer& out, int64_t row, int64_t j, double value) const {
    const auto single = static_cast<float>(value);
    if (dtype_ == DType::f32) {
      static_cast<float*>(out.data)[row * out.ld + j] = single;
    } else {
      static_cast<uint16_t*>(out.data)[row * out.ld + j] =
          dtype_ == DType::f16 ? f32_to_f16(single) : f32_to_bf16(single);
    }
  }

  template <class T>
  T dot(const tenon_run& run, int64_t row, int64_t j) const {
    T acc = 0;
    for (int64_t i = 0; i < k_; ++i) {
      acc = std::fma(static_cast<T>(load(run.in[0].data, row * run.in[0].ld + i)),
                     static_cast<T>(load(run.weights[0], i * n_ + j)), acc);
    }
    return acc;
  }

  DType dtype_;
  int64_t k_, n_;
  bool exact_;
};

tenon_support matmul_supports(const OpView& op) {
  const auto params = op.params<tenon_matmul_params>();
  const tenon_tensor b = op.weight(0);
  if (b.rank != 2 || b.dtype != params.dtype || b.dtype > TENON_BF16)
    return no("matmul takes b [K, N] of f32, f16 or bf16, like a");
  return yes("matmul_" + std::string(find_dtype(b.dtype)->name) + "_reference", elementwise_class(op),
             static_cast<float>(b.dims[0] * b.dims[1]));
}

}  // namespace

OpEntry linear_entry() {
  return {"linear", linear_supports,
          [](const OpView& op) -> std::unique_ptr<Kernel> { return std::make_unique<Linear>(op); }};
}
OpEntry matmul_entry() {
  return {"matmul", matmul_supports,
          [](const OpView& op) -> std::unique_ptr<Kernel> { return std::make_unique<Matmul>(op); }};
}

}  // namespace tenon::reference
