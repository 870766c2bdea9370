// attention: appends k and v of the batch's rows to the pages, then attends causally, partition by partition. With many
// rows a task is up to kRows rows of a sequence and one kv head, whose query heads share the loaded keys and values.
// With few rows and a long context a task is one partition, and the parts are merged after the last; the sums are the
// same.
#include "ops.hpp"
#include "packed.hpp"
#include "partition.hpp"

#include <tenon/op_contract.hpp>

namespace tenon::panels {
namespace {

constexpr int64_t kRows = 16;
constexpr int64_t kMostSplitRows = 8;  // of a run whose partitions are spread over the workers

PageType page_type(uint32_t kv_dtype) {
  if (kv_dtype == TENON_Q8_0) return PageType::q8_0;
  return kv_dtype == TENON_F16 ? PageType::f16 : PageType::f32;
}

class Attention final : public PanelOp {
 public:
  explicit Attention(const OpView& op)
      : PanelOp(op),
        p_(op.params<tenon_attention_params>()),
        type_(page_type(p_.kv_dtype)),
        group_(p_.n_heads / p_.n_kv_heads),
        v_stride_((p_.v_head_dim + 7) / 8 * 8),
        key_bytes_(row_bytes(static_cast<DType>(p_.kv_dtype), p_.head_dim)),
        value_bytes_(row_bytes(static_cast<DType>(p_.kv_dtype), v_stride_)) {
    const int64_t n_tokens = p_.n_kv_heads * p_.page_tokens;
    page_bytes_ = (n_tokens * (key_bytes_ + value_bytes_) + 63) / 64 * 64;
  }

  Result<tenon_kv_plan> kv_plan() const override {
    tenon_kv_plan plan{};
    plan.size = sizeof plan;
    plan.alignment = 64;
    plan.page_bytes = static_cast<uint64_t>(page_bytes_);
    copy_text(plan.layout, sizeof plan.layout,
              "kv/token8/" + std::string(info_of(static_cast<DType>(p_.kv_dtype)).name) + "/1");
    return plan;
  }

  uint64_t workspace_bytes(int64_t n_rows, uint32_t n_threads, int64_t n_context) const override {
    const int64_t n_parts = (n_context + kPartition - 1) / kPartition;
    Carver carver(nullptr);
    take_parts(carver, std::min(n_rows, kMostSplitRows) * p_.n_heads * n_parts);
    return static_cast<uint64_t>(carver.bytes() + scratch(nullptr).bytes * n_threads);
  }

