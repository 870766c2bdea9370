// attention: appends k and v of the batch's rows to the pages, then attends causally. For a query row and head, cached
// positions are taken in partitions of 256 at fixed absolute places; core/README.md fixes every sum inside one and the
// merging, so that a result depends neither on the page size nor on how a prompt is cut into batches.
// A task is up to kRows rows of a sequence and one kv head: keys and values of a partition are widened once for all of
// its rows and query heads.
#include "elementwise.hpp"
#include "kv_pages.hpp"

#include <algorithm>
#include <limits>

namespace tenon::reference {
namespace {

constexpr int64_t kPartition = TENON_ATTENTION_PARTITION;
constexpr int64_t kRows = 16;
constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

inline float tanh_of(float x) { return tanh_f32(x); }
inline double tanh_of(double x) { return std::tanh(x); }

/// T: float, or double for class exact64.
template <class T>
class Attention final : public FileOrderKernel {
 public:
  explicit Attention(const OpView& op) : FileOrderKernel(op), p_(op.params<tenon_attention_params>()), pages_(p_) {}

  Result<tenon_kv_plan> kv_plan() const override {
    tenon_kv_plan plan{};
    plan.size = sizeof plan;
    plan.alignment = 64;
    plan.page_bytes = static_cast<uint64_t>(pages_.page_bytes());
    copy_text(plan.layout, sizeof plan.layout, pages_.layout());
    return plan;
  }

  uint64_t workspace_bytes(int64_t, uint32_t n_threads, int64_t) const override {
    return static_cast<uint64_t>(scratch(nullptr).bytes) * n_threads;
  }

  Result<void> run(const tenon_run& run) const override {
    const auto appended = append(run);
    if (!appended) return appended;
    int64_t n_slices = 0;
    for (int64_t s = 0; s < run.batch->n_sequences; ++s) n_slices += n_slices_of(run.batch->sequences[s]);
    return parallel_for(*run.exec, n_slices * p_.n_kv_heads, [&](int64_t task, uint32_t worker) {
      auto* base = static_cast<std::byte*>(run.workspace) + worker * scratch(nullptr).bytes;
      attend(run, slice(*run.batch, task / p_.n_kv_heads), task % p_.n_kv_heads, scratch(base));
    });
  }

 private:
  /// Up to kRows neighbouring rows of one sequence.
  struct Slice {
    const tenon_batch_sequence* sequence;
    int64_t first_row, n_rows, first_position;
  };

  /// State of the merged partitions of each (row, query head of the group), and one partition's scratch.
  struct Scratch {
    float *keys, *values;  // [kPartition, head_dim], [kPartition, v_head_dim]
    T *q, *p, *o;          // [head_dim], [kPartition], [v_head_dim]
    T *highest, *total;    // [kRows * group]
    T* merged;             // [kRows * group, v_head_dim]
    int64_t bytes;
  };

  Scratch scratch(void* base) const {
    const int64_t n = kRows * group();
    Carver carver(base);
    Scratch s{};
    s.keys = carver.take<float>(kPartition * p_.head_dim);
    s.values = carver.take<float>(kPartition * p_.v_head_dim);
    s.q = carver.take<T>(p_.head_dim);
    s.p = carver.take<T>(kPartition);
    s.o = carver.take<T>(p_.v_head_dim);
    s.highest = carver.take<T>(n);
    s.total = carver.take<T>(n);
    s.merged = carver.take<T>(n * p_.v_head_dim);
    s.bytes = carver.bytes();
    return s;
  }

  int64_t group() const { return p_.n_heads / p_.n_kv_heads; }
  static int64_t n_slices_of(const tenon_batch_sequence& sequence) { return (sequence.n_rows + kRows - 1) / kRows; }

  static Slice slice(const tenon_batch& batch, int64_t index) {
    const tenon_batch_sequence* sequence = batch.sequences;
    while (index >= n_slices_of(*sequence)) index -= n_slices_of(*sequence++);
    const int64_t at = index * kRows;
    return {sequence, sequence->first_row + at, std::min(kRows, sequence->n_rows - at), sequence->first_position + at};
  }

  Result<void> append(const tenon_run& run) const {
    for (int64_t s = 0; s < run.batch->n_sequences; ++s) {
      const tenon_batch_sequence& sequence = run.batch->sequences[s];
      const auto done = parallel_for(*run.exec, sequence.n_rows, [&](int64_t i, uint32_t) {
        const int64_t row = sequence.first_row + i;
        pages_.store(run.kv, sequence.pages, sequence.first_position + i, row_of(run.in[1], row),
                     row_of(run.in[2], row));
      });
      if (!done) return done;
    }
    return {};
  }

  /// The first position that a query sees.
  int64_t first_seen(int64_t position) const {
    return p_.window > 0 ? std::max<int64_t>(0, position - p_.window + 1) : 0;
  }

