// attention: appends k and v to the pages, then attends causally; core/README.md fixes the order of every sum.
// Pages hold k [n_kv_heads][page_tokens][head_dim], then v [n_kv_heads][page_tokens][v_head_dim], in f32 or f16.
#include "op.hpp"

#include "sums.hpp"

#include <tenon/convert.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tenon::reference {
namespace {

class Attention final : public FileOrderKernel {
 public:
  explicit Attention(const OpView& op)
      : FileOrderKernel(op),
        p_(op.params<tenon_attention_params>()),
        exact_(elementwise_class(op) == TENON_CLASS_EXACT64) {
    element_bytes_ = p_.kv_dtype == TENON_F16 ? 2 : 4;
  }

  Result<tenon_kv_plan> kv_plan() const override {
    tenon_kv_plan plan{};
    plan.size = sizeof plan;
    plan.alignment = 64;
    plan.page_bytes = static_cast<uint64_t>(page_bytes());
    copy_text(plan.layout, sizeof plan.layout,
              p_.kv_dtype == TENON_F16 ? "kv/head-token-dim/f16/1" : "kv/head-token-dim/f32/1");
    return plan;
  }

  uint64_t workspace_bytes(int64_t, uint32_t n_threads, int64_t) const override {
    return static_cast<uint64_t>(worker_bytes()) * n_threads;
  }

  Result<void> run(const tenon_run& run) const override {
    append(run);
    const int64_t n_tasks = run.n_rows * p_.n_heads;
    return parallel_for(*run.exec, n_tasks, [&](int64_t task, uint32_t worker) {
      attend(run, task / p_.n_heads, task % p_.n_heads,
             static_cast<std::byte*>(run.workspace) + worker * worker_bytes());
    });
  }

 private:
  struct Cell {
    std::byte* page;
    int64_t slot;  // token inside the page
  };

  int64_t worker_bytes() const {
    const int64_t doubles = TENON_ATTENTION_PARTITION + 2 * p_.v_head_dim;
    return aligned64(doubles * static_cast<int64_t>(sizeof(double)));
  }

  Cell cell(const tenon_run& run, const tenon_batch_sequence& sequence, int64_t position) const {
    const auto page = static_cast<int64_t>(sequence.pages[position / p_.page_tokens]);
    return {static_cast<std::byte*>(run.kv) + page * page_bytes(), position % p_.page_tokens};
  }
  int64_t page_bytes() const {
    return aligned64(p_.n_kv_heads * p_.page_tokens * (p_.head_dim + p_.v_head_dim) * element_bytes_);
  }
  std::byte* key(const Cell& c, int64_t kv_head) const {
    return c.page + (kv_head * p_.page_tokens + c.slot) * p_.head_dim * element_bytes_;
  }
  std::byte* value(const Cell& c, int64_t kv_head) const {
    return c.page +
           (p_.n_kv_heads * p_.page_tokens * p_.head_dim + (kv_head * p_.page_tokens + c.slot) * p_.v_head_dim) *
               element_bytes_;
  }

  void store(const float* from, int64_t n, std::byte* to) const {
    for (int64_t i = 0; i < n; ++i) {
      if (p_.kv_dtype == TENON_F16) {
        const uint16_t half = f32_to_f16(from[i]);
        std::memcpy(to + 2 * i, &half, 2);
      } else {
        std::memcpy(to + 4 * i, from + i, 4);
      }
    }
  }
  float load(const std::byte* from, int64_t i) const {
    if (p_.kv_dtype == TENON_F16) {
      uint16_t half;
      std::memcpy(&half, from + 2 * i, 2);
      return f16_to_f32(half);
    }
    float single;
    std::memcpy(&single, from + 4 * i, 4);
    return single;
  }

  void append(const tenon_run& run) const {
    for (int64_t s = 0; s < run.batch->n_sequences; ++s) {
      const tenon_batch_sequence& sequence = run.batch->sequences[s];
      for (int64_t i = 0; i < sequence.n_rows; ++i) {
        const Cell c = cell(run, sequence, sequence.first_position + i);
        const float* k = row_of(run.in[1], sequence.first_row + i);
        const float* v = row_of(run.in[2], sequence.first_row + i);
        for (int64_t h = 0; h < p_.n_kv_heads; ++h) {
          store(k + h * p_.head_dim, p_.head_dim, key(c, h));
          store(v + h * p_.v_head_dim, p_.v_head_dim, value(c, h));
        }
      }
    }
  }

  template <class T>
  T score(const float* q, const std::byte* k) const {
    T dot = 0;
    for (int64_t d = 0; d < p_.head_dim; ++d) {
      if constexpr (std::is_same_v<T, double>) {
        dot += double{q[d]} * double{load(k, d)};
      } else {
        dot = std::fma(q[d], load(k, d), dot);
      }
    }
    T s = dot * static_cast<T>(p_.scale);
    if (p_.softcap > 0) {
      const T cap = static_cast<T>(p_.softcap);
      if constexpr (std::is_same_v<T, double>) {
        s = cap * std::tanh(s / cap);
      } else {
        s = cap * tanh_f32(s / cap);
      }
    }
    return s;
  }

