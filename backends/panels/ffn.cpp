// ffn: out = down(act(gate(x)) * up(x)) + add, in two barriers.
#include "gated.hpp"
#include "ops.hpp"

#include <tenon/op_contract.hpp>

namespace tenon::panels {
namespace {

class Ffn final : public PanelOp {
 public:
  explicit Ffn(const OpView& op) : PanelOp(op), params_(op.params<tenon_ffn_params>()) {
    for (const uint32_t i : {kFfnGate, kFfnUp, kFfnDown}) use_panels(i);
    gated_ = Gated(matrix(kFfnGate), matrix(kFfnUp), matrix(kFfnDown), params_.activation);
  }

  uint64_t workspace_bytes(int64_t n_rows, uint32_t n_threads, int64_t) const override {
    Carver worker(nullptr);
    Gated::carve_scratch(worker);
    return static_cast<uint64_t>(layout(nullptr, n_rows).bytes + worker.bytes() * n_threads);
  }

  Result<void> run(const tenon_run& run) const override {
    const Layout at = layout(run.workspace, run.n_rows);
    const auto filled = at.x.fill(*run.exec, run.in[0], run.n_rows);
    if (!filled) return filled;
    const GatedWeights w = weights(run);
    const uint32_t n_threads = run.exec->n_threads;
    const auto done = parallel_for(*run.exec, gated_.n_inner_tasks(n_threads), [&](int64_t task, uint32_t worker) {
      gated_.run_inner(w, task, n_threads, at.x.floats, at.x.quantized, run.n_rows, nullptr, at.inner,
                       scratch(run, at, worker));
    });
    if (!done) return done;
    gated_.point_rows(at.inner, nullptr, run.n_rows);
    for (int64_t r = 0; r < run.n_rows; ++r) {
      at.out[r] = row_of(run.out[0], r);
      if (params_.has_add != 0) at.add[r] = row_of(run.in[1], r);
    }
    const Matrix& down = gated_.down();
    const int64_t grain = panels_per_task(down, n_threads);
    return parallel_for(*run.exec, (down.n_panels() + grain - 1) / grain, [&](int64_t task, uint32_t) {
      PanelCall call{};
      call.panels = w.down;
      call.bias = w.down_bias;
      call.n_rows = run.n_rows;
      call.x = at.inner.rows;
      call.out = at.out;
      call.add = params_.has_add != 0 ? at.add : nullptr;
      call.scale = 1.0f;
      multiply(down, call, {task * grain, std::min((task + 1) * grain, down.n_panels())});
    });
  }

 private:
  struct Layout {
    Activations x;
    Gated::Inner inner;
    float** out;
    const float** add;
    int64_t bytes;
  };
  Layout layout(void* base, int64_t n_rows) const {
    Carver carver(base);
    Layout at{};
    at.x.carve(carver, n_rows, gated_.gate().k, gated_.reads_quantized());
    at.inner = gated_.carve_inner(carver, n_rows);
    at.out = carver.take<float*>(n_rows);
    at.add = carver.take<const float*>(n_rows);
    at.bytes = carver.bytes();
    return at;
  }
  Gated::Scratch scratch(const tenon_run& run, const Layout& at, uint32_t worker) const {
    Carver size(nullptr);
    Gated::carve_scratch(size);
    Carver carver(static_cast<std::byte*>(run.workspace) + at.bytes + worker * size.bytes());
    return Gated::carve_scratch(carver);
  }

  GatedWeights weights(const tenon_run& run) const {
    return {matrix(kFfnGate).group(bytes_of(run, kFfnGate), 0),
            matrix(kFfnUp).group(bytes_of(run, kFfnUp), 0),
            matrix(kFfnDown).group(bytes_of(run, kFfnDown), 0),
            vector_of(run, kFfnGateBias),
            vector_of(run, kFfnUpBias),
            vector_of(run, kFfnDownBias)};
  }

  tenon_ffn_params params_;
  Gated gated_;
};

tenon_support supports(const OpView& op) {
  const std::string problem = check_ffn(op);
  if (!problem.empty()) return no(problem);
  const tenon_tensor gate = op.weight(kFfnGate);
  const bool is_int8 = class_of(op.weights().first(3), TENON_CLASS_DEFAULT) == TENON_CLASS_INT8;
  return answer(op, problem, find_dtype(gate.dtype)->name, is_int8, 3 * rows_of(gate) * row_width(gate));
}

}  // namespace

OpEntry ffn_entry() { return {"ffn", supports, make_kernel<Ffn>}; }

}  // namespace tenon::panels
