// Scores: chain of fma over the head's elements, eight tokens a vector. Weights: exp(score - m). Values: chain of fma
// over positions, eight elements a vector. Rows only share loaded keys and values, so a query's bits do not depend on
// its neighbours. Bit-exact to class f32 (core/README.md, "attention").
#include "panels/partition.hpp"

#include "panels/row_kernels.hpp"

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
  static __m256 key(Keys keys, int64_t d) { return _mm256_loadu_ps(keys + d * kTokens); }
  static __m256 value(const void* group, int64_t token, int64_t v_stride, int64_t e) {
    return _mm256_loadu_ps(static_cast<const float*>(group) + token * v_stride + e);
  }
};

inline __m256 widen8(const uint16_t* halves) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(halves)));
}
inline __m256 widen8(const int8_t* codes) {
  const __m128i eight = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes));
  return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(eight));
}

struct F16 {
  static constexpr int64_t kRun = 0;
  using Keys = const uint16_t*;
  static Keys open_keys(const void* group, int64_t d) { return static_cast<const uint16_t*>(group) + d * kTokens; }
  static __m256 key(Keys keys, int64_t d) { return widen8(keys + d * kTokens); }
  static __m256 value(const void* group, int64_t token, int64_t v_stride, int64_t e) {
    return widen8(static_cast<const uint16_t*>(group) + token * v_stride + e);
  }
};

struct Q8_0 {
  static constexpr int64_t kRun = 32;
  static constexpr int64_t kBlockBytes = 34;  // of one token's block; eight tokens' lie together in keys
  struct Keys {
    __m256 scales;
    const int8_t* codes;
  };
  static Keys open_keys(const void* group, int64_t d) {
    const uint8_t* block = static_cast<const uint8_t*>(group) + d / kRun * kTokens * kBlockBytes;
    return {widen8(reinterpret_cast<const uint16_t*>(block)), reinterpret_cast<const int8_t*>(block + 2 * kTokens)};
  }
  static __m256 key(const Keys& keys, int64_t d) {
    return _mm256_mul_ps(widen8(keys.codes + d * kTokens), keys.scales);
  }
  static __m256 value(const void* group, int64_t token, int64_t v_stride, int64_t e) {
    const uint8_t* block = static_cast<const uint8_t*>(group) + (token * v_stride + e) / kRun * kBlockBytes;
    uint16_t half;
    __builtin_memcpy(&half, block, 2);
    const auto* codes = reinterpret_cast<const int8_t*>(block + 2) + e % kRun;
    return _mm256_mul_ps(widen8(codes), set8(_cvtsh_ss(half)));
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
  const int64_t run = Page::kRun == 0 ? view.head_dim : Page::kRun;
  for (int64_t first = 0; first < view.head_dim; first += run) {
    typename Page::Keys keys[kGroupsAtOnce];
    for (int g = 0; g < kGroupsAtOnce; ++g) keys[g] = Page::open_keys(view.keys[group + g], first);
    for (int64_t d = 0; d < run; ++d) {
      __m256 k[kGroupsAtOnce];
      for (int g = 0; g < kGroupsAtOnce; ++g) k[g] = Page::key(keys[g], d);
      for (int i = 0; i < kQueries; ++i) {
        const __m256 q = _mm256_broadcast_ss(queries[i].q + first + d);
        for (int g = 0; g < kGroupsAtOnce; ++g) acc[i][g] = _mm256_fmadd_ps(q, k[g], acc[i][g]);
      }
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
    __m256 value[kVectors];
    for (int v = 0; v < kVectors; ++v) value[v] = Page::value(base, j % kTokens, view.v_stride, e + 8 * v);
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
  switch (view.type) {
    case PageType::f32: return attend<F32>(view, queries, n_queries);
    case PageType::f16: return attend<F16>(view, queries, n_queries);
    case PageType::q8_0: return attend<Q8_0>(view, queries, n_queries);
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

namespace {

/// A block of q8_0: f16(amax / 127), and the codes.
inline uint16_t quantize32(const float* x, ActBlock& block) {
  quantize_row(x, 32, &block);
  return _cvtss_sh(block.d, _MM_FROUND_TO_NEAREST_INT);
}

inline void store_key_q8_0(const float* k, int64_t head_dim, int64_t lane, uint8_t* group) {
  for (int64_t first = 0; first < head_dim; first += 32, group += kTokens * Q8_0::kBlockBytes) {
    ActBlock block;
    const uint16_t d = quantize32(k + first, block);
    __builtin_memcpy(group + 2 * lane, &d, 2);
    for (int64_t i = 0; i < 32; ++i) group[2 * kTokens + i * kTokens + lane] = static_cast<uint8_t>(block.q[i]);
  }
}

inline void store_value_q8_0(const float* v, int64_t v_head_dim, uint8_t* to) {
  for (int64_t first = 0; first < v_head_dim; first += 32, to += Q8_0::kBlockBytes) {
    ActBlock block;
    const uint16_t d = quantize32(v + first, block);
    __builtin_memcpy(to, &d, 2);
    __builtin_memcpy(to + 2, block.q, 32);
  }
}

}  // namespace

void store_key(PageType type, const float* k, int64_t head_dim, int64_t lane, void* group) {
  if (type == PageType::q8_0) return store_key_q8_0(k, head_dim, lane, static_cast<uint8_t*>(group));
  if (type == PageType::f32) {
    float* at = static_cast<float*>(group) + lane;
    for (int64_t d = 0; d < head_dim; ++d) at[d * kTokens] = k[d];
    return;
  }
  uint16_t* at = static_cast<uint16_t*>(group) + lane;
  for (int64_t d = 0; d < head_dim; ++d) at[d * kTokens] = _cvtss_sh(k[d], _MM_FROUND_TO_NEAREST_INT);
}

void store_value(PageType type, const float* v, int64_t v_head_dim, int64_t v_stride, void* at) {
  if (type == PageType::q8_0) return store_value_q8_0(v, v_head_dim, static_cast<uint8_t*>(at));
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
