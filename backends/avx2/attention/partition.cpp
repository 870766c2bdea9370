// Scores: chain of fma over the head's elements, eight tokens a vector. Weights: exp(score - m). Values: chain of fma
// over positions, eight elements a vector. Rows only share loaded keys and values, so a query's bits do not depend on
// its neighbours. Bit-exact to class f32 (core/README.md, "attention").
#include "panels/partition.hpp"

#include "../vector/eight_way.hpp"
#include "../vector/exp.hpp"

namespace tenon::panels {
namespace {

constexpr int kTile = 4;  // queries that share loads: 4 x 2 vectors of sums, which hides the fma's latency

struct F32 {
  static constexpr int64_t kBytes = 4;
  static __m256 load(const void* base, int64_t element) {
    return _mm256_loadu_ps(static_cast<const float*>(base) + element);
  }
};
struct F16 {
  static constexpr int64_t kBytes = 2;
  static __m256 load(const void* base, int64_t element) {
    const auto* halves = static_cast<const uint16_t*>(base) + element;
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(halves)));
  }
};

// ---- scores

/// Queries [0, kQueries) by kGroupsAtOnce groups from `group`: raw q.k into p.
template <class Page, int kQueries, int kGroupsAtOnce>
inline void score_tile(const PartitionView& view, Query* queries, int64_t group) {
  __m256 acc[kQueries][kGroupsAtOnce];
  for (auto& row : acc) {
    for (__m256& v : row) v = _mm256_setzero_ps();
  }
  for (int64_t d = 0; d < view.head_dim; ++d) {
    __m256 k[kGroupsAtOnce];
    for (int g = 0; g < kGroupsAtOnce; ++g) k[g] = Page::load(view.keys[group + g], d * kTokens);
    for (int i = 0; i < kQueries; ++i) {
      const __m256 q = _mm256_broadcast_ss(queries[i].q + d);
      for (int g = 0; g < kGroupsAtOnce; ++g) acc[i][g] = _mm256_fmadd_ps(q, k[g], acc[i][g]);
    }
  }
  for (int i = 0; i < kQueries; ++i) {
    for (int g = 0; g < kGroupsAtOnce; ++g) _mm256_storeu_ps(queries[i].p + (group + g) * kTokens, acc[i][g]);
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

/// Lanes of group `first` / 8 that a query sees.
inline __m256 seen_lanes(int64_t first, int64_t begin, int64_t end) {
  const __m256i index =
      _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(first)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  const __m256i below = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(end)), index);
  const __m256i above = _mm256_cmpgt_epi32(index, _mm256_set1_epi32(static_cast<int>(begin) - 1));
  return _mm256_castsi256_ps(_mm256_and_si256(below, above));
}

inline float highest_of(__m256 v) {
  alignas(32) float lanes[8];
  _mm256_store_ps(lanes, v);
  float highest = lanes[0];
  for (const float lane : lanes) highest = lane > highest ? lane : highest;
  return highest;
}

/// p: raw scores to exp(score - m), zero where unseen; m and l.
inline void weigh(const PartitionView& view, Query& query) {
  const int64_t first = query.begin / kTokens * kTokens;
  const __m256 lowest = set8(-__builtin_inff());
  __m256 m = lowest;
  for (int64_t j = first; j < query.end; j += kTokens) {
    __m256 s = _mm256_mul_ps(set8(view.scale), _mm256_loadu_ps(query.p + j));
    if (view.softcap > 0) {
      s = _mm256_mul_ps(set8(view.softcap), tanh8(_mm256_div_ps(s, set8(view.softcap))));
    }
    s = _mm256_blendv_ps(lowest, s, seen_lanes(j, query.begin, query.end));
    _mm256_storeu_ps(query.p + j, s);
    m = _mm256_max_ps(s, m);
  }
  query.m = highest_of(m);
  __m256 partial = _mm256_setzero_ps();
  for (int64_t j = first; j < query.end; j += kTokens) {
    const __m256 e = exp8(_mm256_sub_ps(_mm256_loadu_ps(query.p + j), set8(query.m)));
    const __m256 p = _mm256_and_ps(e, seen_lanes(j, query.begin, query.end));
    _mm256_storeu_ps(query.p + j, p);
    partial = _mm256_add_ps(partial, p);
  }
  query.l = sum_lanes(partial);
}

// ---- values

