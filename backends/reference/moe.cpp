// moe: per row, route, then gate, up, glu, down of each selected expert, summed in the order of selection.
#include "op.hpp"

#include "sums.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tenon::reference {
namespace {

constexpr float kLeastWeightSum = 6.103515625e-5f;

class Moe final : public FileOrderKernel {
 public:
  explicit Moe(const OpView& op) : FileOrderKernel(op), params_(op.params<tenon_moe_params>()) {
    for (uint32_t i = 0; i < TENON_MOE_N_WEIGHTS; ++i) {
      if (!is_absent(op.weight(i))) matrices_[i] = matrix_of(op.weight(i), op.numeric_class());
    }
    exact_ = op.numeric_class() == TENON_CLASS_EXACT64;
    hidden_ = matrices_[TENON_MOE_ROUTER].k;
    inner_ = matrices_[TENON_MOE_GATE].rows / params_.n_experts;
    shared_ = matrices_[TENON_MOE_SHARED_GATE].rows;
  }

  uint64_t workspace_bytes(int64_t, uint32_t n_threads, int64_t) const override {
    return static_cast<uint64_t>(layout(nullptr).bytes) * n_threads;
  }

  Result<void> run(const tenon_run& run) const override {
    return parallel_for(*run.exec, run.n_rows, [&](int64_t row, uint32_t worker) {
      run_row(run, row, layout(static_cast<std::byte*>(run.workspace) + worker * layout(nullptr).bytes));
    });
  }

 private:
  /// One worker's scratch.
  struct Scratch {
    ActBlock *x, *glu;  // quantized input and inner activations
    float *scores, *probs, *inner;
    double *acc, *down;
    int32_t* order;
    std::byte* unpacked;
    int64_t bytes;
  };

  Scratch layout(std::byte* base) const {
    Scratch s{};
    int64_t at = 0;
    const auto take = [&](auto*& pointer, int64_t n) {
      using T = std::remove_pointer_t<std::remove_reference_t<decltype(pointer)>>;
      pointer = base == nullptr ? nullptr : reinterpret_cast<T*>(base + at);
      at += aligned64(n * static_cast<int64_t>(sizeof(T)));
    };
    const int64_t widest = std::max(inner_, shared_);
    take(s.x, hidden_ / 32 + 1);
    take(s.glu, widest / 32 + 1);
    take(s.scores, params_.n_experts);
    take(s.probs, params_.n_experts);
    take(s.inner, widest);
    take(s.acc, hidden_);
    take(s.down, hidden_);
    take(s.order, params_.n_experts);
    take(s.unpacked, scratch_bytes(std::max(hidden_, widest)));
    s.bytes = at;
    return s;
  }

  /// Row `row` of weight `which` times x, with its bias; rounded to f32 unless exact.
  double product(const tenon_run& run, uint32_t which, int64_t row, const Rows& x, const float* bias,
                 const Scratch& s) const {
    double sum = 0;
    multiply_row(matrices_[which], bytes_of(run, which), row, x, s.unpacked, &sum);
    if (bias == nullptr) return sum;
    return exact_ ? sum + double{*bias} : static_cast<double>(static_cast<float>(sum) + *bias);
  }

  /// Fills order[0 .. experts_used) with the selected experts and probs[] with their weights.
  void route(const tenon_run& run, const Rows& x, const Scratch& s) const {
    const float* bias = vector_of(run, TENON_MOE_ROUTER_BIAS);
    const float* selection = vector_of(run, TENON_MOE_SELECTION_BIAS);
    const int64_t n = params_.n_experts, used = params_.experts_used;
    for (int64_t e = 0; e < n; ++e) {
      s.scores[e] = static_cast<float>(product(run, TENON_MOE_ROUTER, e, x, bias == nullptr ? nullptr : bias + e, s));
      s.probs[e] = s.scores[e];
    }
    if (params_.route == TENON_ROUTE_SOFTMAX_THEN_SELECT) softmax(s.probs, n, exact_);
    if (params_.route == TENON_ROUTE_SIGMOID) {
      for (int64_t e = 0; e < n; ++e) s.probs[e] = sigmoid_f32(s.scores[e]);
    }
    for (int64_t e = 0; e < n; ++e) s.scores[e] = s.probs[e] + (selection == nullptr ? 0.0f : selection[e]);
    std::iota(s.order, s.order + n, 0);
    std::partial_sort(s.order, s.order + used, s.order + n, [&](int32_t a, int32_t b) {
      return s.scores[a] != s.scores[b] ? s.scores[a] > s.scores[b] : a < b;
    });
    // From here on s.scores holds the weights in order of selection.
    for (int64_t i = 0; i < used; ++i) s.scores[i] = s.probs[s.order[i]];
    if (params_.route == TENON_ROUTE_SELECT_THEN_SOFTMAX) softmax(s.scores, used, exact_);
    if (params_.renormalize != 0) {
      float sum = 0;
      for (int64_t i = 0; i < used; ++i) sum += s.scores[i];
      sum = std::max(sum, kLeastWeightSum);
      for (int64_t i = 0; i < used; ++i) s.scores[i] = s.scores[i] / sum;
    }
    if (params_.weights_scale != 1.0f) {
      for (int64_t i = 0; i < used; ++i) s.scores[i] *= params_.weights_scale;
    }
  }

  struct Expert {
    uint32_t gate, up, down;  // which weights
    int64_t index, inner;     // which expert of them, and its width
    const float *gate_bias, *up_bias, *down_bias;
  };