  static double exponential(double x) { return std::exp(x); }
  static float exponential(float x) { return exp_f32(x); }

  void attend(const tenon_run& run, int64_t row, int64_t head, std::byte* scratch) const {
    if (exact_) {
      attend_as<double>(run, row, head, reinterpret_cast<double*>(scratch));
    } else {
      attend_as<float>(run, row, head, reinterpret_cast<float*>(scratch));
    }
  }

  /// scratch: p [partition], o [v_head_dim] of a partition, O [v_head_dim] merged.
  template <class T>
  void attend_as(const tenon_run& run, int64_t row, int64_t head, T* scratch) const {
    const tenon_batch_sequence* sequence = run.batch->sequences;
    while (row >= sequence->first_row + sequence->n_rows) ++sequence;
    const int64_t position = sequence->first_position + (row - sequence->first_row);
    const int64_t kv_head = head / (p_.n_heads / p_.n_kv_heads);
    const int64_t first = p_.window > 0 ? std::max<int64_t>(0, position - p_.window + 1) : 0;
    const float* q = row_of(run.in[0], row) + head * p_.head_dim;
    T* p = scratch;
    T* o = p + TENON_ATTENTION_PARTITION;
    T* merged = o + p_.v_head_dim;
    std::fill_n(merged, p_.v_head_dim, T{0});
    T highest = -INFINITY, total = 0;
    constexpr int64_t kPartition = TENON_ATTENTION_PARTITION;
    for (int64_t start = first / kPartition * kPartition; start <= position; start += kPartition) {
      const int64_t begin = std::max(start, first), end = std::min(start + kPartition, position + 1);
      T m = -INFINITY;
      for (int64_t j = begin; j < end; ++j) {
        p[j - start] = score<T>(q, key(cell(run, *sequence, j), kv_head));
        m = std::max(m, p[j - start]);
      }
      for (int64_t j = begin; j < end; ++j) p[j - start] = exponential(p[j - start] - m);
      // Masked positions add nothing; the partial sums go by the place in the partition.
      const T l = eight_way_sum<T>(end - start, [&](int64_t i) { return i < begin - start ? T{0} : p[i]; });
      std::fill_n(o, p_.v_head_dim, T{0});
      for (int64_t j = begin; j < end; ++j) {
        const std::byte* v = value(cell(run, *sequence, j), kv_head);
        for (int64_t d = 0; d < p_.v_head_dim; ++d) o[d] = std::fma(p[j - start], static_cast<T>(load(v, d)), o[d]);
      }
      merge(highest, total, merged, m, l, o);
    }
    if (p_.has_sinks != 0) merge<T>(highest, total, merged, static_cast<T>(vector_of(run, 0)[head]), T{1}, nullptr);
    float* out = row_of(run.out[0], row) + head * p_.v_head_dim;
    const T inverse = T{1} / total;
    for (int64_t d = 0; d < p_.v_head_dim; ++d) out[d] = static_cast<float>(merged[d] * inverse);
  }

  /// o == nullptr: a partition without values (the sink).
  template <class T>
  void merge(T& highest, T& total, T* merged, T m, T l, const T* o) const {
    const T next = std::max(highest, m);
    const T keep = exponential(highest - next), add = exponential(m - next);
    total = total * keep + l * add;
    for (int64_t d = 0; d < p_.v_head_dim; ++d) merged[d] = merged[d] * keep + (o == nullptr ? T{0} : o[d] * add);
    highest = next;
  }

  tenon_attention_params p_;
  bool exact_;
  int64_t element_bytes_ = 4;
};

tenon_support supports(const OpView& op) {
  const auto p = op.params<tenon_attention_params>();
  if (p.kv_dtype != TENON_F32 && p.kv_dtype != TENON_F16)
    return no("kv pages are f32 or f16 here, asked is another dtype");
  if (p.n_kv_heads < 1 || p.n_heads % p.n_kv_heads != 0) return no("n_heads is no multiple of n_kv_heads");
  const std::string problem = check_vector(op.weight(0), "the sinks", p.n_heads, true);
  if (!problem.empty()) return no(problem);
  const std::string kv(p.kv_dtype == TENON_F16 ? "f16" : "f32");
  return yes("attention_" + kv + "_reference", elementwise_class(op), 1000);
}

}  // namespace

OpEntry attention_entry() {
  return {"attention", supports,
          [](const OpView& op) -> std::unique_ptr<Kernel> { return std::make_unique<Attention>(op); }};
}

}  // namespace tenon::reference
