// Sums, products and conversions over a row. Each element is one operation: bit-exact to class f32.
#include "../f32x8.hpp"
#include "panels/row_kernels.hpp"

namespace tenon::panels {

void add_row(const float* a, const float* b, int64_t n, float* out) {
  for (int64_t i = 0; i < n; i += 8) store_tail(out, i, n, add8(load_tail(a, i, n), load_tail(b, i, n)));
}

void multiply_row(const float* a, const float* b, int64_t n, float* out) {
  for (int64_t i = 0; i < n; i += 8) store_tail(out, i, n, mul8(load_tail(a, i, n), load_tail(b, i, n)));
}

void scale_row(float scale, int64_t n, float* x) {
  const F32x8 s = set8(scale);
  for (int64_t i = 0; i < n; i += 8) store_tail(x, i, n, mul8(s, load_tail(x, i, n)));
}

void add_scaled_row(float p, const float* x, int64_t n, float* acc) {
  const F32x8 factor = set8(p);
  for (int64_t i = 0; i < n; i += 8) store_tail(acc, i, n, fma8(load_tail(acc, i, n), factor, load_tail(x, i, n)));
}

// ---- conversions: eight at a time, the rest one by one with the same instruction.

void widen_f16(const uint16_t* from, int64_t n, float* to) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) store8(to + i, widen8(vld1q_u16(from + i)));
  for (; i < n; ++i) to[i] = vgetq_lane_f32(vcvt_f32_f16(vreinterpret_f16_u16(vdup_n_u16(from[i]))), 0);
}

void widen_bf16(const uint16_t* from, int64_t n, float* to) {
  for (int64_t i = 0; i < n; ++i) {
    const uint32_t bits = static_cast<uint32_t>(from[i]) << 16;
    __builtin_memcpy(to + i, &bits, 4);
  }
}

void narrow_f16(const float* from, int64_t n, uint16_t* to) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) vst1q_u16(to + i, narrow8(load8(from + i)));
  for (; i < n; ++i) to[i] = vget_lane_u16(vreinterpret_u16_f16(vcvt_f16_f32(vdupq_n_f32(from[i]))), 0);
}

void narrow_bf16(const float* from, int64_t n, uint16_t* to) {
  for (int64_t i = 0; i < n; ++i) {
    uint32_t bits;
    __builtin_memcpy(&bits, from + i, 4);
    const bool is_nan = (bits & 0x7FFFFFFFu) > 0x7F800000u;
    const uint32_t rounded = bits + 0x7FFFu + ((bits >> 16) & 1u);
    to[i] = static_cast<uint16_t>(is_nan ? (bits >> 16) | 0x40u : rounded >> 16);
  }
}

}  // namespace tenon::panels
