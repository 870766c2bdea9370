// The eight-way sums of core/README.md: element i goes to partial sum i % 8, which is a lane; then
// ((p0 + p4) + (p2 + p6)) + ((p1 + p5) + (p3 + p7)).
#pragma once

#include "../f32x8.hpp"

namespace tenon::panels {
namespace {

/// Eight f64 lanes, two a vector.
struct F64x8 {
  float64x2_t v[4];
};
inline F64x8 set_f64(double x) { return {{vdupq_n_f64(x), vdupq_n_f64(x), vdupq_n_f64(x), vdupq_n_f64(x)}}; }
inline F64x8 to_f64(F32x8 x) {
  return {{vcvt_f64_f32(vget_low_f32(x.low)), vcvt_high_f64_f32(x.low), vcvt_f64_f32(vget_low_f32(x.high)),
           vcvt_high_f64_f32(x.high)}};
}

inline double sum_lanes(const F64x8& p) {
  const float64x2_t even = vaddq_f64(p.v[0], p.v[2]), odd = vaddq_f64(p.v[1], p.v[3]);  // p0+p4 p1+p5, p2+p6 p3+p7
  const float64x2_t t = vaddq_f64(even, odd);
  return vgetq_lane_f64(t, 0) + vgetq_lane_f64(t, 1);
}

inline float sum_lanes(F32x8 p) {
  const float32x4_t s = vaddq_f32(p.low, p.high);  // p0+p4, p1+p5, p2+p6, p3+p7
  const float32x2_t t = vadd_f32(vget_low_f32(s), vget_high_f32(s));
  return vget_lane_f32(t, 0) + vget_lane_f32(t, 1);
}

}  // namespace
}  // namespace tenon::panels
