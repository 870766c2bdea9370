// linear: out_i [r, n_i] = (scale * (x W_i^T + bias_i)) + add. Every product is the chain of its weight's class; then
// acc + bias, acc * scale where it is not 1, add + acc, each rounded in f32, or nothing rounded before the end in
// exact64. out may be add.
#include "elementwise.hpp"

namespace tenon::reference {
namespace {

/// T: float, or double for class exact64.
template <class T>
class Linear final : public FileOrderKernel {
 public:
  explicit Linear(const OpView& op)
      : FileOrderKernel(op),
        params_(op.params<tenon_linear_params>()),
        quantized_(class_of(op.weights().first(params_.n_weights), op.numeric_class()) == TENON_CLASS_INT8) {
    for (uint32_t i = 0; i < params_.n_weights; ++i) {
      matrices_.push_back(matrix_of(op.weight(i), op.numeric_class()));
      total_rows_ += matrices_.back().rows;
    }
    k_ = matrices_.front().k;
  }

  uint64_t workspace_bytes(int64_t n_rows, uint32_t n_threads, int64_t) const override {
    return static_cast<uint64_t>(layout(nullptr, n_rows, n_threads).bytes);
  }

  Result<void> run(const tenon_run& run) const override {
    const Layout at = layout(run.workspace, run.n_rows, run.exec->n_threads);
    const auto input = at.x.fill(run, run.in[0], k_);
    if (!input) return input.error();
    // Rows of all weights in one go; neighbours in one task, so that workers rarely share a line of the result.
    constexpr int64_t kRowsPerTask = 16;
    return for_each_chunk(*run.exec, total_rows_, kRowsPerTask, [&](int64_t row, uint32_t worker) {
      multiply(run, *input, row, at.unpacked + worker * unpacked_stride(), at.acc + worker * acc_stride(run.n_rows));
    });
  }

 private:
  struct Layout {
    Prepared<T> x;
    std::byte* unpacked;  // a weight row for each worker
    T* acc;               // [n_rows] for each worker
    int64_t bytes;
  };

  // Padded so that the pieces of two workers share no cache line.
  int64_t unpacked_stride() const { return (unpacked_bytes(k_) + 63) / 64 * 64; }
  static int64_t acc_stride(int64_t n_rows) { return (n_rows + 15) / 16 * 16; }

  Layout layout(void* base, int64_t n_rows, uint32_t n_threads) const {
    Carver carver(base);
    Layout at{};
    at.x.carve(carver, n_rows, k_, quantized_);
    at.unpacked = carver.take<std::byte>(unpacked_stride() * n_threads);
    at.acc = carver.take<T>(acc_stride(n_rows) * n_threads);
    at.bytes = carver.bytes();
    return at;
  }

  /// `row` counts through the rows of all weights.
  void multiply(const tenon_run& run, const Input<T>& input, int64_t row, std::byte* unpacked, T* acc) const {
    uint32_t i = 0;
    while (row >= matrices_[i].rows) row -= matrices_[i++].rows;
    multiply_row(matrices_[i], bytes_of(run, i), row, input, unpacked, acc);
    const float* bias = vector_of(run, params_.n_weights + i);
    for (int64_t r = 0; r < run.n_rows; ++r) {
      T out = acc[r];
      if (bias != nullptr) out = out + T{bias[row]};
      if (params_.scale != 1.0f) out = out * T{params_.scale};
      if (params_.has_add != 0) out = T{row_of(run.in[1], r)[row]} + out;
      row_of(run.out[i], r)[row] = static_cast<float>(out);
    }
  }

  tenon_linear_params params_;
  bool quantized_;
  std::vector<Matrix> matrices_;
  int64_t total_rows_ = 0, k_ = 0;
};

tenon_support supports(const OpView& op) {
  const std::string problem = check_linear(op);
  if (!problem.empty()) return no(problem);
  const auto matrices = op.weights().first(op.params<tenon_linear_params>().n_weights);
  const uint32_t numeric_class = class_of(matrices, op.numeric_class());
  float n_weights = 0;
  for (const tenon_tensor& w : matrices) n_weights += static_cast<float>(rows_of(w) * row_width(w));
  return yes("linear_" + std::string(find_dtype(op.weight(0).dtype)->name) + "_" +
                 std::string(class_name(numeric_class)) + "_reference",
             numeric_class, n_weights);
}

std::unique_ptr<Kernel> create(const OpView& op) {
  return is_exact(op) ? make_kernel<Linear<double>>(op) : make_kernel<Linear<float>>(op);
}

}  // namespace

OpEntry linear_entry() { return {"linear", supports, create}; }

}  // namespace tenon::reference
