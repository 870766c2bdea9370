// Attention of a few queries over one partition of cached positions, and the layout of the pages that it reads.
//
// A page holds keys [n_kv_heads][page_tokens / 8][head_dim][8 tokens], so that a vector is one element of eight tokens,
// then values [n_kv_heads][page_tokens][v_stride], v_stride being v_head_dim rounded up to 8 with zeros behind. Pages
// of q8_0 have both in blocks of 32 elements along the head: of keys, f16 d [8 tokens], i8 [32][8 tokens]; of values, a
// q8_0 block as in files. A value there is f32(code) * f32(d).
#pragma once

#include <tenon.h>

#include <cstdint>

namespace tenon::panels {

inline constexpr int64_t kPartition = TENON_ATTENTION_PARTITION;
inline constexpr int64_t kTokens = 8;  // of a group: one f32 lane each
inline constexpr int64_t kGroups = kPartition / kTokens;

enum class PageType { f32, f16, q8_0 };

/// Where the keys and values of each eight tokens of a partition lie. Groups outside of what a query sees may be null.
struct PartitionView {
  const void* keys[kGroups];
  const void* values[kGroups];
  int64_t head_dim, v_head_dim, v_stride;
  PageType type;
  float scale, softcap;
};

/// One query row of one head, which sees positions [begin, end) of the partition, begin < end. Results: the highest
/// score m, l = sum of p = exp(score - m), o [v_stride] = sum of p v.
struct Query {
  const float* q;  // [head_dim]
  int64_t begin, end;
  float* p;  // [kPartition] scratch
  float* o;
  float m, l;
};

/// Exact chains of core/README.md, whatever the number of queries.
void attend_partition(const PartitionView& view, Query* queries, int64_t n_queries);

/// Running state of one query over its partitions: m, l and o as above, merged in ascending order.
struct Merged {
  float m, l;
  float* o;  // [v_stride]
};
void start_merge(Merged& state, int64_t v_stride);
void merge(Merged& state, float m, float l, const float* o, int64_t v_stride);
/// A sink logit: a partition with l = 1 and o = 0.
void merge_sink(Merged& state, float sink, int64_t v_stride);
/// out [v_head_dim] = o * (1 / l).
void finish_merge(const Merged& state, int64_t v_head_dim, float* out);

/// Writes one token's key [head_dim] as lane `lane` of its group, and value [v_head_dim] with zeros up to v_stride.
void store_key(PageType type, const float* k, int64_t head_dim, int64_t lane, void* group);
void store_value(PageType type, const float* v, int64_t v_head_dim, int64_t v_stride, void* at);

}  // namespace tenon::panels
