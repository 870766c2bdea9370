// act(gate) * up over a row, by the functions of core/sdk/tenon/math.hpp. Bit-exact to class f32.
#include "eight_way.hpp"
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
    case TENON_ACT_SILU:
      return for_eights(gate, up, n, out, [](__m256 g, __m256 u) { return _mm256_mul_ps(silu8(g), u); });
    case TENON_ACT_GELU:
      return for_eights(gate, up, n, out, [](__m256 g, __m256 u) { return _mm256_mul_ps(gelu8(g), u); });
    case TENON_ACT_SWIGLU_OAI:
      return for_eights(gate, up, n, out, [&](__m256 g, __m256 u) { return swiglu_oai8(g, u, a.alpha, a.limit); });
    default: return multiply_row(gate, up, n, out);
  }
}

void softcap_row(float cap, const float* x, int64_t n, float* out) {
  for (int64_t i = 0; i < n; i += 8) {
    store_tail(out, i, n, _mm256_mul_ps(set8(cap), tanh8(_mm256_div_ps(load_tail(x, i, n), set8(cap)))));
  }
}

float sigmoid_of(float x) { return _mm256_cvtss_f32(sigmoid8(set8(x))); }

}  // namespace tenon::panels
