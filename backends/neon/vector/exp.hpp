// The elementary functions of core/sdk/tenon/math.hpp on eight values, operation by operation.
#pragma once

#include "../f32x8.hpp"

namespace tenon::panels {
namespace {

/// exp_f32: 0 below -87, exp(88) above 88, NaN stays NaN.
inline float32x4_t exp4(float32x4_t x) {
  constexpr float kLowest = -87.0f, kHighest = 88.0f, kLog2E = 1.44269504088896341f;
  constexpr float kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;
  constexpr float kPoly[6] = {1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f,
                              4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f};
  const uint32x4_t is_low = vcltq_f32(x, vdupq_n_f32(kLowest)), is_number = vceqq_f32(x, x);
  const float32x4_t highest = vdupq_n_f32(kHighest);
  const float32x4_t clamped = vbslq_f32(vcgtq_f32(x, highest), highest, x);
  const float32x4_t n = vrndnq_f32(vmulq_f32(clamped, vdupq_n_f32(kLog2E)));
  float32x4_t r = vfmaq_f32(clamped, n, vdupq_n_f32(-kLn2High));
  r = vfmaq_f32(r, n, vdupq_n_f32(-kLn2Low));
  float32x4_t p = vdupq_n_f32(kPoly[0]);
  for (int i = 1; i < 6; ++i) p = vfmaq_f32(vdupq_n_f32(kPoly[i]), p, r);
  p = vaddq_f32(vfmaq_f32(r, p, vmulq_f32(r, r)), vdupq_n_f32(1.0f));
  const int32x4_t exponent = vshlq_n_s32(vaddq_s32(vcvtq_s32_f32(n), vdupq_n_s32(127)), 23);
  const float32x4_t result = vmulq_f32(p, vreinterpretq_f32_s32(exponent));
  const float32x4_t raised = vbslq_f32(is_low, vdupq_n_f32(0.0f), result);
  return vbslq_f32(is_number, raised, x);
}
inline F32x8 exp8(F32x8 x) { return {exp4(x.low), exp4(x.high)}; }

inline float32x4_t sigmoid4(float32x4_t x) {
  const float32x4_t one = vdupq_n_f32(1.0f);
  return vdivq_f32(one, vaddq_f32(one, exp4(vnegq_f32(x))));
}
inline F32x8 sigmoid8(F32x8 x) { return {sigmoid4(x.low), sigmoid4(x.high)}; }

inline F32x8 silu8(F32x8 x) { return mul8(x, sigmoid8(x)); }

inline float32x4_t tanh4(float32x4_t x) {
  const float32x4_t e = exp4(vmulq_f32(vdupq_n_f32(2.0f), x)), one = vdupq_n_f32(1.0f);
  return vsubq_f32(one, vdivq_f32(vdupq_n_f32(2.0f), vaddq_f32(e, one)));
}
inline F32x8 tanh8(F32x8 x) { return {tanh4(x.low), tanh4(x.high)}; }

/// cap tanh(x / cap).
inline F32x8 softcap8(F32x8 x, float cap) {
  const float32x4_t c = vdupq_n_f32(cap);
  return mul8({c, c}, tanh8({vdivq_f32(x.low, c), vdivq_f32(x.high, c)}));
}

inline F32x8 gelu8(F32x8 x) {
  const F32x8 square = mul8(mul8(set8(0.044715f), x), x);
  const F32x8 inner = mul8(set8(0.797884560802865f), fma8(x, square, x));
  return mul8(mul8(set8(0.5f), x), add8(set8(1.0f), tanh8(inner)));
}

/// `limit` where x is above it, else x: a NaN stays.
inline F32x8 at_most8(F32x8 x, float limit) {
  const float32x4_t most = vdupq_n_f32(limit);
  return select8({vcgtq_f32(x.low, most), vcgtq_f32(x.high, most)}, {most, most}, x);
}
inline F32x8 at_least8(F32x8 x, float limit) {
  const float32x4_t least = vdupq_n_f32(limit);
  return select8({vcltq_f32(x.low, least), vcltq_f32(x.high, least)}, {least, least}, x);
}

/// min(gate, limit) sigmoid(alpha gate) (clamp(up, -limit, limit) + 1).
inline F32x8 swiglu_oai8(F32x8 gate, F32x8 up, float alpha, float limit) {
  const F32x8 g = at_most8(gate, limit), u = at_most8(at_least8(up, -limit), limit);
  return mul8(mul8(g, sigmoid8(mul8(set8(alpha), g))), add8(u, set8(1.0f)));
}

}  // namespace
}  // namespace tenon::panels
