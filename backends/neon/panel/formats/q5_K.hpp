// q5_K: as q4_K with codes of 5 bits. Unit of 1440 bytes: d f16 x 8 outputs, dmin f16 x 8, then for each of 8 blocks:
// sc u8 x 8, mn u8 x 8, 32 bytes of fifth bits, 128 bytes of nibbles.
#pragma once

#include "../codes.hpp"

namespace tenon::panels {
namespace {

struct Q5K {
  static constexpr int kBlocks = 8;
  static constexpr int kBlockBytes = 176;
  static constexpr int kUnitBytes = 32 + kBlocks * kBlockBytes;
  static constexpr int kGroups = 1;
  static constexpr int kOffset = 0;
  static constexpr int kLargest = 31;
  static constexpr bool kHasMinimum = true;
  struct Unit {
    F32x8 d, dmin;
  };
  struct Block {
    F32x8 dw, m;
  };

  static Unit load_unit(const uint8_t* p) { return {load_f16x8(p), load_f16x8(p + 16)}; }
  static void load_codes(const uint8_t* p, int b, Codes& w) {
    load_nibbles(p + 32 + b * kBlockBytes + 48, w);
    add_one_bit<4>(p + 32 + b * kBlockBytes + 16, w);
  }
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
