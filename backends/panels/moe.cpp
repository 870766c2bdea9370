// moe: routes each row, runs gate, up and down of its experts alone on their packed blocks, and sums them in the order
// of selection. Rows are grouped by expert, so that its weights are read once. Three barriers: routing, inner
// activations, and down with the sum, whose tasks own a slice of outputs for all experts and rows.
#include "gated.hpp"
#include "ops.hpp"
#include "small_rows.hpp"

#include <tenon/moe_route.hpp>
#include <tenon/op_contract.hpp>

namespace tenon::panels {
namespace {

constexpr int64_t kWideSlice = 128, kNarrowSlice = 32;  // outputs of a task of down: few rows, many rows

class Moe final : public PanelOp {
 public:
  explicit Moe(const OpView& op) : PanelOp(op), params_(op.params<tenon_moe_params>()) {
    for (const uint32_t i : {TENON_MOE_ROUTER, TENON_MOE_SHARED_ROUTER, TENON_MOE_SHARED_GATE, TENON_MOE_SHARED_UP,
                             TENON_MOE_SHARED_DOWN}) {
      if (!is_absent(op.weight(i))) use_panels(i);
    }
    for (const uint32_t i : {TENON_MOE_GATE, TENON_MOE_UP, TENON_MOE_DOWN}) use_panels(i, params_.n_experts);
    experts_ = Gated(matrix(TENON_MOE_GATE), matrix(TENON_MOE_UP), matrix(TENON_MOE_DOWN), params_.activation);
    if (!is_absent(op.weight(TENON_MOE_SHARED_GATE))) {
      shared_ = Gated(matrix(TENON_MOE_SHARED_GATE), matrix(TENON_MOE_SHARED_UP), matrix(TENON_MOE_SHARED_DOWN),
                      params_.activation);
    }
    has_shared_router_ = !is_absent(op.weight(TENON_MOE_SHARED_ROUTER));
    quantized_ = matrix(TENON_MOE_ROUTER).is_int8() || experts_.reads_quantized() || shared_.reads_quantized() ||
                 (has_shared_router_ && matrix(TENON_MOE_SHARED_ROUTER).is_int8());
  }

  uint64_t workspace_bytes(int64_t n_rows, uint32_t n_threads, int64_t) const override {
    const int64_t few = std::min(n_rows, kFewRows - 1);
    return static_cast<uint64_t>(std::max(all_bytes(n_rows, n_threads), all_bytes(few, n_threads)));
  }

  Result<void> run(const tenon_run& run) const override {
    Layout at = layout(run.workspace, run.n_rows);
    auto done = at.x.fill(*run.exec, run.in[0], run.n_rows);
    if (done) done = choose_experts(run, at);
    if (done) done = run_inner(run, at);
    if (!done) return done;
    experts_.point_rows(at.inner, at.groups.pairs, run.n_rows * params_.experts_used);
    if (shared_.exists()) shared_.point_rows(at.shared_inner, nullptr, run.n_rows);
    const int64_t slice = slice_of(run.n_rows), hidden = experts_.down().rows;
    return parallel_for(*run.exec, (hidden + slice - 1) / slice, [&](int64_t task, uint32_t worker) {
      const PanelRange range{task * slice / kPanel, std::min((task + 1) * slice / kPanel, experts_.down().n_panels())};
      run_down(run, at, range, worker_memory(run, at, worker));
    });
  }

