// reduce_mean: out [r, 1] = mean of in [r, width], by 32 partial sums.
#include "elementwise.hpp"

namespace tenon::reference {
namespace {

/// T: float, or double for class exact64.
template <class T>
class ReduceMean final : public FileOrderKernel {
 public:
  explicit ReduceMean(const OpView& op) : FileOrderKernel(op), width_(op.params<tenon_rowwise_params>().width) {}

  Result<void> run(const tenon_run& run) const override {
    return for_each_row(run, [&](int64_t r) {
      *row_of(run.out[0], r) = static_cast<float>(sum_of(row_of(run.in[0], r)) / static_cast<T>(width_));
    });
  }

 private:
  T sum_of(const float* x) const {
    T p[32] = {};
    for (int64_t i = 0; i < width_; ++i) p[i % 32] += T{x[i]};
    return eight_way_sum<T>(8, [&](int64_t j) { return (p[j] + p[j + 16]) + (p[j + 8] + p[j + 24]); });
  }

  int64_t width_;
};

tenon_support supports(const OpView& op) {
  return elementwise_answer(op, check_rowwise(op), op.params<tenon_rowwise_params>().width);
}

std::unique_ptr<Kernel> create(const OpView& op) {
  return is_exact(op) ? make_kernel<ReduceMean<double>>(op) : make_kernel<ReduceMean<float>>(op);
}

}  // namespace

OpEntry reduce_mean_entry() { return {"reduce_mean", supports, create}; }

}  // namespace tenon::reference
