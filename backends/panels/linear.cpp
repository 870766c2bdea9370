// linear: out_i [r, n_i] = (scale * (x W_i^T + bias_i)) + add. The row is quantized once for all weights, and the
// panels of all weights are one list of tasks: one barrier an op.
#include "ops.hpp"
#include "products.hpp"

#include <tenon/op_contract.hpp>

#include <array>

namespace tenon::panels {
namespace {

constexpr uint32_t kMostWeights = 4;

class Linear final : public PanelOp {
 public:
  explicit Linear(const OpView& op) : PanelOp(op), params_(op.params<tenon_linear_params>()) {
    for (uint32_t i = 0; i < params_.n_weights; ++i) {
      use_panels(i);
      quantized_ |= matrix(i).is_int8();
    }
  }

  uint64_t workspace_bytes(int64_t n_rows, uint32_t, int64_t) const override {
    return static_cast<uint64_t>(layout(nullptr, n_rows).bytes);
  }

  Result<void> run(const tenon_run& run) const override {
    const Layout at = layout(run.workspace, run.n_rows);
    const auto filled = at.x.fill(*run.exec, run.in[0], run.n_rows);
    if (!filled) return filled;
    for (int64_t r = 0; r < run.n_rows; ++r) {
      for (uint32_t i = 0; i < params_.n_weights; ++i) at.out[i * run.n_rows + r] = row_of(run.out[i], r);
      if (params_.has_add != 0) at.add[r] = row_of(run.in[1], r);
    }
    std::array<int64_t, kMostWeights> grain{}, n_tasks{};
    int64_t total = 0;
    for (uint32_t i = 0; i < params_.n_weights; ++i) {
      grain[i] = panels_per_task(matrix(i), run.exec->n_threads);
      n_tasks[i] = (matrix(i).n_panels() + grain[i] - 1) / grain[i];
      total += n_tasks[i];
    }
    return parallel_for(*run.exec, total, [&](int64_t task, uint32_t) {
      uint32_t i = 0;
      while (task >= n_tasks[i]) task -= n_tasks[i++];
      const int64_t first = task * grain[i];
      multiply_slice(run, at, i, {first, std::min(first + grain[i], matrix(i).n_panels())});
    });
  }

 private:
  struct Layout {
    Activations x;
    float** out;        // [n_weights][n_rows]
    const float** add;  // [n_rows]
    int64_t bytes;
  };
  Layout layout(void* base, int64_t n_rows) const {
    Carver carver(base);
    Layout at{};
    at.x.carve(carver, n_rows, matrix(0).k, quantized_);
    at.out = carver.take<float*>(n_rows * params_.n_weights);
    at.add = carver.take<const float*>(n_rows);
    at.bytes = carver.bytes();
    return at;
  }

  void multiply_slice(const tenon_run& run, const Layout& at, uint32_t i, PanelRange range) const {
    PanelCall call{};
    call.panels = matrix(i).group(bytes_of(run, i), 0);
    call.n_rows = run.n_rows;
    call.x = at.x.rows_for(matrix(i));
    call.out = at.out + i * run.n_rows;
    call.add = params_.has_add != 0 ? at.add : nullptr;
    call.bias = vector_of(run, params_.n_weights + i);
    call.scale = params_.scale;
    multiply(matrix(i), call, range);
  }

  tenon_linear_params params_;
  bool quantized_ = false;
};

tenon_support supports(const OpView& op) {
  const std::string problem = check_linear(op);
  if (!problem.empty()) return no(problem);
  bool is_int8 = false;
  int64_t cost = 0;
  for (uint32_t i = 0; i < op.params<tenon_linear_params>().n_weights; ++i) {
    const tenon_tensor w = op.weight(i);
    is_int8 |= is_quantized(static_cast<DType>(w.dtype));
    cost += rows_of(w) * row_width(w);
  }
  return answer(op, problem, find_dtype(op.weight(0).dtype)->name, is_int8, cost);
}

}  // namespace

OpEntry linear_entry() { return {"linear", supports, make_kernel<Linear>}; }

}  // namespace tenon::panels
