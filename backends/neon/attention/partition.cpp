// Scores: chain of fma over the head's elements, eight tokens a vector. Weights: exp(score - m). Values: chain of fma
// over positions, eight elements a vector. Rows only share loaded keys and values, so a query's bits do not depend on
// its neighbours. Bit-exact to class f32 (core/README.md, "attention").
#include "panels/partition.hpp"

#include "../vector/eight_way.hpp"
#include "../vector/exp.hpp"

namespace tenon::panels {
namespace {

constexpr int kTile = 4;  // queries that share loads: 4 x 2 vectors of sums, which hides the fma's latency

// How each type of page is read. Keys: a run of kRun elements (0: the whole head) shares what open_keys gives; values:
// eight elements from `e` of token `token` of a group.
struct F32 {
  static constexpr int64_t kRun = 0;
  using Keys = const float*;
  static Keys open_keys(const void* group, int64_t d) { return static_cast<const float*>(group) + d * kTokens; }
  static F32x8 key(Keys keys, int64_t d) { return load8(keys + d * kTokens); }
  static F32x8 value(const void* group, int64_t token, int64_t v_stride, int64_t e) {
    return load8(static_cast<const float*>(group) + token * v_stride + e);
  }
};

struct F16 {
  static constexpr int64_t kRun = 0;
  using Keys = const uint16_t*;
  static Keys open_keys(const void* group, int64_t d) { return static_cast<const uint16_t*>(group) + d * kTokens; }
  static F32x8 key(Keys keys, int64_t d) { return widen8(vld1q_u16(keys + d * kTokens)); }
  static F32x8 value(const void* group, int64_t token, int64_t v_stride, int64_t e) {
    return widen8(vld1q_u16(static_cast<const uint16_t*>(group) + token * v_stride + e));
  }
};

struct Q8_0 {
  static constexpr int64_t kRun = 32;
  static constexpr int64_t kBlockBytes = 34;  // of one token's block; eight tokens' lie together in keys
  struct Keys {
    F32x8 scales;
    const int8_t* codes;
  };
  static Keys open_keys(const void* group, int64_t d) {
    const uint8_t* block = static_cast<const uint8_t*>(group) + d / kRun * kTokens * kBlockBytes;
    return {widen8(vld1q_u16(reinterpret_cast<const uint16_t*>(block))),
            reinterpret_cast<const int8_t*>(block + 2 * kTokens)};
  }
  static F32x8 key(const Keys& keys, int64_t d) { return mul8(eight_codes(keys.codes + d * kTokens), keys.scales); }
  static F32x8 value(const void* group, int64_t token, int64_t v_stride, int64_t e) {
    const uint8_t* block = static_cast<const uint8_t*>(group) + (token * v_stride + e) / kRun * kBlockBytes;
    const float16x4_t d = vld1_dup_f16(reinterpret_cast<const float16_t*>(block));
    const float32x4_t scale = vcvt_f32_f16(d);
    return mul8(eight_codes(reinterpret_cast<const int8_t*>(block + 2) + e % kRun), {scale, scale});
  }

