// moe: routes each row, runs gate, up, glu, down of its experts, and sums them in the order of selection:
// acc = fma(weight, down, acc) from 0, then the shared expert with its sigmoid (1 without a router), then add + acc.
// Rows are grouped by expert, so that a weight row is unpacked once for all rows that read it; a (row, choice) pair has
// its own place in memory, so the grouping is not seen in the result. exact64 rounds once at the end.
#include "gated.hpp"

#include <tenon/moe_route.hpp>

#include <algorithm>

namespace tenon::reference {
namespace {

constexpr int64_t kRowsPerTask = 16;

/// T: float, or double for class exact64.
template <class T>
class Moe final : public FileOrderKernel {
 public:
  explicit Moe(const OpView& op)
      : FileOrderKernel(op),
        params_(op.params<tenon_moe_params>()),
        router_(matrix_of(op.weight(TENON_MOE_ROUTER), op.numeric_class())),
        shared_router_(matrix_of(op.weight(TENON_MOE_SHARED_ROUTER), op.numeric_class())),
        experts_(shape_of(op, TENON_MOE_GATE, TENON_MOE_UP, TENON_MOE_DOWN, params_.n_experts)),
        shared_(shape_of(op, TENON_MOE_SHARED_GATE, TENON_MOE_SHARED_UP, TENON_MOE_SHARED_DOWN, 1)),
        hidden_(router_.k) {
    for (const Matrix* matrix : {&router_, &shared_router_, &experts_.gate, &experts_.up, &shared_.gate, &shared_.up}) {
      quantized_ |= matrix->numeric_class == TENON_CLASS_INT8;
    }
  }

  uint64_t workspace_bytes(int64_t n_rows, uint32_t n_threads, int64_t) const override {
    return static_cast<uint64_t>(layout(nullptr, n_rows).bytes + worker(nullptr, n_rows).bytes * n_threads);
  }

  Result<void> run(const tenon_run& run) const override {
    Layout at = layout(run.workspace, run.n_rows);
    const auto x = at.x.fill(run, run.in[0], hidden_);
    if (!x) return x.error();
    auto done = choose_experts(run, at, *x);
    if (!done) return done;
    done = run_experts(run, at, *x);
    if (!done) return done;
    if (has_shared()) {
      done = run_shared(run, at, *x);
      if (!done) return done;
    }
    return for_each_row(run, [&](int64_t r) { sum_row(run, at, r); });
  }

 private:
  /// A pair is a row and one of its choices: number r * experts_used + i.
  struct Layout {
    Prepared<T> x;
    T *scores, *choice;   // [n_rows, n_experts]
    T* weights;           // [pairs]
    int32_t* experts;     // [pairs]
    ExpertGroups groups;  // of the pairs
    int32_t* rows;        // [pairs] the rows of groups.pairs
    GatedInner<T> inner;  // [pairs]
    T* down;              // [pairs, hidden]
    GatedInner<T> shared_inner;
    T *shared_down, *shared_weights, *acc;  // [n_rows, hidden], [n_rows], [n_rows, hidden]
    int64_t bytes;
  };

  Layout layout(void* base, int64_t n_rows) const {
    const int64_t n_pairs = n_rows * params_.experts_used, n_experts = params_.n_experts;
    Carver carver(base);
    Layout at{};
    at.x.carve(carver, n_rows, hidden_, quantized_);
    at.scores = carver.take<T>(n_rows * n_experts);
    at.choice = carver.take<T>(n_rows * n_experts);
    at.weights = carver.take<T>(n_pairs);
    at.experts = carver.take<int32_t>(n_pairs);
    at.groups = {carver.take<int32_t>(n_pairs), carver.take<int32_t>(n_experts), carver.take<int32_t>(n_experts)};
    at.rows = carver.take<int32_t>(n_pairs);
    at.inner.carve(carver, experts_, n_pairs);
    at.down = carver.take<T>(n_pairs * hidden_);
    at.shared_inner.carve(carver, shared_, n_rows);
    at.shared_down = carver.take<T>(has_shared() ? n_rows * hidden_ : 0);
    at.shared_weights = carver.take<T>(n_rows);
    at.acc = carver.take<T>(n_rows * hidden_);
    at.bytes = carver.bytes();
    return at;
  }

