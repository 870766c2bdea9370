// reduce_mean: out [r, 1] = mean of in [r, width]. softmax: out [r, width] = softmax(scale * in).
#include "ops.hpp"
#include "packed.hpp"
#include "row_kernels.hpp"
#include "small_rows.hpp"

#include <tenon/op_contract.hpp>

namespace tenon::panels {
namespace {

class ReduceMean final : public PanelOp {
 public:
  explicit ReduceMean(const OpView& op) : PanelOp(op), width_(op.params<tenon_rowwise_params>().width) {}
  Result<void> run(const tenon_run& run) const override {
    const auto means = [&](int64_t first, int64_t n) {
      means_of_rows(row_of(run.in[0], first), run.in[0].ld, n, width_, row_of(run.out[0], first), run.out[0].ld);
    };
    const int64_t grain = rows_per_task(run, width_);
    if (grain >= run.n_rows) {
      means(0, run.n_rows);
      return {};
    }
    return parallel_for(*run.exec, (run.n_rows + grain - 1) / grain, [&](int64_t task, uint32_t) {
      means(task * grain, std::min(grain, run.n_rows - task * grain));
    });
  }

 private:
  int64_t width_;
};

class Softmax final : public PanelOp {
 public:
  explicit Softmax(const OpView& op) : PanelOp(op), params_(op.params<tenon_rowwise_params>()) {}
  Result<void> run(const tenon_run& run) const override {
    return for_rows(run, 4 * params_.width, [&](int64_t r) {
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
