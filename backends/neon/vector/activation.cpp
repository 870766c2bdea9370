// act(gate) * up over a row, by the functions of core/sdk/tenon/math.hpp. Bit-exact to class f32.
#include "exp.hpp"
#include "panels/row_kernels.hpp"

namespace tenon::panels {
namespace {

template <class F>
inline void for_eights(const float* gate, const float* up, int64_t n, float* out, F&& f) {
  for (int64_t i = 0; i < n; i += 8) store_tail(out, i, n, f(load_tail(gate, i, n), load_tail(up, i, n)));
}

}  // namespace

void activate_row(const tenon_activation& a, const float* gate, const float* up, int64_t n, float* out) {
  switch (a.kind) {
    case TENON_ACT_SILU: return for_eights(gate, up, n, out, [](F32x8 g, F32x8 u) { return mul8(silu8(g), u); });
    case TENON_ACT_GELU: return for_eights(gate, up, n, out, [](F32x8 g, F32x8 u) { return mul8(gelu8(g), u); });
    case TENON_ACT_SWIGLU_OAI:
      return for_eights(gate, up, n, out, [&](F32x8 g, F32x8 u) { return swiglu_oai8(g, u, a.alpha, a.limit); });
    default: return multiply_row(gate, up, n, out);
  }
}

void softcap_row(float cap, const float* x, int64_t n, float* out) {
  for (int64_t i = 0; i < n; i += 8) store_tail(out, i, n, softcap8(load_tail(x, i, n), cap));
}

float sigmoid_of(float x) { return vgetq_lane_f32(sigmoid4(vdupq_n_f32(x)), 0); }

}  // namespace tenon::panels