  void add_expert(const tenon_run& run, const Expert& e, const Rows& x, float weight, const Scratch& s) const {
    for (int64_t i = 0; i < e.inner; ++i) {
      const int64_t row = e.index * e.inner + i;
      const auto gate =
          static_cast<float>(product(run, e.gate, row, x, e.gate_bias == nullptr ? nullptr : e.gate_bias + row, s));
      const auto up =
          static_cast<float>(product(run, e.up, row, x, e.up_bias == nullptr ? nullptr : e.up_bias + row, s));
      s.inner[i] = activate(params_.activation, gate, up, exact_);
    }
    Rows inner{s.inner, e.inner, 1, nullptr};
    if (matrices_[e.down].numeric_class == TENON_CLASS_INT8) {
      quantize_row(s.inner, e.inner, s.glu);
      inner.quantized = s.glu;
    }
    for (int64_t i = 0; i < hidden_; ++i) {
      const int64_t row = e.index * hidden_ + i;
      const double down = product(run, e.down, row, inner, e.down_bias == nullptr ? nullptr : e.down_bias + row, s);
      s.acc[i] = exact_ ? s.acc[i] + double{weight} * down
                        : static_cast<double>(std::fma(weight, static_cast<float>(down), static_cast<float>(s.acc[i])));
    }
  }

  void run_row(const tenon_run& run, int64_t row, const Scratch& s) const {
    Rows x{row_of(run.in[0], row), run.in[0].ld, 1, nullptr};
    if (hidden_ % 32 == 0) {
      quantize_row(x.x, hidden_, s.x);
      x.quantized = s.x;
    }
    route(run, x, s);
    std::fill_n(s.acc, hidden_, 0.0);
    for (int64_t i = 0; i < params_.experts_used; ++i) {
      const Expert expert{TENON_MOE_GATE,
                          TENON_MOE_UP,
                          TENON_MOE_DOWN,
                          s.order[i],
                          inner_,
                          vector_of(run, TENON_MOE_GATE_BIAS),
                          vector_of(run, TENON_MOE_UP_BIAS),
                          vector_of(run, TENON_MOE_DOWN_BIAS)};
      add_expert(run, expert, x, s.scores[i], s);
    }
    if (shared_ > 0) {
      float weight = 1.0f;
      if (matrices_[TENON_MOE_SHARED_ROUTER].rows > 0) {
        weight = sigmoid_f32(static_cast<float>(product(run, TENON_MOE_SHARED_ROUTER, 0, x, nullptr, s)));
      }
      add_expert(
          run,
          {TENON_MOE_SHARED_GATE, TENON_MOE_SHARED_UP, TENON_MOE_SHARED_DOWN, 0, shared_, nullptr, nullptr, nullptr}, x,
          weight, s);
    }
    const float* add = params_.has_add != 0 ? row_of(run.in[1], row) : nullptr;
    float* out = row_of(run.out[0], row);
    for (int64_t i = 0; i < hidden_; ++i) {
      const auto acc = static_cast<float>(s.acc[i]);
      out[i] = add == nullptr ? acc : exact_ ? static_cast<float>(double{add[i]} + s.acc[i]) : add[i] + acc;
    }
  }

  tenon_moe_params params_;
  Matrix matrices_[TENON_MOE_N_WEIGHTS];
  bool exact_ = false;
  int64_t hidden_ = 0, inner_ = 0, shared_ = 0;
};

tenon_support supports(const OpView& op) {
  constexpr std::string_view kNames[] = {"router", "gate", "up", "down"};
  for (uint32_t i = 0; i < 4; ++i) {
    const std::string problem = check_matrix(op.weight(i), kNames[i], op.numeric_class());
    if (!problem.empty()) return no(problem);
  }
  for (const uint32_t i :
       {TENON_MOE_SHARED_ROUTER, TENON_MOE_SHARED_GATE, TENON_MOE_SHARED_UP, TENON_MOE_SHARED_DOWN}) {
    if (is_absent(op.weight(i))) continue;
    const std::string problem = check_matrix(op.weight(i), "a shared expert's weight", op.numeric_class());
    if (!problem.empty()) return no(problem);
  }
  const auto params = op.params<tenon_moe_params>();
  const int64_t n = params.n_experts;
  const int64_t inner = rows_of(op.weight(TENON_MOE_GATE)) / n, hidden = row_width(op.weight(TENON_MOE_GATE));
  struct Vector {
    uint32_t index;
    int64_t width;
  };
  for (const Vector v : {Vector{TENON_MOE_ROUTER_BIAS, n},
                         {TENON_MOE_GATE_BIAS, n * inner},
                         {TENON_MOE_UP_BIAS, n * inner},
                         {TENON_MOE_DOWN_BIAS, n * hidden},
                         {TENON_MOE_SELECTION_BIAS, n}}) {
    const std::string problem = check_vector(op.weight(v.index), "a bias", v.width, true);
    if (!problem.empty()) return no(problem);
  }
  const uint32_t numeric_class = matrix_of(op.weight(TENON_MOE_GATE), op.numeric_class()).numeric_class;
  const std::string dtype(find_dtype(op.weight(TENON_MOE_GATE).dtype)->name);
  return yes("moe_" + dtype + "_reference", numeric_class,
             static_cast<float>(3 * params.experts_used * inner * hidden));
}

}  // namespace

OpEntry moe_entry() {
  return {"moe", supports, [](const OpView& op) -> std::unique_ptr<Kernel> { return std::make_unique<Moe>(op); }};
}

}  // namespace tenon::reference