 private:
  static F32x8 eight_codes(const int8_t* codes) { return to_f32(to_i32(vld1_s8(codes))); }
};

// ---- scores

/// Queries [0, kQueries) by kGroupsAtOnce groups from `group`: raw q.k into p.
template <class Page, int kQueries, int kGroupsAtOnce>
inline void score_tile(const PartitionView& view, Query* queries, int64_t group) {
  F32x8 acc[kQueries][kGroupsAtOnce];
  for (auto& row : acc) {
    for (F32x8& v : row) v = set8(0.0f);
  }
  const int64_t run = Page::kRun == 0 ? view.head_dim : Page::kRun;
  for (int64_t first = 0; first < view.head_dim; first += run) {
    typename Page::Keys keys[kGroupsAtOnce];
    for (int g = 0; g < kGroupsAtOnce; ++g) keys[g] = Page::open_keys(view.keys[group + g], first);
    for (int64_t d = 0; d < run; ++d) {
      F32x8 k[kGroupsAtOnce];
      for (int g = 0; g < kGroupsAtOnce; ++g) k[g] = Page::key(keys[g], d);
      for (int i = 0; i < kQueries; ++i) {
        const float32x4_t q = vdupq_n_f32(queries[i].q[first + d]);
        for (int g = 0; g < kGroupsAtOnce; ++g) acc[i][g] = fma8(acc[i][g], q, k[g]);
      }
    }
  }
  for (int i = 0; i < kQueries; ++i) {
    for (int g = 0; g < kGroupsAtOnce; ++g) store8(queries[i].p + (group + g) * kTokens, acc[i][g]);
  }
}

template <class Page, int kQueries>
inline void score_queries(const PartitionView& view, Query* queries) {
  int64_t begin = kPartition, end = 0;
  for (int i = 0; i < kQueries; ++i) {
    begin = queries[i].begin < begin ? queries[i].begin : begin;
    end = queries[i].end > end ? queries[i].end : end;
  }
  int64_t group = begin / kTokens;
  const int64_t last = (end + kTokens - 1) / kTokens;
  for (; group + 2 <= last; group += 2) score_tile<Page, kQueries, 2>(view, queries, group);
  if (group < last) score_tile<Page, kQueries, 1>(view, queries, group);
}

// ---- weights

/// p: raw scores to exp(score - m), zero where unseen; m and l.
inline void weigh(const PartitionView& view, Query& query) {
  const int64_t first = query.begin / kTokens * kTokens;
  const F32x8 lowest = set8(-__builtin_inff()), none = set8(0.0f);
  F32x8 m = lowest;
  for (int64_t j = first; j < query.end; j += kTokens) {
    F32x8 s = mul8(set8(view.scale), load8(query.p + j));
    if (view.softcap > 0) s = softcap8(s, view.softcap);
    s = select8(lanes_between(query.begin - j, query.end - j), s, lowest);
    store8(query.p + j, s);
    m = greater8(s, m);
  }
  query.m = highest_lane(m);
  F32x8 partial = none;
  for (int64_t j = first; j < query.end; j += kTokens) {
    const F32x8 e = exp8(sub8(load8(query.p + j), set8(query.m)));
    const F32x8 p = select8(lanes_between(query.begin - j, query.end - j), e, none);
    store8(query.p + j, p);
    partial = add8(partial, p);
  }
  query.l = sum_lanes(partial);
}

// ---- values

/// o[e .. e + 8 kVectors) of queries [0, kQueries) go on over positions [begin, end).
template <class Page, int kQueries, int kVectors>
inline void add_values(const PartitionView& view, Query* queries, int64_t e, int64_t begin, int64_t end) {
  F32x8 acc[kQueries][kVectors];
  for (int i = 0; i < kQueries; ++i) {
    for (int v = 0; v < kVectors; ++v) acc[i][v] = load8(queries[i].o + e + 8 * v);
  }
  for (int64_t j = begin; j < end; ++j) {
    const void* base = view.values[j / kTokens];
    F32x8 value[kVectors];
    for (int v = 0; v < kVectors; ++v) value[v] = Page::value(base, j % kTokens, view.v_stride, e + 8 * v);
    for (int i = 0; i < kQueries; ++i) {
      const float32x4_t p = vdupq_n_f32(queries[i].p[j]);
      for (int v = 0; v < kVectors; ++v) acc[i][v] = fma8(acc[i][v], p, value[v]);
    }
  }
  for (int i = 0; i < kQueries; ++i) {
    for (int v = 0; v < kVectors; ++v) store8(queries[i].o + e + 8 * v, acc[i][v]);
  }
}

template <class Page, int kQueries>
inline void add_range(const PartitionView& view, Query* queries, int64_t begin, int64_t end) {
  int64_t e = 0;
  if (kQueries == 1) {
    for (; e + 64 <= view.v_stride; e += 64) add_values<Page, kQueries, 8>(view, queries, e, begin, end);
  }
  for (; e + 16 <= view.v_stride; e += 16) add_values<Page, kQueries, 2>(view, queries, e, begin, end);
  for (; e < view.v_stride; e += 8) add_values<Page, kQueries, 1>(view, queries, e, begin, end);
}

/// Together where all see a position, one by one before and after: what a query does not see never touches its sums.
template <class Page, int kQueries>
inline void sum_values(const PartitionView& view, Query* queries) {
  int64_t begin = 0, end = kPartition;
  for (int i = 0; i < kQueries; ++i) {
    for (int64_t e = 0; e < view.v_stride; e += 8) store8(queries[i].o + e, set8(0.0f));
    begin = queries[i].begin > begin ? queries[i].begin : begin;
    end = queries[i].end < end ? queries[i].end : end;
  }
  if (begin >= end) {
    for (int i = 0; i < kQueries; ++i) add_range<Page, 1>(view, queries + i, queries[i].begin, queries[i].end);
    return;
  }
  for (int i = 0; i < kQueries; ++i) {
    if (queries[i].begin < begin) add_range<Page, 1>(view, queries + i, queries[i].begin, begin);
  }
  add_range<Page, kQueries>(view, queries, begin, end);
  for (int i = 0; i < kQueries; ++i) {
    if (end < queries[i].end) add_range<Page, 1>(view, queries + i, end, queries[i].end);
  }
}

template <class Page, int kQueries>
inline void attend_tile(const PartitionView& view, Query* queries) {
  score_queries<Page, kQueries>(view, queries);
  for (int i = 0; i < kQueries; ++i) weigh(view, queries[i]);
  sum_values<Page, kQueries>(view, queries);
}

template <class Page>
inline void attend(const PartitionView& view, Query* queries, int64_t n) {
  for (; n >= kTile; n -= kTile, queries += kTile) attend_tile<Page, kTile>(view, queries);
  if (n == 3) attend_tile<Page, 3>(view, queries);
  if (n == 2) attend_tile<Page, 2>(view, queries);
  if (n == 1) attend_tile<Page, 1>(view, queries);
}

}  // namespace

void attend_partition(const PartitionView& view, Query* queries, int64_t n_queries) {
  switch (view.type) {
    case PageType::f32: return attend<F32>(view, queries, n_queries);
    case PageType::f16: return attend<F16>(view, queries, n_queries);
    case PageType::q8_0: return attend<Q8_0>(view, queries, n_queries);
  }
}

}  // namespace tenon::panels