 private:
  /// A pair is a row and one of its choices: number row * experts_used + choice.
  struct Layout {
    Activations x;
    float *scores, *choice;  // [n_rows, n_experts]
    float** score_rows;      // [n_rows]
    float* weights;          // [pairs]
    int32_t* experts;        // [pairs]
    ExpertGroups groups;
    const void **floats, **quantized;  // [pairs] rows of x in the order of groups.pairs
    Gated::Inner inner;                // [pairs]
    Gated::Inner shared_inner;         // [n_rows]
    float* shared_weights;             // [n_rows]
    float** shared_rows;               // [n_rows] into shared_weights
    int64_t bytes;
  };
  Layout layout(void* base, int64_t n_rows) const {
    const int64_t n_pairs = n_rows * params_.experts_used, n_experts = params_.n_experts;
    Carver carver(base);
    Layout at{};
    at.x.carve(carver, n_rows, matrix(TENON_MOE_ROUTER).k, quantized_);
    at.scores = carver.take<float>(n_rows * n_experts);
    at.choice = carver.take<float>(n_rows * n_experts);
    at.score_rows = carver.take<float*>(n_rows);
    at.weights = carver.take<float>(n_pairs);
    at.experts = carver.take<int32_t>(n_pairs);
    at.groups = {carver.take<int32_t>(n_pairs), carver.take<int32_t>(n_experts), carver.take<int32_t>(n_experts)};
    at.floats = carver.take<const void*>(n_pairs);
    at.quantized = carver.take<const void*>(n_pairs);
    at.inner = experts_.carve_inner(carver, n_pairs);
    if (shared_.exists()) at.shared_inner = shared_.carve_inner(carver, n_rows);
    at.shared_weights = carver.take<float>(n_rows);
    at.shared_rows = carver.take<float*>(n_rows);
    at.bytes = carver.bytes();
    return at;
  }

  /// One worker's memory.
  struct Worker {
    Gated::Scratch gated;
    float *down, *shared_down, *acc;  // [pairs, slice], [n_rows, slice], [slice]
    float** rows;                     // [max(pairs, n_rows)]
    int64_t bytes;
  };
  Worker worker_of(void* base, int64_t n_rows) const {
    const int64_t n_pairs = n_rows * params_.experts_used, slice = slice_of(n_rows);
    Carver carver(base);
    Worker at{};
    at.gated = Gated::carve_scratch(carver);
    at.down = carver.take<float>(n_pairs * slice);
    at.shared_down = carver.take<float>(shared_.exists() ? n_rows * slice : 0);
    at.acc = carver.take<float>(slice);
    at.rows = carver.take<float*>(std::max(n_pairs, n_rows));
    at.bytes = carver.bytes();
    return at;
  }
  Worker worker_memory(const tenon_run& run, const Layout& at, uint32_t worker) const {
    const int64_t bytes = worker_of(nullptr, run.n_rows).bytes;
    return worker_of(static_cast<std::byte*>(run.workspace) + at.bytes + worker * bytes, run.n_rows);
  }
  int64_t all_bytes(int64_t n_rows, uint32_t n_threads) const {
    return layout(nullptr, n_rows).bytes + worker_of(nullptr, n_rows).bytes * n_threads;
  }
  static int64_t slice_of(int64_t n_rows) { return n_rows < kFewRows ? kWideSlice : kNarrowSlice; }

  // ---- routing

  Result<void> choose_experts(const tenon_run& run, Layout& at) const {
    const Matrix& router = matrix(TENON_MOE_ROUTER);
    for (int64_t r = 0; r < run.n_rows; ++r) at.score_rows[r] = at.scores + r * params_.n_experts;
    PanelCall call{};
    call.panels = router.group(bytes_of(run, TENON_MOE_ROUTER), 0);
    call.bias = vector_of(run, TENON_MOE_ROUTER_BIAS);
    call.x = at.x.rows_for(router);
    call.out = at.score_rows;
    call.scale = 1.0f;
    const auto done = run.n_rows < kFewRows ? route_few_rows(run, at, call) : route_many_rows(run, at, call);
    if (!done) return done;
    const int64_t n_pairs = run.n_rows * params_.experts_used;
    at.groups.fill(at.experts, n_pairs, static_cast<int32_t>(params_.n_experts));
    for (int64_t p = 0; p < n_pairs; ++p) {
      const int64_t row = at.groups.pairs[p] / params_.experts_used;
      at.floats[p] = at.x.floats[row];
      if (quantized_) at.quantized[p] = at.x.quantized[row];
    }
    if (shared_.exists()) weigh_shared_expert(run, at);
    return {};
  }

