// The elementary functions of core/sdk/tenon/math.hpp on eight values, operation by operation. Included by files
// compiled for AVX2 alone.
#pragma once

#include <immintrin.h>

namespace tenon::panels {
namespace {

inline __m256 set8(float x) { return _mm256_set1_ps(x); }

/// exp_f32: 0 below -87, exp(88) above 88, NaN stays NaN.
inline __m256 exp8(__m256 x) {
  constexpr float kLowest = -87.0f, kHighest = 88.0f, kLog2E = 1.44269504088896341f;
  constexpr float kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;
  constexpr float kPoly[6] = {1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f,
                              4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f};
  const __m256 is_low = _mm256_cmp_ps(x, set8(kLowest), _CMP_LT_OQ);
  const __m256 is_nan = _mm256_cmp_ps(x, x, _CMP_UNORD_Q);
  const __m256 clamped = _mm256_min_ps(x, set8(kHighest));
  const __m256 n = _mm256_round_ps(_mm256_mul_ps(clamped, set8(kLog2E)), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  __m256 r = _mm256_fmadd_ps(n, set8(-kLn2High), clamped);
  r = _mm256_fmadd_ps(n, set8(-kLn2Low), r);
  __m256 p = set8(kPoly[0]);
  for (int i = 1; i < 6; ++i) p = _mm256_fmadd_ps(p, r, set8(kPoly[i]));
  p = _mm256_add_ps(_mm256_fmadd_ps(p, _mm256_mul_ps(r, r), r), set8(1.0f));
  const __m256i exponent = _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23);
  const __m256 result = _mm256_mul_ps(p, _mm256_castsi256_ps(exponent));
  return _mm256_blendv_ps(_mm256_andnot_ps(is_low, result), x, is_nan);
}

inline __m256 negate8(__m256 x) { return _mm256_xor_ps(x, set8(-0.0f)); }

inline __m256 sigmoid8(__m256 x) { return _mm256_div_ps(set8(1.0f), _mm256_add_ps(set8(1.0f), exp8(negate8(x)))); }

inline __m256 silu8(__m256 x) { return _mm256_mul_ps(x, sigmoid8(x)); }

inline __m256 tanh8(__m256 x) {
  const __m256 e = exp8(_mm256_mul_ps(set8(2.0f), x));
  return _mm256_sub_ps(set8(1.0f), _mm256_div_ps(set8(2.0f), _mm256_add_ps(e, set8(1.0f))));
}

inline __m256 gelu8(__m256 x) {
  const __m256 square = _mm256_mul_ps(_mm256_mul_ps(set8(0.044715f), x), x);
  const __m256 inner = _mm256_mul_ps(set8(0.797884560802865f), _mm256_fmadd_ps(square, x, x));
  return _mm256_mul_ps(_mm256_mul_ps(set8(0.5f), x), _mm256_add_ps(set8(1.0f), tanh8(inner)));
}

/// min(gate, limit) sigmoid(alpha gate) (clamp(up, -limit, limit) + 1). A NaN is taken for the limit by none of them.
inline __m256 swiglu_oai8(__m256 gate, __m256 up, float alpha, float limit) {
  const __m256 g = _mm256_min_ps(set8(limit), gate);
  const __m256 u = _mm256_min_ps(set8(limit), _mm256_max_ps(set8(-limit), up));
  const __m256 gated = _mm256_mul_ps(g, sigmoid8(_mm256_mul_ps(set8(alpha), g)));
  return _mm256_mul_ps(gated, _mm256_add_ps(u, set8(1.0f)));
}

}  // namespace
}  // namespace tenon::panels