/// o[e .. e + 8 kVectors) of queries [0, kQueries) go on over positions [begin, end).
template <class Page, int kQueries, int kVectors>
inline void add_values(const PartitionView& view, Query* queries, int64_t e, int64_t begin, int64_t end) {
  __m256 acc[kQueries][kVectors];
  for (int i = 0; i < kQueries; ++i) {
    for (int v = 0; v < kVectors; ++v) acc[i][v] = _mm256_loadu_ps(queries[i].o + e + 8 * v);
  }
  for (int64_t j = begin; j < end; ++j) {
    const void* base = view.values[j / kTokens];
    const int64_t at = j % kTokens * view.v_stride + e;
    __m256 value[kVectors];
    for (int v = 0; v < kVectors; ++v) value[v] = Page::load(base, at + 8 * v);
    for (int i = 0; i < kQueries; ++i) {
      const __m256 p = _mm256_broadcast_ss(queries[i].p + j);
      for (int v = 0; v < kVectors; ++v) acc[i][v] = _mm256_fmadd_ps(p, value[v], acc[i][v]);
    }
  }
  for (int i = 0; i < kQueries; ++i) {
    for (int v = 0; v < kVectors; ++v) _mm256_storeu_ps(queries[i].o + e + 8 * v, acc[i][v]);
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
    for (int64_t e = 0; e < view.v_stride; e += 8) _mm256_storeu_ps(queries[i].o + e, _mm256_setzero_ps());
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
  if (view.type == PageType::f16) {
    attend<F16>(view, queries, n_queries);
  } else {
    attend<F32>(view, queries, n_queries);
  }
}

void start_merge(Merged& state, int64_t v_stride) {
  state.m = -__builtin_inff();
  state.l = 0.0f;
  for (int64_t e = 0; e < v_stride; e += 8) _mm256_storeu_ps(state.o + e, _mm256_setzero_ps());
}

namespace {

/// exp(state.m - m'), exp(m - m') for m' the higher one, which goes into the state; l of the state is merged.
struct Factors {
  __m256 kept, added;
};
inline Factors merge_sums(Merged& state, float m, float l) {
  const float next = state.m < m ? m : state.m;
  const Factors factors{exp8(set8(state.m - next)), exp8(set8(m - next))};
  state.l = state.l * _mm256_cvtss_f32(factors.kept) + l * _mm256_cvtss_f32(factors.added);
  state.m = next;
  return factors;
}

}  // namespace

void merge(Merged& state, float m, float l, const float* o, int64_t v_stride) {
  const Factors f = merge_sums(state, m, l);
  for (int64_t e = 0; e < v_stride; e += 8) {
    const __m256 kept = _mm256_mul_ps(_mm256_loadu_ps(state.o + e), f.kept);
    _mm256_storeu_ps(state.o + e, _mm256_add_ps(kept, _mm256_mul_ps(_mm256_loadu_ps(o + e), f.added)));
  }
}

void merge_sink(Merged& state, float sink, int64_t v_stride) {
  const Factors f = merge_sums(state, sink, 1.0f);
  const __m256 nothing = _mm256_mul_ps(_mm256_setzero_ps(), f.added);
  for (int64_t e = 0; e < v_stride; e += 8) {
    _mm256_storeu_ps(state.o + e, _mm256_add_ps(_mm256_mul_ps(_mm256_loadu_ps(state.o + e), f.kept), nothing));
  }
}

void finish_merge(const Merged& state, int64_t v_head_dim, float* out) {
  const __m256 inverse = set8(1.0f / state.l);
  for (int64_t e = 0; e < v_head_dim; e += 8) {
    store_tail(out, e, v_head_dim, _mm256_mul_ps(_mm256_loadu_ps(state.o + e), inverse));
  }
}

// ---- pages

void store_key(PageType type, const float* k, int64_t head_dim, void* at) {
  if (type == PageType::f32) {
    for (int64_t d = 0; d < head_dim; ++d) static_cast<float*>(at)[d * kTokens] = k[d];
    return;
  }
  auto* halves = static_cast<uint16_t*>(at);
  for (int64_t d = 0; d < head_dim; ++d) halves[d * kTokens] = _cvtss_sh(k[d], _MM_FROUND_TO_NEAREST_INT);
}

void store_value(PageType type, const float* v, int64_t v_head_dim, int64_t v_stride, void* at) {
  for (int64_t e = 0; e < v_stride; e += 8) {
    const __m256 value = load_tail(v, e, v_head_dim);
    if (type == PageType::f32) {
      _mm256_storeu_ps(static_cast<float*>(at) + e, value);
    } else {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(static_cast<uint16_t*>(at) + e),
                       _mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT));
    }
  }
}

}  // namespace tenon::panels