  Result<void> route_few_rows(const tenon_run& run, Layout& at, PanelCall call) const {
    constexpr int64_t kInlineBytes = 64 * 1024;
    const Matrix& router = matrix(TENON_MOE_ROUTER);
    call.n_rows = run.n_rows;
    const int64_t grain =
        router.group_bytes() < kInlineBytes ? router.n_panels() : panels_per_task(router, run.exec->n_threads);
    const auto done = parallel_for(*run.exec, (router.n_panels() + grain - 1) / grain, [&](int64_t task, uint32_t) {
      multiply(router, call, {task * grain, std::min((task + 1) * grain, router.n_panels())});
    });
    if (!done) return done;
    for (int64_t r = 0; r < run.n_rows; ++r) route_row(run, at, r);
    return {};
  }

  Result<void> route_many_rows(const tenon_run& run, const Layout& at, const PanelCall& call) const {
    constexpr int64_t kRowsPerTask = 16;
    return parallel_for(*run.exec, (run.n_rows + kRowsPerTask - 1) / kRowsPerTask, [&](int64_t task, uint32_t) {
      const int64_t first = task * kRowsPerTask;
      PanelCall part = call;
      part.n_rows = std::min(kRowsPerTask, run.n_rows - first);
      part.x = call.x + first;
      part.out = call.out + first;
      multiply(matrix(TENON_MOE_ROUTER), part, {0, matrix(TENON_MOE_ROUTER).n_panels()});
      for (int64_t r = first; r < first + part.n_rows; ++r) route_row(run, at, r);
    });
  }

  void route_row(const tenon_run& run, const Layout& at, int64_t r) const {
    const int64_t scores = r * params_.n_experts, pairs = r * params_.experts_used;
    route<float>(
        params_, vector_of(run, TENON_MOE_SELECTION_BIAS), at.scores + scores, at.choice + scores, at.experts + pairs,
        at.weights + pairs, [](float* x, int64_t n) { softmax_row(x, n, 1.0f); }, sigmoid_of);
  }

  void weigh_shared_expert(const tenon_run& run, const Layout& at) const {
    std::fill_n(at.shared_weights, run.n_rows, 1.0f);
    if (!has_shared_router_) return;
    const Matrix& router = matrix(TENON_MOE_SHARED_ROUTER);
    for (int64_t r = 0; r < run.n_rows; ++r) at.shared_rows[r] = at.shared_weights + r;
    PanelCall call{};
    call.panels = router.group(bytes_of(run, TENON_MOE_SHARED_ROUTER), 0);
    call.n_rows = run.n_rows;
    call.x = at.x.rows_for(router);
    call.out = at.shared_rows;
    call.scale = 1.0f;
    multiply(router, call, {0, 1});
    for (int64_t r = 0; r < run.n_rows; ++r) at.shared_weights[r] = sigmoid_of(at.shared_weights[r]);
  }

  // ---- experts

  const float* bias_of(const tenon_run& run, uint32_t index, int64_t expert, int64_t width) const {
    const float* bias = vector_of(run, index);
    return bias == nullptr ? nullptr : bias + expert * width;
  }
  GatedWeights weights_of(const tenon_run& run, int64_t expert) const {
    const int64_t inner = experts_.gate().rows, hidden = experts_.down().rows;
    return {matrix(TENON_MOE_GATE).group(bytes_of(run, TENON_MOE_GATE), expert),
            matrix(TENON_MOE_UP).group(bytes_of(run, TENON_MOE_UP), expert),
            matrix(TENON_MOE_DOWN).group(bytes_of(run, TENON_MOE_DOWN), expert),
            bias_of(run, TENON_MOE_GATE_BIAS, expert, inner),
            bias_of(run, TENON_MOE_UP_BIAS, expert, inner),
            bias_of(run, TENON_MOE_DOWN_BIAS, expert, hidden)};
  }
  GatedWeights shared_weights_of(const tenon_run& run) const {
    return {matrix(TENON_MOE_SHARED_GATE).group(bytes_of(run, TENON_MOE_SHARED_GATE), 0),
            matrix(TENON_MOE_SHARED_UP).group(bytes_of(run, TENON_MOE_SHARED_UP), 0),
            matrix(TENON_MOE_SHARED_DOWN).group(bytes_of(run, TENON_MOE_SHARED_DOWN), 0),
            nullptr,
            nullptr,
            nullptr};
  }

