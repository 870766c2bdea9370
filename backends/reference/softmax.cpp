// softmax: out [r, width] = softmax(scale * in). x = scale * in, m = max x, e = exp(x - m), times 1 / the eight-way sum
// of e; all in f32, or all in f64 and rounded once.
#include "elementwise.hpp"

namespace tenon::reference {
namespace {

/// T: float, or double for class exact64.
template <class T>
class Softmax final : public FileOrderKernel {
 public:
  explicit Softmax(const OpView& op) : FileOrderKernel(op), params_(op.params<tenon_rowwise_params>()) {}

  uint64_t workspace_bytes(int64_t, uint32_t n_threads, int64_t) const override {
    return static_cast<uint64_t>(worker_bytes()) * n_threads;
  }

  Result<void> run(const tenon_run& run) const override {
    return parallel_for(*run.exec, run.n_rows, [&](int64_t r, uint32_t worker) {
      auto* x = Carver(static_cast<std::byte*>(run.workspace) + worker * worker_bytes()).take<T>(params_.width);
      const float* in = row_of(run.in[0], r);
      float* out = row_of(run.out[0], r);
      for (int64_t i = 0; i < params_.width; ++i) x[i] = T{in[i]} * T{params_.scale};
      softmax(x, params_.width);
      for (int64_t i = 0; i < params_.width; ++i) out[i] = static_cast<float>(x[i]);
    });
  }

 private:
  int64_t worker_bytes() const {
    Carver carver(nullptr);
    carver.take<T>(params_.width);
    return carver.bytes();
  }

  tenon_rowwise_params params_;
};

tenon_support supports(const OpView& op) {
  return elementwise_answer(op, check_rowwise(op), 4 * op.params<tenon_rowwise_params>().width);
}

std::unique_ptr<Kernel> create(const OpView& op) {
  return is_exact(op) ? make_kernel<Softmax<double>>(op) : make_kernel<Softmax<float>>(op);
}

}  // namespace

OpEntry softmax_entry() { return {"softmax", supports, create}; }

}  // namespace tenon::reference