  struct Worker {
    GatedScratch<T> experts, shared;
    int64_t bytes;
  };
  Worker worker(void* base, int64_t n_rows) const {
    Carver carver(base);
    Worker at{};
    at.experts.carve(carver, experts_, n_rows);
    at.shared.carve(carver, shared_, n_rows);
    at.bytes = carver.bytes();
    return at;
  }
  Worker worker_of(const tenon_run& run, const Layout& at, uint32_t index) const {
    const int64_t bytes = worker(nullptr, run.n_rows).bytes;
    return worker(static_cast<std::byte*>(run.workspace) + at.bytes + index * bytes, run.n_rows);
  }

  static GatedShape shape_of(const OpView& op, uint32_t gate, uint32_t up, uint32_t down, int64_t n) {
    if (is_absent(op.weight(gate))) return {};
    const tenon_activation activation = op.params<tenon_moe_params>().activation;
    return gated_shape(op.weight(gate), op.weight(up), op.weight(down), n, op.numeric_class(), activation);
  }
  bool has_shared() const { return shared_.inner > 0; }

  Result<void> choose_experts(const tenon_run& run, Layout& at, const Input<T>& x) const {
    const int64_t n_experts = params_.n_experts;
    const float* bias = vector_of(run, TENON_MOE_ROUTER_BIAS);
    auto done = for_each_chunk(*run.exec, n_experts, kRowsPerTask, [&](int64_t e, uint32_t index) {
      const GatedScratch<T> scratch = worker_of(run, at, index).experts;
      multiply_row(router_, bytes_of(run, TENON_MOE_ROUTER), e, x, scratch.unpacked, scratch.first);
      for (int64_t r = 0; r < run.n_rows; ++r) {
        at.scores[r * n_experts + e] = bias == nullptr ? scratch.first[r] : scratch.first[r] + T{bias[e]};
      }
    });
    if (!done) return done;
    done = for_each_row(run, [&](int64_t r) {
      const int64_t first_pair = r * params_.experts_used;
      route<T>(
          params_, vector_of(run, TENON_MOE_SELECTION_BIAS), at.scores + r * n_experts, at.choice + r * n_experts,
          at.experts + first_pair, at.weights + first_pair, [](T* row, int64_t n) { softmax(row, n); },
          [](T score) { return sigmoid(score); });
    });
    if (done) group_pairs(at, run.n_rows * params_.experts_used);
    return done;
  }

  void group_pairs(Layout& at, int64_t n_pairs) const {
    at.groups.fill(at.experts, n_pairs, static_cast<int32_t>(params_.n_experts));
    for (int64_t p = 0; p < n_pairs; ++p) at.rows[p] = at.groups.pairs[p] / static_cast<int32_t>(params_.experts_used);
  }

  Result<void> run_experts(const tenon_run& run, const Layout& at, const Input<T>& x) const {
    const GatedWeights w{bytes_of(run, TENON_MOE_GATE),     bytes_of(run, TENON_MOE_UP),
                         bytes_of(run, TENON_MOE_DOWN),     vector_of(run, TENON_MOE_GATE_BIAS),
                         vector_of(run, TENON_MOE_UP_BIAS), vector_of(run, TENON_MOE_DOWN_BIAS)};
    const int64_t n_active = at.groups.n_active, inner = experts_.inner;
    auto done = for_each_chunk(*run.exec, n_active * inner, kRowsPerTask, [&](int64_t task, uint32_t index) {
      const auto g = at.groups.group(task / inner);
      Input<T> rows = x;
      rows.n = g.n;
      rows.rows = at.rows + g.begin;
      gated_inner<T>(experts_, w, g.expert, task % inner, rows, at.groups.pairs + g.begin,
                     worker_of(run, at, index).experts, at.inner.x);
    });
    if (!done) return done;
    done = at.inner.quantize(experts_, run.n_rows * params_.experts_used, *run.exec);
    if (!done) return done;
    return for_each_chunk(*run.exec, n_active * hidden_, kRowsPerTask, [&](int64_t task, uint32_t index) {
      const auto g = at.groups.group(task / hidden_);
      const int64_t i = task % hidden_;
      const GatedScratch<T> scratch = worker_of(run, at, index).experts;
      gated_down<T>(experts_, w, g.expert, i, at.inner.input(experts_, g.n, at.groups.pairs + g.begin), scratch);
      for (int64_t r = 0; r < g.n; ++r) at.down[at.groups.pairs[g.begin + r] * hidden_ + i] = scratch.first[r];
    });
  }

