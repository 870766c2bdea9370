// reduce_mean: out [r, 1] = mean of in [r, width]. softmax: out [r, width] = softmax(scale * in).
#include "ops.hpp"
#include "packed.hpp"
#include "row_kernels.hpp"

#include <tenon/op_contract.hpp>

namespace tenon::panels {
namespace {

class ReduceMean final : public PanelOp {
 public:
  explicit ReduceMean(const OpView& op) : PanelOp(op), width_(op.params<tenon_rowwise_params>().width) {}
  Result<void> run(const tenon_run& run) const override {
    return for_each_row(run, [&](int64_t r) { *row_of(run.out[0], r) = mean_of_row(row_of(run.in[0], r), width_); });
  }

 private:
  int64_t width_;
};

class Softmax final : public PanelOp {
 public:
  explicit Softmax(const OpView& op) : PanelOp(op), params_(op.params<tenon_rowwise_params>()) {}
  Result<void> run(const tenon_run& run) const override {
    return for_each_row(run, [&](int64_t r) {
      float* out = row_of(run.out[0], r);
      if (out != row_of(run.in[0], r)) std::copy_n(row_of(run.in[0], r), params_.width, out);
      softmax_row(out, params_.width, params_.scale);
    });
  }

 private:
  tenon_rowwise_params params_;
};

tenon_support supports(const OpView& op) {
  return answer(op, check_rowwise(op), "", false, 4 * op.params<tenon_rowwise_params>().width);
}

}  // namespace

OpEntry reduce_mean_entry() { return {"reduce_mean", supports, make_kernel<ReduceMean>}; }
OpEntry softmax_entry() { return {"softmax", supports, make_kernel<Softmax>}; }

}  // namespace tenon::panels
