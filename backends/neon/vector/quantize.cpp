// quantize_row: amax = max |x|, d = amax / 127, q = rint(x * (127 / amax)), half to even, for each 32 elements. A block
// too small for 127 / amax to be finite is all zero; one with an infinity or NaN gets d = NaN. Bit-exact to class int8.
#include "panels/row_kernels.hpp"

#include <arm_neon.h>

namespace tenon::panels {
namespace {

constexpr float kLargestFinite = 3.402823466e38f;

/// Sixteen values to bytes in order.
inline int8x16_t quantize16(const float* x, float32x4_t factor) {
  int16x4_t q[4];
  for (int i = 0; i < 4; ++i) q[i] = vqmovn_s32(vcvtnq_s32_f32(vmulq_f32(vld1q_f32(x + 4 * i), factor)));
  return vcombine_s8(vqmovn_s16(vcombine_s16(q[0], q[1])), vqmovn_s16(vcombine_s16(q[2], q[3])));
}

inline void quantize_block(const float* x, ActBlock& block) {
  float32x4_t amax = vdupq_n_f32(0.0f);
  for (int i = 0; i < 8; ++i) amax = vmaxq_f32(amax, vabsq_f32(vld1q_f32(x + 4 * i)));  // gives on a NaN
  const float largest = vmaxvq_f32(amax), inverse = 127.0f / largest;
  const bool is_finite = largest <= kLargestFinite;
  if (!is_finite || !(inverse <= kLargestFinite)) {
    block = {};
    block.d = block.d_sum = is_finite ? 0.0f : __builtin_nanf("");
    return;
  }
  const float32x4_t factor = vdupq_n_f32(inverse);
  const int8x16_t low = quantize16(x, factor), high = quantize16(x + 16, factor);
  vst1q_s8(block.q, low);
  vst1q_s8(block.q + 16, high);
  block.d = largest / 127.0f;
  block.sum16[0] = vaddlvq_s8(low);
  block.sum16[1] = vaddlvq_s8(high);
  block.sum = block.sum16[0] + block.sum16[1];
  block.d_sum = block.d * static_cast<float>(block.sum);
}

}  // namespace

void quantize_row(const float* x, int64_t k, ActBlock* blocks) {
  for (int64_t i = 0; i < k; i += 32) quantize_block(x + i, blocks[i / 32]);
}

}  // namespace tenon::panels
