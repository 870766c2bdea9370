// reduce_mean: out [r, 1] = mean of in [r, width]; the eight-way sum in f64, rounded once, in every class.
#include "elementwise.hpp"

namespace tenon::reference {
namespace {

class ReduceMean final : public FileOrderKernel {
 public:
  explicit ReduceMean(const OpView& op) : FileOrderKernel(op), width_(op.params<tenon_rowwise_params>().width) {}

  Result<void> run(const tenon_run& run) const override {
    return for_each_row(run, [&](int64_t r) {
      const float* x = row_of(run.in[0], r);
      const double sum = eight_way_sum<double>(width_, [&](int64_t i) { return double{x[i]}; });
      *row_of(run.out[0], r) = static_cast<float>(sum / static_cast<double>(width_));
    });
  }

 private:
  int64_t width_;
};

tenon_support supports(const OpView& op) {
  return elementwise_answer(op, check_rowwise(op), op.params<tenon_rowwise_params>().width);
}

}  // namespace

OpEntry reduce_mean_entry() { return {"reduce_mean", supports, make_kernel<ReduceMean>}; }

}  // namespace tenon::reference
