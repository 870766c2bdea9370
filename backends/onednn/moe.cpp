// moe: experts that have rows are multiplied densely, one after another in slices of 64 outputs; the experts' sums are
// added in the order of selection. A shared expert is left to other backends.
#include "dense_op.hpp"
#include "gemm.hpp"

#include <tenon/math.hpp>
#include <tenon/moe_route.hpp>

namespace tenon::onednn {
namespace {

void softmax(float* x, int64_t n) {
  const float highest = *std::max_element(x, x + n);
  float sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += x[i] = exp_f32(x[i] - highest);
  for (int64_t i = 0; i < n; ++i) x[i] /= sum;
}

float activate(const tenon_activation& a, float gate, float up) {
  switch (a.kind) {
    case TENON_ACT_SILU: return silu_f32(gate) * up;
    case TENON_ACT_GELU: return gelu_f32(gate) * up;
    case TENON_ACT_SWIGLU_OAI: return swiglu_oai_f32(gate, up, a.alpha, a.limit);
    default: return gate * up;
  }
}

class Moe final : public DenseOp {
 public:
  explicit Moe(const OpView& op) : DenseOp(op), params_(op.params<tenon_moe_params>()) {
    use_matrix(TENON_MOE_ROUTER);
    for (const uint32_t i : {TENON_MOE_GATE, TENON_MOE_UP, TENON_MOE_DOWN}) use_matrix(i, params_.n_experts);
    hidden_ = matrix(TENON_MOE_ROUTER).k;
    inner_ = matrix(TENON_MOE_GATE).rows;
  }

  uint64_t workspace_bytes(int64_t n_rows, uint32_t n_threads, int64_t) const override {
    return static_cast<uint64_t>(layout(nullptr, n_rows).bytes + worker(nullptr, n_rows).bytes * n_threads);
  }

  Result<void> run(const tenon_run& run) const override {
    Layout at = layout(run.workspace, run.n_rows);
    choose_experts(run, at);
    const int64_t inner_slices = matrix(TENON_MOE_GATE).n_slices(), down_slices = matrix(TENON_MOE_DOWN).n_slices();
    auto done = parallel_for(*run.exec, at.groups.n_active * inner_slices, [&](int64_t task, uint32_t index) {
      run_inner(run, at, at.groups.group(task / inner_slices), task % inner_slices * kSlice, worker_of(run, at, index));
    });
    if (!done) return done;
    done = parallel_for(*run.exec, at.groups.n_active * down_slices, [&](int64_t task, uint32_t index) {
      run_down(run, at, at.groups.group(task / down_slices), task % down_slices * kSlice, worker_of(run, at, index));
    });
    if (!done) return done;
    return for_each_row(run, [&](int64_t r) { sum_row(run, at, r); });
  }

 private:
  struct Layout {
    float *scores, *choice, *weights;
    int32_t *experts, *places;  // places: where in groups.pairs a pair stands
    ExpertGroups groups;
    float *x, *inner, *down;  // rows in the order of groups.pairs: [pairs, hidden], [pairs, inner], [pairs, hidden]
    float* expanded_router;
    int64_t bytes;
  };
  Layout layout(void* base, int64_t n_rows) const {
    const int64_t n_pairs = n_rows * params_.experts_used, n_experts = params_.n_experts;
    Carver carver(base);
    Layout at{};
    at.scores = carver.take<float>(n_rows * n_experts);
    at.choice = carver.take<float>(n_experts);
    at.weights = carver.take<float>(n_pairs);
    at.experts = carver.take<int32_t>(n_pairs);
    at.places = carver.take<int32_t>(n_pairs);
    at.groups = {carver.take<int32_t>(n_pairs), carver.take<int32_t>(n_experts), carver.take<int32_t>(n_experts)};
    at.x = carver.take<float>(n_pairs * hidden_);
    at.inner = carver.take<float>(n_pairs * inner_);
    at.down = carver.take<float>(n_pairs * hidden_);
    at.expanded_router = carver.take<float>(matrix(TENON_MOE_ROUTER).expands() ? n_experts * hidden_ : 0);
    at.bytes = carver.bytes();
    return at;
  }

  struct Worker {
    float *expanded, *gate, *up;  // [slice, k], [rows, slice]
    int64_t bytes;
  };
  Worker worker(void* base, int64_t n_rows) const {
    Carver carver(base);
    Worker at{};
    at.expanded = carver.take<float>(scratch_floats());
    at.gate = carver.take<float>(n_rows * kSlice);
    at.up = carver.take<float>(n_rows * kSlice);
    at.bytes = carver.bytes();
    return at;
  }
  Worker worker_of(const tenon_run& run, const Layout& at, uint32_t index) const {
    const int64_t bytes = worker(nullptr, run.n_rows).bytes;
    return worker(static_cast<std::byte*>(run.workspace) + at.bytes + index * bytes, run.n_rows);
  }

