// Eight f32 or i32 lanes as two NEON vectors: the eight outputs of a panel, the eight partial sums of a row. Included
// by kernel files alone, some of which are compiled for more than the baseline, hence all in an unnamed namespace.
#pragma once

#include <arm_neon.h>

#include <cstdint>

namespace tenon::panels {
namespace {

struct F32x8 {
  float32x4_t low, high;
};
struct I32x8 {
  int32x4_t low, high;
};

inline F32x8 set8(float x) { return {vdupq_n_f32(x), vdupq_n_f32(x)}; }
inline I32x8 set8(int32_t x) { return {vdupq_n_s32(x), vdupq_n_s32(x)}; }
inline F32x8 load8(const float* p) { return {vld1q_f32(p), vld1q_f32(p + 4)}; }
inline void store8(float* p, F32x8 v) {
  vst1q_f32(p, v.low);
  vst1q_f32(p + 4, v.high);
}

inline F32x8 add8(F32x8 a, F32x8 b) { return {vaddq_f32(a.low, b.low), vaddq_f32(a.high, b.high)}; }
inline F32x8 sub8(F32x8 a, F32x8 b) { return {vsubq_f32(a.low, b.low), vsubq_f32(a.high, b.high)}; }
inline F32x8 mul8(F32x8 a, F32x8 b) { return {vmulq_f32(a.low, b.low), vmulq_f32(a.high, b.high)}; }
/// fma(a, b, acc).
inline F32x8 fma8(F32x8 acc, F32x8 a, F32x8 b) {
  return {vfmaq_f32(acc.low, a.low, b.low), vfmaq_f32(acc.high, a.high, b.high)};
}
inline F32x8 fma8(F32x8 acc, float32x4_t a, F32x8 b) {
  return {vfmaq_f32(acc.low, a, b.low), vfmaq_f32(acc.high, a, b.high)};
}
inline F32x8 negate8(F32x8 a) { return {vnegq_f32(a.low), vnegq_f32(a.high)}; }
inline F32x8 to_f32(I32x8 a) { return {vcvtq_f32_s32(a.low), vcvtq_f32_s32(a.high)}; }

inline I32x8 to_i32(int8x8_t bytes) {
  const int16x8_t wide = vmovl_s8(bytes);
  return {vmovl_s16(vget_low_s16(wide)), vmovl_s16(vget_high_s16(wide))};
}

/// Eight f16 to f32, exactly.
inline F32x8 widen8(uint16x8_t halves) {
  const float16x8_t h = vreinterpretq_f16_u16(halves);
  return {vcvt_f32_f16(vget_low_f16(h)), vcvt_f32_f16(vget_high_f16(h))};
}
inline F32x8 widen_bf16x8(uint16x8_t halves) {
  return {vreinterpretq_f32_u32(vshll_n_u16(vget_low_u16(halves), 16)),
          vreinterpretq_f32_u32(vshll_high_n_u16(halves, 16))};
}
/// Rounded to nearest even.
inline uint16x8_t narrow8(F32x8 v) {
  return vreinterpretq_u16_f16(vcombine_f16(vcvt_f16_f32(v.low), vcvt_f16_f32(v.high)));
}

// NEON loads no part of a vector: the lanes of a tail go one by one.

/// p[0 .. n), n < 8, zero behind.
inline F32x8 load_first(const float* p, int64_t n) {
  float lanes[8] = {};
  for (int64_t i = 0; i < n; ++i) lanes[i] = p[i];
  return load8(lanes);
}
inline void store_first(float* p, int64_t n, F32x8 v) {
  float lanes[8];
  store8(lanes, v);
  for (int64_t i = 0; i < n; ++i) p[i] = lanes[i];
}

/// x[i .. i + 8), zero where i + lane >= n.
inline F32x8 load_tail(const float* x, int64_t i, int64_t n) {
  return n - i >= 8 ? load8(x + i) : load_first(x + i, n - i);
}
inline void store_tail(float* x, int64_t i, int64_t n, F32x8 v) {
  if (n - i >= 8) {
    store8(x + i, v);
  } else {
    store_first(x + i, n - i, v);
  }
}

/// Lanes [begin, end) are all ones.
struct Mask8 {
  uint32x4_t low, high;
};
inline Mask8 lanes_between(int64_t begin, int64_t end) {
  constexpr int32_t kIndex[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  const int32x4_t first = vdupq_n_s32(static_cast<int32_t>(begin)), last = vdupq_n_s32(static_cast<int32_t>(end));
  const int32x4_t low = vld1q_s32(kIndex), high = vld1q_s32(kIndex + 4);
  return {vandq_u32(vcgeq_s32(low, first), vcltq_s32(low, last)),
          vandq_u32(vcgeq_s32(high, first), vcltq_s32(high, last))};
}
/// a where the mask is set, else b.
inline F32x8 select8(Mask8 mask, F32x8 a, F32x8 b) {
  return {vbslq_f32(mask.low, a.low, b.low), vbslq_f32(mask.high, a.high, b.high)};
}
/// a where it is greater, else b: b stays where a is NaN.
inline F32x8 greater8(F32x8 a, F32x8 b) { return select8({vcgtq_f32(a.low, b.low), vcgtq_f32(a.high, b.high)}, a, b); }
/// Of lanes without NaN.
inline float highest_lane(F32x8 v) {
  float lanes[8];
  store8(lanes, v);
  float highest = lanes[0];
  for (const float lane : lanes) highest = lane > highest ? lane : highest;
  return highest;
}

}  // namespace
}  // namespace tenon::panels