  Result<void> run_inner(const tenon_run& run, const Layout& at) const {
    const uint32_t n_threads = run.exec->n_threads;
    const int64_t per_expert = experts_.n_inner_tasks(n_threads), routed = at.groups.n_active * per_expert;
    const int64_t n_tasks = routed + (shared_.exists() ? shared_.n_inner_tasks(n_threads) : 0);
    return parallel_for(*run.exec, n_tasks, [&](int64_t task, uint32_t worker) {
      const Gated::Scratch scratch = worker_memory(run, at, worker).gated;
      if (task >= routed) {
        shared_.run_inner(shared_weights_of(run), task - routed, n_threads, at.x.floats, at.x.quantized, run.n_rows,
                          nullptr, at.shared_inner, scratch);
        return;
      }
      const auto g = at.groups.group(task / per_expert);
      experts_.run_inner(weights_of(run, g.expert), task % per_expert, n_threads, at.floats + g.begin,
                         at.quantized + g.begin, g.n, at.groups.pairs + g.begin, at.inner, scratch);
    });
  }

  /// Outputs of `range` for all rows.
  void run_down(const tenon_run& run, const Layout& at, PanelRange range, const Worker& worker) const {
    const int64_t slice = slice_of(run.n_rows), first = range.first * kPanel;
    const int64_t n = std::min(range.last * kPanel, experts_.down().rows) - first;
    PanelCall call{};
    call.first_output = first;
    call.scale = 1.0f;
    call.out = worker.rows;
    for (int64_t i = 0; i < at.groups.n_active; ++i) {
      const auto g = at.groups.group(i);
      const GatedWeights w = weights_of(run, g.expert);
      for (int64_t p = 0; p < g.n; ++p) worker.rows[p] = worker.down + at.groups.pairs[g.begin + p] * slice;
      call.panels = w.down;
      call.bias = w.down_bias;
      call.n_rows = g.n;
      call.x = at.inner.rows + g.begin;
      multiply(experts_.down(), call, range);
    }
    if (shared_.exists()) {
      for (int64_t r = 0; r < run.n_rows; ++r) worker.rows[r] = worker.shared_down + r * slice;
      call.panels = shared_weights_of(run).down;
      call.bias = nullptr;
      call.n_rows = run.n_rows;
      call.x = at.shared_inner.rows;
      multiply(shared_.down(), call, range);
    }
    for (int64_t r = 0; r < run.n_rows; ++r) sum_row(run, at, r, first, n, worker);
  }

  void sum_row(const tenon_run& run, const Layout& at, int64_t r, int64_t first, int64_t n,
               const Worker& worker) const {
    const int64_t slice = slice_of(run.n_rows);
    std::fill_n(worker.acc, n, 0.0f);
    for (int64_t p = r * params_.experts_used; p < (r + 1) * params_.experts_used; ++p) {
      add_scaled_row(at.weights[p], worker.down + p * slice, n, worker.acc);
    }
    if (shared_.exists()) add_scaled_row(at.shared_weights[r], worker.shared_down + r * slice, n, worker.acc);
    float* out = row_of(run.out[0], r) + first;
    if (params_.has_add != 0) {
      add_row(row_of(run.in[1], r) + first, worker.acc, n, out);
    } else {
      std::copy_n(worker.acc, n, out);
    }
  }

  tenon_moe_params params_;
  Gated experts_, shared_;
  bool has_shared_router_ = false, quantized_ = false;
};

tenon_support supports(const OpView& op) {
  const std::string problem = check_moe(op);
  if (!problem.empty()) return no(problem);
  const tenon_tensor gate = op.weight(TENON_MOE_GATE);
  const auto p = op.params<tenon_moe_params>();
  const bool is_int8 = class_of(op.weights(), TENON_CLASS_DEFAULT) == TENON_CLASS_INT8;
  return answer(op, problem, find_dtype(gate.dtype)->name, is_int8,
                3 * rows_of(gate) * row_width(gate) / p.n_experts * p.experts_used);
}

}  // namespace

OpEntry moe_entry() { return {"moe", supports, make_kernel<Moe>}; }

}  // namespace tenon::panels