  void choose_experts(const tenon_run& run, Layout& at) const {
    const int64_t n_experts = params_.n_experts, used = params_.experts_used, n_pairs = run.n_rows * used;
    const float* router = rows_of_part(run, TENON_MOE_ROUTER, 0, 0, n_experts, at.expanded_router);
    multiply(run.n_rows, n_experts, hidden_, row_of(run.in[0], 0), run.in[0].ld, router, hidden_, true, at.scores,
             n_experts);
    const float* bias = vector_of(run, TENON_MOE_ROUTER_BIAS);
    for (int64_t r = 0; r < run.n_rows; ++r) {
      float* scores = at.scores + r * n_experts;
      for (int64_t e = 0; bias != nullptr && e < n_experts; ++e) scores[e] += bias[e];
      route<float>(params_, vector_of(run, TENON_MOE_SELECTION_BIAS), scores, at.choice, at.experts + r * used,
                   at.weights + r * used, softmax, sigmoid_f32);
    }
    at.groups.fill(at.experts, n_pairs, static_cast<int32_t>(n_experts));
    for (int64_t p = 0; p < n_pairs; ++p) {
      const int32_t pair = at.groups.pairs[p];
      at.places[pair] = static_cast<int32_t>(p);
      std::copy_n(row_of(run.in[0], pair / used), hidden_, at.x + p * hidden_);
    }
  }

  void run_inner(const tenon_run& run, const Layout& at, const ExpertGroups::Group& g, int64_t first,
                 const Worker& s) const {
    const int64_t n = std::min(kSlice, inner_ - first);
    for (const bool is_gate : {true, false}) {
      const uint32_t index = is_gate ? TENON_MOE_GATE : TENON_MOE_UP;
      float* product = is_gate ? s.gate : s.up;
      const float* w = rows_of_part(run, index, g.expert, first, n, s.expanded);
      multiply(g.n, n, hidden_, at.x + g.begin * hidden_, hidden_, w, hidden_, true, product, kSlice);
      const float* bias = vector_of(run, is_gate ? TENON_MOE_GATE_BIAS : TENON_MOE_UP_BIAS);
      if (bias == nullptr) continue;
      for (int64_t r = 0; r < g.n; ++r) {
        for (int64_t j = 0; j < n; ++j) product[r * kSlice + j] += bias[g.expert * inner_ + first + j];
      }
    }
    for (int64_t r = 0; r < g.n; ++r) {
      float* out = at.inner + (g.begin + r) * inner_ + first;
      for (int64_t j = 0; j < n; ++j) {
        out[j] = activate(params_.activation, s.gate[r * kSlice + j], s.up[r * kSlice + j]);
      }
    }
  }

  void run_down(const tenon_run& run, const Layout& at, const ExpertGroups::Group& g, int64_t first,
                const Worker& s) const {
    const int64_t n = std::min(kSlice, hidden_ - first);
    const float* w = rows_of_part(run, TENON_MOE_DOWN, g.expert, first, n, s.expanded);
    float* out = at.down + g.begin * hidden_ + first;
    multiply(g.n, n, inner_, at.inner + g.begin * inner_, inner_, w, inner_, true, out, hidden_);
    const float* bias = vector_of(run, TENON_MOE_DOWN_BIAS);
    if (bias == nullptr) return;
    for (int64_t r = 0; r < g.n; ++r) {
      for (int64_t j = 0; j < n; ++j) out[r * hidden_ + j] += bias[g.expert * hidden_ + first + j];
    }
  }

  void sum_row(const tenon_run& run, const Layout& at, int64_t r) const {
    const int64_t used = params_.experts_used;
    const float* add = params_.has_add != 0 ? row_of(run.in[1], r) : nullptr;
    float* out = row_of(run.out[0], r);
    for (int64_t i = 0; i < hidden_; ++i) {
      float sum = 0;
      for (int64_t p = r * used; p < (r + 1) * used; ++p) sum += at.weights[p] * at.down[at.places[p] * hidden_ + i];
      out[i] = add == nullptr ? sum : add[i] + sum;
    }
  }

  tenon_moe_params params_;
  int64_t hidden_, inner_;
};

tenon_support supports(const OpView& op) {
  std::string problem = check_moe(op);
  if (!problem.empty()) return no(problem);
  if (!is_absent(op.weight(TENON_MOE_SHARED_GATE))) problem = "a shared expert is asked, which is not done here";
  const tenon_tensor gate = op.weight(TENON_MOE_GATE);
  const auto p = op.params<tenon_moe_params>();
  return answer(op, problem, static_cast<DType>(gate.dtype),
                3 * rows_of(gate) * row_width(gate) / p.n_experts * p.experts_used);
}

}  // namespace

OpEntry moe_entry() { return {"moe", supports, make_kernel<Moe>}; }

}  // namespace tenon::onednn
