// linear: out_i [r, n_i] = (scale * (x W_i^T + bias_i)) + add, in slices of 64 outputs.
#include "dense_op.hpp"
#include "gemm.hpp"

namespace tenon::onednn {
namespace {

class Linear final : public DenseOp {
 public:
  explicit Linear(const OpView& op) : DenseOp(op), params_(op.params<tenon_linear_params>()) {
    for (uint32_t i = 0; i < params_.n_weights; ++i) use_matrix(i);
  }

  uint64_t workspace_bytes(int64_t n_rows, uint32_t n_threads, int64_t) const override {
    return static_cast<uint64_t>(scratch(nullptr, n_rows).bytes) * n_threads;
  }

  Result<void> run(const tenon_run& run) const override {
    int64_t n_tasks = 0;
    for (uint32_t i = 0; i < params_.n_weights; ++i) n_tasks += matrix(i).n_slices();
    return parallel_for(*run.exec, n_tasks, [&](int64_t task, uint32_t worker) {
      uint32_t i = 0;
      while (task >= matrix(i).n_slices()) task -= matrix(i++).n_slices();
      const int64_t bytes = scratch(nullptr, run.n_rows).bytes;
      run_slice(run, i, task * kSlice, scratch(static_cast<std::byte*>(run.workspace) + worker * bytes, run.n_rows));
    });
  }

 private:
  struct Scratch {
    float *expanded, *product;  // [slice, k], [n_rows, slice]
    int64_t bytes;
  };
  Scratch scratch(std::byte* base, int64_t n_rows) const {
    Carver carver(base);
    float* expanded = carver.take<float>(scratch_floats());
    float* product = carver.take<float>(n_rows * kSlice);
    return {expanded, product, carver.bytes()};
  }

  void run_slice(const tenon_run& run, uint32_t i, int64_t first, const Scratch& s) const {
    const Matrix& m = matrix(i);
    const int64_t n = std::min(kSlice, m.rows - first);
    const float* w = rows_of_part(run, i, 0, first, n, s.expanded);
    multiply(run.n_rows, n, m.k, row_of(run.in[0], 0), run.in[0].ld, w, m.k, true, s.product, kSlice);
    const float* bias = vector_of(run, params_.n_weights + i);
    for (int64_t r = 0; r < run.n_rows; ++r) {
      float* out = row_of(run.out[i], r) + first;
      const float* add = params_.has_add != 0 ? row_of(run.in[1], r) + first : nullptr;
      for (int64_t j = 0; j < n; ++j) {
        float value = s.product[r * kSlice + j];
        if (bias != nullptr) value += bias[first + j];
        if (params_.scale != 1.0f) value *= params_.scale;
        out[j] = add == nullptr ? value : add[j] + value;
      }
    }
  }

  tenon_linear_params params_;
};

tenon_support supports(const OpView& op) {
  const std::string problem = check_linear(op);
  if (!problem.empty()) return no(problem);
  int64_t multiply_adds = 0;
  for (const tenon_tensor& w : op.weights().first(op.params<tenon_linear_params>().n_weights)) {
    multiply_adds += rows_of(w) * row_width(w);
  }
  return answer(op, problem, static_cast<DType>(op.weight(0).dtype), multiply_adds);
}

}  // namespace

OpEntry linear_entry() { return {"linear", supports, make_kernel<Linear>}; }

}  // namespace tenon::onednn
