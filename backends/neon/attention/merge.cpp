// Partitions of one query merged in ascending order: m' = max(M, m), L = L exp(M - m') + l exp(m - m'), O likewise; two
// products and one sum each. Bit-exact to class f32 (core/README.md, "attention").
#include "panels/partition.hpp"

#include "../vector/exp.hpp"

namespace tenon::panels {
namespace {

/// exp(state.m - m'), exp(m - m') for m' the higher one, which goes into the state; l of the state is merged.
struct Factors {
  F32x8 kept, added;
};
inline Factors merge_sums(Merged& state, float m, float l) {
  const float next = state.m < m ? m : state.m;
  const Factors factors{exp8(set8(state.m - next)), exp8(set8(m - next))};
  state.l = state.l * vgetq_lane_f32(factors.kept.low, 0) + l * vgetq_lane_f32(factors.added.low, 0);
  state.m = next;
  return factors;
}

}  // namespace

void start_merge(Merged& state, int64_t v_stride) {
  state.m = -__builtin_inff();
  state.l = 0.0f;
  for (int64_t e = 0; e < v_stride; e += 8) store8(state.o + e, set8(0.0f));
}

void merge(Merged& state, float m, float l, const float* o, int64_t v_stride) {
  const Factors f = merge_sums(state, m, l);
  for (int64_t e = 0; e < v_stride; e += 8) {
    store8(state.o + e, add8(mul8(load8(state.o + e), f.kept), mul8(load8(o + e), f.added)));
  }
}

void merge_sink(Merged& state, float sink, int64_t v_stride) {
  const Factors f = merge_sums(state, sink, 1.0f);
  const F32x8 nothing = mul8(set8(0.0f), f.added);
  for (int64_t e = 0; e < v_stride; e += 8) {
    store8(state.o + e, add8(mul8(load8(state.o + e), f.kept), nothing));
  }
}

void finish_merge(const Merged& state, int64_t v_head_dim, float* out) {
  const F32x8 inverse = set8(1.0f / state.l);
  for (int64_t e = 0; e < v_head_dim; e += 8) store_tail(out, e, v_head_dim, mul8(load8(state.o + e), inverse));
}

}  // namespace tenon::panels