  Result<void> run(const tenon_run& run) const override {
    const auto appended = append(run);
    if (!appended) return appended;
    int64_t n_slices = 0, n_parts = 0;
    for (int64_t s = 0; s < run.batch->n_sequences; ++s) {
      const tenon_batch_sequence& sequence = run.batch->sequences[s];
      n_slices += n_slices_of(sequence);
      n_parts = std::max(n_parts, (sequence.first_position + sequence.n_rows - 1) / kPartition + 1);
    }
    if (run.n_rows <= kMostSplitRows && n_parts > 1 && run.exec->n_threads > 1) return run_split(run, n_parts);
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

  /// One worker's memory for a slice.
  struct Scratch {
    Query* queries;  // [kRows * group]
    Merged* merged;  // [kRows * group]
    float *p, *o, *merged_o;
    int64_t bytes;
  };
  Scratch scratch(std::byte* base) const {
    const int64_t n = kRows * group_;
    Carver carver(base);
    Scratch s{};
    s.queries = carver.take<Query>(n);
    s.merged = carver.take<Merged>(n);
    s.p = carver.take<float>(n * kPartition);
    s.o = carver.take<float>(n * v_stride_);
    s.merged_o = carver.take<float>(n * v_stride_);
    s.bytes = carver.bytes();
    return s;
  }

  /// Results of single partitions: m and l, and o [v_stride].
  struct Parts {
    float *m, *l, *o;
  };
  Parts take_parts(Carver& carver, int64_t n) const {
    float* m = carver.take<float>(n);
    float* l = carver.take<float>(n);
    return {m, l, carver.take<float>(n * v_stride_)};
  }

  static int64_t n_slices_of(const tenon_batch_sequence& sequence) { return (sequence.n_rows + kRows - 1) / kRows; }
  static Slice slice(const tenon_batch& batch, int64_t index) {
    const tenon_batch_sequence* sequence = batch.sequences;
    while (index >= n_slices_of(*sequence)) index -= n_slices_of(*sequence++);
    const int64_t at = index * kRows;
    return {sequence, sequence->first_row + at, std::min(kRows, sequence->n_rows - at), sequence->first_position + at};
  }

  // ---- pages

  std::byte* page(const tenon_run& run, const int32_t* pages, int64_t position) const {
    return static_cast<std::byte*>(run.kv) + pages[position / p_.page_tokens] * page_bytes_;
  }
  /// Of the group of eight that the token belongs to.
  int64_t key_offset(int64_t kv_head, int64_t token) const {
    return (kv_head * p_.page_tokens + token / kTokens * kTokens) * key_bytes_;
  }
  int64_t value_offset(int64_t kv_head, int64_t token) const {
    return p_.n_kv_heads * p_.page_tokens * key_bytes_ + (kv_head * p_.page_tokens + token) * value_bytes_;
  }

  Result<void> append(const tenon_run& run) const {
    constexpr int64_t kRowsPerTask = 32;  // tokens of a group of eight share cache lines
    for (int64_t s = 0; s < run.batch->n_sequences; ++s) {
      const tenon_batch_sequence& sequence = run.batch->sequences[s];
      const auto store = [&](int64_t i, uint32_t) { append_row(run, sequence, i); };
      if (sequence.n_rows < kRowsPerTask) {
        for (int64_t i = 0; i < sequence.n_rows; ++i) store(i, 0);
        continue;
      }
      const auto done = for_each_chunk(*run.exec, sequence.n_rows, kRowsPerTask, store);
      if (!done) return done;
    }
    return {};
  }

  void append_row(const tenon_run& run, const tenon_batch_sequence& sequence, int64_t i) const {
    const int64_t row = sequence.first_row + i, position = sequence.first_position + i;
    const int64_t token = position % p_.page_tokens;
    std::byte* base = page(run, sequence.pages, position);
    for (int64_t h = 0; h < p_.n_kv_heads; ++h) {
      store_key(type_, row_of(run.in[1], row) + h * p_.head_dim, p_.head_dim, token % kTokens,
                base + key_offset(h, token));
      store_value(type_, row_of(run.in[2], row) + h * p_.v_head_dim, p_.v_head_dim, v_stride_,
                  base + value_offset(h, token));
    }
  }

  /// The groups of [begin, end) within the partition that starts at position `start`.
  PartitionView view(const tenon_run& run, const int32_t* pages, int64_t kv_head, int64_t start, int64_t begin,
                     int64_t end) const {
    PartitionView v;
    v.head_dim = p_.head_dim;
    v.v_head_dim = p_.v_head_dim;
    v.v_stride = v_stride_;
    v.type = type_;
    v.scale = p_.scale;
    v.softcap = p_.softcap;
    for (int64_t g = begin / kTokens; g * kTokens < end; ++g) {
      const int64_t position = start + g * kTokens, token = position % p_.page_tokens;
      const std::byte* base = page(run, pages, position);
      v.keys[g] = base + key_offset(kv_head, token);
      v.values[g] = base + value_offset(kv_head, token);
    }
    return v;
  }

  // ---- queries

  /// The first position that a query sees.
  int64_t first_seen(int64_t position) const {
    return p_.window > 0 ? std::max<int64_t>(0, position - p_.window + 1) : 0;
  }
  const float* query_of(const tenon_run& run, int64_t row, int64_t head) const {
    return row_of(run.in[0], row) + head * p_.head_dim;
  }

  void attend(const tenon_run& run, const Slice& slice, int64_t kv_head, const Scratch& s) const {
    const int64_t n = slice.n_rows * group_;
    for (int64_t i = 0; i < n; ++i) {
      s.merged[i].o = s.merged_o + i * v_stride_;
      start_merge(s.merged[i], v_stride_);
    }
    // Of the slice's rows the first sees farthest back, the last farthest ahead.
    const int64_t first = first_seen(slice.first_position), last = slice.first_position + slice.n_rows - 1;
    for (int64_t start = first / kPartition * kPartition; start <= last; start += kPartition) {
      const int64_t begin = std::max(start, first) - start, end = std::min(start + kPartition, last + 1) - start;
      const PartitionView keys_values = view(run, slice.sequence->pages, kv_head, start, begin, end);
      int64_t n_queries = 0;
      const int64_t first_query = take_queries(run, slice, kv_head, start, s, n_queries);
      attend_partition(keys_values, s.queries, n_queries);
      for (int64_t i = 0; i < n_queries; ++i) {
        const Query& q = s.queries[i];
        merge(s.merged[first_query + i], q.m, q.l, q.o, v_stride_);
      }
    }
    for (int64_t i = 0; i < n; ++i) {
      finish(run, slice.first_row + i / group_, kv_head * group_ + i % group_, s.merged[i]);
    }
  }

  /// Queries that see something of the partition: neighbours, since rows see more and more. Gives the first one's
  /// number.
  int64_t take_queries(const tenon_run& run, const Slice& slice, int64_t kv_head, int64_t start, const Scratch& s,
                       int64_t& n_queries) const {
    int64_t first = 0;
    for (int64_t i = 0; i < slice.n_rows; ++i) {
      const int64_t position = slice.first_position + i;
      const int64_t begin = std::max(start, first_seen(position)) - start;
      const int64_t end = std::min(start + kPartition, position + 1) - start;
      if (begin >= end) {
        if (n_queries == 0) first = (i + 1) * group_;
        continue;
      }
      for (int64_t h = 0; h < group_; ++h, ++n_queries) {
        s.queries[n_queries] = {query_of(run, slice.first_row + i, kv_head * group_ + h),
                                begin,
                                end,
                                s.p + n_queries * kPartition,
                                s.o + n_queries * v_stride_,
                                0.0f,
                                0.0f};
      }
    }
    return first;
  }

  void finish(const tenon_run& run, int64_t row, int64_t head, Merged& state) const {
    if (p_.has_sinks != 0) merge_sink(state, vector_of(run, 0)[head], v_stride_);
    finish_merge(state, p_.v_head_dim, row_of(run.out[0], row) + head * p_.v_head_dim);
  }

  // ---- few rows: partitions over the workers

  Result<void> run_split(const tenon_run& run, int64_t n_parts) const {
    const int64_t scratch_bytes = scratch(nullptr).bytes;
    Carver carver(static_cast<std::byte*>(run.workspace) + run.exec->n_threads * scratch_bytes);
    const Parts parts = take_parts(carver, run.n_rows * p_.n_heads * n_parts);
    const int64_t n_tasks = run.n_rows * p_.n_kv_heads * n_parts;
    const auto done = parallel_for(*run.exec, n_tasks, [&](int64_t task, uint32_t worker) {
      const int64_t row = task / (p_.n_kv_heads * n_parts), kv_head = task / n_parts % p_.n_kv_heads;
      const Slice one = slice_of_row(*run.batch, row);
      const int64_t start = task % n_parts * kPartition, position = one.first_position;
      const int64_t begin = std::max(start, first_seen(position)), end = std::min(start + kPartition, position + 1);
      if (begin >= end) return;
      const PartitionView keys_values = view(run, one.sequence->pages, kv_head, start, begin - start, end - start);
      const Scratch s = scratch(static_cast<std::byte*>(run.workspace) + worker * scratch_bytes);
      int64_t n_queries = 0;
      take_queries(run, one, kv_head, start, s, n_queries);
      for (int64_t h = 0; h < group_; ++h)
        s.queries[h].o = parts.o + part_of(row, kv_head * group_ + h, start, n_parts) * v_stride_;
      attend_partition(keys_values, s.queries, n_queries);
      for (int64_t h = 0; h < group_; ++h) {
        const int64_t part = part_of(row, kv_head * group_ + h, start, n_parts);
        parts.m[part] = s.queries[h].m;
        parts.l[part] = s.queries[h].l;
      }
    });
    if (!done) return done;
    Merged state{0.0f, 0.0f, scratch(static_cast<std::byte*>(run.workspace)).merged_o};
    for (int64_t row = 0; row < run.n_rows; ++row) {
      const int64_t position = slice_of_row(*run.batch, row).first_position;
      for (int64_t head = 0; head < p_.n_heads; ++head) {
        start_merge(state, v_stride_);
        for (int64_t start = first_seen(position) / kPartition * kPartition; start <= position; start += kPartition) {
          const int64_t part = part_of(row, head, start, n_parts);
          merge(state, parts.m[part], parts.l[part], parts.o + part * v_stride_, v_stride_);
        }
        finish(run, row, head, state);
      }
    }
    return {};
  }

  int64_t part_of(int64_t row, int64_t head, int64_t start, int64_t n_parts) const {
    return (row * p_.n_heads + head) * n_parts + start / kPartition;
  }

  static Slice slice_of_row(const tenon_batch& batch, int64_t row) {
    const tenon_batch_sequence* s = batch.sequences;
    while (row >= s->first_row + s->n_rows) ++s;
    return {s, row, 1, s->first_position + row - s->first_row};
  }

  tenon_attention_params p_;
  PageType type_;
  int64_t group_, v_stride_;
  int64_t key_bytes_, value_bytes_;  // of one token and kv head
  int64_t page_bytes_ = 0;
};

tenon_support supports(const OpView& op) {
  const std::string problem = check_attention(op);
  if (!problem.empty()) return no(problem);
  const auto p = op.params<tenon_attention_params>();
  // Of 1,000 cached positions, since the number is not known here.
  return answer(op, problem, find_dtype(p.kv_dtype)->name, false, 1000 * p.n_heads * (p.head_dim + p.v_head_dim));
}

}  // namespace

OpEntry attention_entry() { return {"attention", supports, make_kernel<Attention>}; }

}  // namespace tenon::panels
