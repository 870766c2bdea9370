// matmul: out [M, N] = a [M, K] * b [K, N], all of one dtype (f32, f16 or bf16). Each output is the f32 chain over
// ascending k, or the f64 sum, rounded once to the dtype. Rows of b are widened one at a time, for all rows of a task.
#include "elements.hpp"
#include "elementwise.hpp"

#include <tenon/dequantize.hpp>

#include <algorithm>

namespace tenon::reference {
namespace {

/// T: float, or double for class exact64.
template <class T>
class Matmul final : public FileOrderKernel {
 public:
  explicit Matmul(const OpView& op)
      : FileOrderKernel(op),
        dtype_(static_cast<DType>(op.weight(0).dtype)),
        k_(op.weight(0).dims[0]),
        n_(op.weight(0).dims[1]) {}

  uint64_t workspace_bytes(int64_t, uint32_t n_threads, int64_t) const override {
    return static_cast<uint64_t>(scratch(nullptr).bytes) * n_threads;
  }

  Result<void> run(const tenon_run& run) const override {
    const int64_t n_tasks = (run.n_rows + kRowsPerTask - 1) / kRowsPerTask;
    return parallel_for(*run.exec, n_tasks, [&](int64_t task, uint32_t worker) {
      const int64_t first = task * kRowsPerTask, last = std::min(run.n_rows, first + kRowsPerTask);
      multiply(run, first, last, scratch(static_cast<std::byte*>(run.workspace) + worker * scratch(nullptr).bytes));
    });
  }

 private:
  static constexpr int64_t kRowsPerTask = 8;

  struct Scratch {
    T* acc;      // [kRowsPerTask, N]
    float* row;  // [N]: one row of b
    int64_t bytes;
  };
  Scratch scratch(std::byte* base) const {
    Carver carver(base);
    T* acc = carver.take<T>(kRowsPerTask * n_);
    float* row = carver.take<float>(n_);
    return {acc, row, carver.bytes()};
  }

  void multiply(const tenon_run& run, int64_t first, int64_t last, const Scratch& s) const {
    std::fill_n(s.acc, (last - first) * n_, T{0});
    for (int64_t k = 0; k < k_; ++k) {
      dequantize_row(dtype_, bytes_of(run, 0) + row_bytes(dtype_, k * n_), s.row, n_);
      for (int64_t r = first; r < last; ++r) {
        add_scaled(T{load_element(dtype_, run.in[0].data, r * run.in[0].ld + k)}, s.row, n_, s.acc + (r - first) * n_);
      }
    }
    for (int64_t r = first; r < last; ++r) {
      for (int64_t j = 0; j < n_; ++j) {
        store_element(dtype_, static_cast<float>(s.acc[(r - first) * n_ + j]), run.out[0].data, r * run.out[0].ld + j);
      }
    }
  }

  DType dtype_;
  int64_t k_, n_;
};

tenon_support supports(const OpView& op) {
  const std::string problem = check_matmul(op);
  if (!problem.empty()) return no(problem);
  const tenon_tensor b = op.weight(0);
  const uint32_t numeric_class = elementwise_class(op);
  return yes(
      "matmul_" + std::string(find_dtype(b.dtype)->name) + "_" + std::string(class_name(numeric_class)) + "_reference",
      numeric_class, static_cast<float>(b.dims[0] * b.dims[1]));
}

std::unique_ptr<Kernel> create(const OpView& op) {
  return is_exact(op) ? make_kernel<Matmul<double>>(op) : make_kernel<Matmul<float>>(op);
}

}  // namespace

OpEntry matmul_entry() { return {"matmul", supports, create}; }

}  // namespace tenon::reference
