// q2_K: w = (d sc) q - dmin mn, sc and mn of 4 bits for each 16 elements. Unit of 672 bytes for 256 elements: d f16 x 8
// outputs, dmin f16 x 8, then for each of 8 blocks: sc | mn << 4 of elements 0..15 and 16..31 for each output (16
// bytes), 64 bytes of codes (half_scales.hpp). acc = fma(d dx, sc0 isum0 + sc1 isum1, acc), then acc = fma(-dmin, dx
// (mn0 sx0 + mn1 sx1), acc), the sums exact in integers.
#pragma once

#include "half_scales.hpp"

namespace tenon::panels {
namespace {

struct Q2K {
  static constexpr int kBlocks = 8;
  static constexpr int kBlockBytes = 80;
  static constexpr int kUnitBytes = 32 + kBlocks * kBlockBytes;
  static constexpr int kGroups = 2;
  static constexpr int kOffset = 0;
  static constexpr int kLargest = 3;
  static constexpr bool kHasMinimum = true;
  struct Unit {
    F32x8 d, minus_dmin;
  };
  struct Block {
    Unit unit;
    HalfScales scales, minima;
  };

  static Unit load_unit(const uint8_t* p) { return {load_f16x8(p), negate8(load_f16x8(p + 16))}; }
  static void load_codes(const uint8_t* p, int b, Codes& w) {
    w = {};
    add_two_bits<0>(p + 32 + b * kBlockBytes + 16, w);
  }
  static Block load_block(const uint8_t* p, int b, const Unit& unit) {
    const uint8x8x2_t pairs = vld2_u8(p + 32 + b * kBlockBytes);
    const auto low = [&](int h) { return to_i32(vreinterpret_s8_u8(vand_u8(pairs.val[h], vdup_n_u8(15)))); };
    const auto high = [&](int h) { return to_i32(vreinterpret_s8_u8(vshr_n_u8(pairs.val[h], 4))); };
    return {unit, {{low(0), low(1)}}, {{high(0), high(1)}}};
  }
  static F32x8 step(F32x8 acc, const I32x8 (&isum)[2], const Block& b, const ActBlock& x) {
    acc = add_scaled(acc, b.unit.d, sum_halves(b.scales, isum), x.d);
    const I32x8 sums[2] = {set8(int32_t{x.sum16[0]}), set8(int32_t{x.sum16[1]})};
    return fma8(acc, b.unit.minus_dmin, mul8(set8(x.d), to_f32(sum_halves(b.minima, sums))));
  }
  static Affine affine(const Block& b) {
    const auto times = [](F32x8 factor, const I32x8& integers) { return mul8(factor, to_f32(integers)); };
    return {{times(b.unit.d, b.scales.half[0]), times(b.unit.d, b.scales.half[1])},
            {times(b.unit.minus_dmin, b.minima.half[0]), times(b.unit.minus_dmin, b.minima.half[1])}};
  }
};

}  // namespace
}  // namespace tenon::panels