  void attend(const tenon_run& run, const Slice& slice, int64_t kv_head, const Scratch& s) const {
    const int64_t n = slice.n_rows * group();
    std::fill_n(s.highest, n, T{kMinusInfinity});
    std::fill_n(s.total, n, T{0});
    std::fill_n(s.merged, n * p_.v_head_dim, T{0});
    // Of the slice's rows the first sees farthest back, the last farthest ahead.
    const int64_t first = first_seen(slice.first_position), last = slice.first_position + slice.n_rows - 1;
    const int32_t* pages = slice.sequence->pages;
    for (int64_t start = first / kPartition * kPartition; start <= last; start += kPartition) {
      const int64_t begin = std::max(start, first), end = std::min(start + kPartition, last + 1);
      pages_.load_keys(run.kv, pages, kv_head, begin, end, s.keys + (begin - start) * p_.head_dim);
      pages_.load_values(run.kv, pages, kv_head, begin, end, s.values + (begin - start) * p_.v_head_dim);
      for (int64_t i = 0; i < slice.n_rows; ++i) {
        const int64_t position = slice.first_position + i;
        const int64_t seen = std::max(begin, first_seen(position)) - start,
                      n_seen = std::min(end, position + 1) - start;
        if (seen >= n_seen) continue;
        for (int64_t h = 0; h < group(); ++h) {
          const float* q = row_of(run.in[0], slice.first_row + i) + (kv_head * group() + h) * p_.head_dim;
          take_partition(q, seen, n_seen, i * group() + h, s);
        }
      }
    }
    finish(run, slice, kv_head, s);
  }

  /// Positions [begin, end) of the partition in s.keys and s.values, into state `at`.
  void take_partition(const float* q, int64_t begin, int64_t end, int64_t at, const Scratch& s) const {
    for (int64_t d = 0; d < p_.head_dim; ++d) s.q[d] = T{q[d]};
    dots(s.q, s.keys + begin * p_.head_dim, end - begin, p_.head_dim, s.p + begin);
    T m = T{kMinusInfinity};
    for (int64_t j = begin; j < end; ++j) {
      s.p[j] = T{p_.scale} * s.p[j];
      if (p_.softcap > 0) s.p[j] = T{p_.softcap} * tanh_of(s.p[j] / T{p_.softcap});
      m = std::max(m, s.p[j]);
    }
    exp_minus(m, s.p + begin, end - begin);
    // The partial sums go by the place in the partition; what is masked adds nothing.
    const T l = eight_way_sum<T>(end, [&](int64_t j) { return j < begin ? T{0} : s.p[j]; });
    weighted_sum(s.p + begin, s.values + begin * p_.v_head_dim, end - begin, p_.v_head_dim, s.o);
    merge(at, m, l, s);
  }

  /// s.o with its highest score m and sum l into state `at`.
  void merge(int64_t at, T m, T l, const Scratch& s) const {
    const T next = std::max(s.highest[at], m);
    T factors[2] = {s.highest[at], m};
    exp_minus(next, factors, 2);
    T* merged = s.merged + at * p_.v_head_dim;
    s.highest[at] = next;
    s.total[at] = s.total[at] * factors[0] + l * factors[1];
    for (int64_t d = 0; d < p_.v_head_dim; ++d) merged[d] = merged[d] * factors[0] + s.o[d] * factors[1];
  }

  void finish(const tenon_run& run, const Slice& slice, int64_t kv_head, const Scratch& s) const {
    for (int64_t i = 0; i < slice.n_rows; ++i) {
      for (int64_t h = 0; h < group(); ++h) {
        const int64_t at = i * group() + h, head = kv_head * group() + h;
        if (p_.has_sinks != 0) {
          // A partition of one position without a value.
          std::fill_n(s.o, p_.v_head_dim, T{0});
          merge(at, T{vector_of(run, 0)[head]}, T{1}, s);
        }
        const T inverse = T{1} / s.total[at];
        float* out = row_of(run.out[0], slice.first_row + i) + head * p_.v_head_dim;
        for (int64_t d = 0; d < p_.v_head_dim; ++d) {
          out[d] = static_cast<float>(s.merged[at * p_.v_head_dim + d] * inverse);
        }
      }
    }
  }

  tenon_attention_params p_;
  KvPages pages_;
};

tenon_support supports(const OpView& op) {
  const std::string problem = check_attention(op);
  if (!problem.empty()) return no(problem);
  const auto p = op.params<tenon_attention_params>();
  const uint32_t numeric_class = elementwise_class(op);
  // Of 1,000 cached positions, since the number is not known here.
  const auto cost = static_cast<float>(1000 * p.n_heads * (p.head_dim + p.v_head_dim));
  return yes("attention_" + std::string(find_dtype(p.kv_dtype)->name) + "_" + std::string(class_name(numeric_class)) +
                 "_reference",
             numeric_class, cost);
}

std::unique_ptr<Kernel> create(const OpView& op) {
  return is_exact(op) ? make_kernel<Attention<double>>(op) : make_kernel<Attention<float>>(op);
}

}  // namespace

OpEntry attention_entry() { return {"attention", supports, create}; }

}  // namespace tenon::reference
