// q4_K: w = (d sc) q - dmin mn, sc and mn of 6 bits for each 32 elements. Unit of 1184 bytes for 256 elements: d f16 x
// 8 outputs, dmin f16 x 8, then for each of 8 blocks: sc u8 x 8, mn u8 x 8, 128 bytes of nibbles (panel.hpp). dw = d
// f32(sc), m = -(dmin f32(mn)), then as q4_1.
#pragma once

#include "../codes.hpp"

namespace tenon::panels {
namespace {

struct Q4K {
  static constexpr int kBlocks = 8;
  static constexpr int kBlockBytes = 144;
  static constexpr int kUnitBytes = 32 + kBlocks * kBlockBytes;
  static constexpr int kGroups = 1;
  static constexpr int kOffset = 0;
  static constexpr int kLargest = 15;
  static constexpr bool kHasMinimum = true;
  struct Unit {
    F32x8 d, dmin;
  };
  struct Block {
    F32x8 dw, m;
  };

  static Unit load_unit(const uint8_t* p) { return {load_f16x8(p), load_f16x8(p + 16)}; }
  static void load_codes(const uint8_t* p, int b, Codes& w) { load_nibbles(p + 32 + b * kBlockBytes + 16, w); }
  static Block load_block(const uint8_t* p, int b, const Unit& unit) {
    const uint8_t* scales = p + 32 + b * kBlockBytes;
    const F32x8 m = mul8(unit.dmin, to_f32(load_u8x8(scales + 8)));
    return {mul8(unit.d, to_f32(load_u8x8(scales))), negate8(m)};
  }
  static F32x8 step(F32x8 acc, const I32x8 (&isum)[1], const Block& b, const ActBlock& x) {
    return fma8(add_scaled(acc, b.dw, isum[0], x.d), b.m, set8(x.d_sum));
  }
  static Affine affine(const Block& b) { return {{b.dw, b.dw}, {b.m, b.m}}; }
};

}  // namespace
}  // namespace tenon::panels
