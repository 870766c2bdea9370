// Rotation of one head: a' = fma(a, c, -(b * s)), b' = fma(a, s, b * c), for (a, b) of x and (c, s) of the table. Four
// pairs a step; the rest goes through the same vectors. Bit-exact to class f32.
#include "panels/row_kernels.hpp"

#include <arm_neon.h>

namespace tenon::panels {
namespace {

inline void rotate(float32x4_t& a, float32x4_t& b, float32x4x2_t t) {
  const float32x4_t first = vfmaq_f32(vnegq_f32(vmulq_f32(b, t.val[1])), a, t.val[0]);
  b = vfmaq_f32(vmulq_f32(b, t.val[0]), a, t.val[1]);
  a = first;
}

inline void rotate_one(float& first, float& second, const float* t) {
  float32x4_t a = vdupq_n_f32(first), b = vdupq_n_f32(second);
  rotate(a, b, {{vdupq_n_f32(t[0]), vdupq_n_f32(t[1])}});
  first = vgetq_lane_f32(a, 0);
  second = vgetq_lane_f32(b, 0);
}

}  // namespace

void rotate_interleaved(float* x, const float* table, int64_t n_dims) {
  int64_t i = 0;
  for (; i + 8 <= n_dims; i += 8) {
    float32x4x2_t pairs = vld2q_f32(x + i);
    rotate(pairs.val[0], pairs.val[1], vld2q_f32(table + i));
    vst2q_f32(x + i, pairs);
  }
  for (; i < n_dims; i += 2) rotate_one(x[i], x[i + 1], table + i);
}

void rotate_halves(float* x, const float* table, int64_t n_dims) {
  const int64_t n_pairs = n_dims / 2;
  float* second = x + n_pairs;
  int64_t i = 0;
  for (; i + 4 <= n_pairs; i += 4) {
    float32x4_t a = vld1q_f32(x + i), b = vld1q_f32(second + i);
    rotate(a, b, vld2q_f32(table + 2 * i));
    vst1q_f32(x + i, a);
    vst1q_f32(second + i, b);
  }
  for (; i < n_pairs; ++i) rotate_one(x[i], second[i], table + 2 * i);
}

}  // namespace tenon::panels
