// Formats whose blocks of 32 have a scale for each 16 elements.
#pragma once

#include "../codes.hpp"

namespace tenon::panels {
namespace {

/// Of each output: the scales of elements 0..15 and 16..31.
struct HalfScales {
  I32x8 half[2];
};

/// From two i8 for each output, 16 bytes.
inline HalfScales load_half_scales(const uint8_t* p) {
  const int8x8x2_t pairs = vld2_s8(reinterpret_cast<const int8_t*>(p));
  return {{to_i32(pairs.val[0]), to_i32(pairs.val[1])}};
}

/// scale[0] sum[0] + scale[1] sum[1].
inline I32x8 sum_halves(const HalfScales& scales, const I32x8 (&sum)[2]) {
  const auto of = [](int32x4_t a, int32x4_t x, int32x4_t b, int32x4_t y) { return vmlaq_s32(vmulq_s32(a, x), b, y); };
  return {of(scales.half[0].low, sum[0].low, scales.half[1].low, sum[1].low),
          of(scales.half[0].high, sum[0].high, scales.half[1].high, sum[1].high)};
}

/// Sets bits kPlace and kPlace + 1 of the codes from 64 bytes: vector i holds those of vectors 4 i + c at bits 2 c.
template <int kPlace>
inline void add_two_bits(const uint8_t* p, Codes& w) {
  for (int v = 0; v < 8; ++v) {
    const uint8_t* bits = p + 32 * (v / 4);
    add_bits(w.low[v], vld1q_u8(bits), kPlace - 2 * (v % 4), 3 << kPlace);
    add_bits(w.high[v], vld1q_u8(bits + 16), kPlace - 2 * (v % 4), 3 << kPlace);
  }
}

}  // namespace
}  // namespace tenon::panels
