// Unpacking what the block formats have in common: a block of 32 codes of eight outputs, scales of eight outputs.
#pragma once

#include "../f32x8.hpp"
#include "panels/panel.hpp"

namespace tenon::panels {
namespace {

/// Vector v holds elements 4 v .. 4 v + 3 of each output: outputs 0..3 in low[v], 4..7 in high[v], four bytes each.
struct Codes {
  int8x16_t low[8], high[8];
};

/// Of the two halves of a block for each output: scales, and what is added after scaling (formats with a minimum).
struct Affine {
  F32x8 scale[2];
  F32x8 minimum[2];
};

inline F32x8 load_f16x8(const uint8_t* p) { return widen8(vld1q_u16(reinterpret_cast<const uint16_t*>(p))); }

/// Eight bytes to i32.
inline I32x8 load_u8x8(const uint8_t* p) {
  const uint16x8_t wide = vmovl_u8(vld1_u8(p));
  return {vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(wide))), vreinterpretq_s32_u32(vmovl_u16(vget_high_u16(wide)))};
}

/// Unsigned codes of 4 bits in 128 bytes: low nibbles are elements 0..15.
inline void load_nibbles(const uint8_t* p, Codes& w) {
  const uint8x16_t four = vdupq_n_u8(15);
  const auto split = [&](const uint8_t* at, int8x16_t& first, int8x16_t& second) {
    const uint8x16_t bytes = vld1q_u8(at);
    first = vreinterpretq_s8_u8(vandq_u8(bytes, four));
    second = vreinterpretq_s8_u8(vshrq_n_u8(bytes, 4));
  };
  for (int v = 0; v < 4; ++v) {
    split(p + 32 * v, w.low[v], w.low[v + 4]);
    split(p + 32 * v + 16, w.high[v], w.high[v + 4]);
  }
}

/// `bytes` moved left by `shift`, right where that is negative: their bits `mask` are set in the codes.
inline void add_bits(int8x16_t& codes, uint8x16_t bytes, int shift, int mask) {
  const uint8x16_t moved = vshlq_u8(bytes, vdupq_n_s8(static_cast<int8_t>(shift)));
  codes = vorrq_s8(codes, vreinterpretq_s8_u8(vandq_u8(moved, vdupq_n_u8(static_cast<uint8_t>(mask)))));
}

/// Sets bit kPlace of the codes from 32 bytes whose bit v belongs to vector v.
template <int kPlace>
inline void add_one_bit(const uint8_t* p, Codes& w) {
  const uint8x16_t low = vld1q_u8(p), high = vld1q_u8(p + 16);
  for (int v = 0; v < 8; ++v) {
    add_bits(w.low[v], low, kPlace - v, 1 << kPlace);
    add_bits(w.high[v], high, kPlace - v, 1 << kPlace);
  }
}

/// Each code through a table of 16.
inline void look_up(const int8_t (&table)[16], Codes& w) {
  const int8x16_t values = vld1q_s8(table);
  for (int v = 0; v < 8; ++v) {
    w.low[v] = vqtbl1q_s8(values, vreinterpretq_u8_s8(w.low[v]));
    w.high[v] = vqtbl1q_s8(values, vreinterpretq_u8_s8(w.high[v]));
  }
}

/// acc + dw dx isum, the step of formats without a minimum.
inline F32x8 add_scaled(F32x8 acc, F32x8 dw, I32x8 isum, float dx) {
  return fma8(acc, mul8(dw, set8(dx)), to_f32(isum));
}

}  // namespace
}  // namespace tenon::panels