  Result<void> run_shared(const tenon_run& run, const Layout& at, const Input<T>& x) const {
    const GatedWeights w{bytes_of(run, TENON_MOE_SHARED_GATE),
                         bytes_of(run, TENON_MOE_SHARED_UP),
                         bytes_of(run, TENON_MOE_SHARED_DOWN),
                         nullptr,
                         nullptr,
                         nullptr};
    std::fill_n(at.shared_weights, run.n_rows, T{1});
    if (shared_router_.rows > 0) {
      const GatedScratch<T> scratch = worker_of(run, at, 0).shared;
      multiply_row(shared_router_, bytes_of(run, TENON_MOE_SHARED_ROUTER), 0, x, scratch.unpacked, scratch.first);
      for (int64_t r = 0; r < run.n_rows; ++r) at.shared_weights[r] = sigmoid(scratch.first[r]);
    }
    auto done = for_each_chunk(*run.exec, shared_.inner, kRowsPerTask, [&](int64_t j, uint32_t index) {
      gated_inner<T>(shared_, w, 0, j, x, nullptr, worker_of(run, at, index).shared, at.shared_inner.x);
    });
    if (!done) return done;
    done = at.shared_inner.quantize(shared_, run.n_rows, *run.exec);
    if (!done) return done;
    return for_each_chunk(*run.exec, hidden_, kRowsPerTask, [&](int64_t i, uint32_t index) {
      const GatedScratch<T> scratch = worker_of(run, at, index).shared;
      gated_down<T>(shared_, w, 0, i, at.shared_inner.input(shared_, run.n_rows, nullptr), scratch);
      for (int64_t r = 0; r < run.n_rows; ++r) at.shared_down[r * hidden_ + i] = scratch.first[r];
    });
  }

  void sum_row(const tenon_run& run, const Layout& at, int64_t r) const {
    T* acc = at.acc + r * hidden_;
    std::fill_n(acc, hidden_, T{0});
    for (int64_t p = r * params_.experts_used; p < (r + 1) * params_.experts_used; ++p) {
      add_scaled(at.weights[p], at.down + p * hidden_, hidden_, acc);
    }
    if (has_shared()) add_scaled(at.shared_weights[r], at.shared_down + r * hidden_, hidden_, acc);
    const float* add = params_.has_add != 0 ? row_of(run.in[1], r) : nullptr;
    float* out = row_of(run.out[0], r);
    for (int64_t i = 0; i < hidden_; ++i) out[i] = static_cast<float>(add == nullptr ? acc[i] : T{add[i]} + acc[i]);
  }

  tenon_moe_params params_;
  Matrix router_, shared_router_;
  GatedShape experts_, shared_;
  int64_t hidden_;
  bool quantized_ = false;
};

tenon_support supports(const OpView& op) {
  const std::string problem = check_moe(op);
  if (!problem.empty()) return no(problem);
  const tenon_tensor gate = op.weight(TENON_MOE_GATE);
  const auto p = op.params<tenon_moe_params>();
  const uint32_t numeric_class = class_of(op.weights(), op.numeric_class());
  return yes(
      "moe_" + std::string(find_dtype(gate.dtype)->name) + "_" + std::string(class_name(numeric_class)) + "_reference",
      numeric_class, static_cast<float>(3 * rows_of(gate) * row_width(gate) / p.n_experts * p.experts_used));
}

std::unique_ptr<Kernel> create(const OpView& op) {
  return is_exact(op) ? make_kernel<Moe<double>>(op) : make_kernel<Moe<float>>(op);
}

}  // namespace

OpEntry moe_entry() { return {"moe", supports, create}; }

}  // namespace tenon::reference
