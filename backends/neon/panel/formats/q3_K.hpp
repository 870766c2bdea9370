// q3_K: w = d sc (q - 4), sc i8 (of 6 bits, less 32) for each 16 elements. Unit of 912 bytes for 256 elements: d f16 x
// 8 outputs, then for each of 8 blocks: sc of elements 0..15 and 16..31 as two i8 for each output (16 bytes), 32 bytes
// whose bit v is bit 2 of the code in vector v, 64 bytes of the low two bits (half_scales.hpp). As q6_K.
#pragma once

#include "half_scales.hpp"

namespace tenon::panels {
namespace {

struct Q3K {
  static constexpr int kBlocks = 8;
  static constexpr int kBlockBytes = 112;
  static constexpr int kUnitBytes = 16 + kBlocks * kBlockBytes;
  static constexpr int kGroups = 2;
  static constexpr int kOffset = 4;
  static constexpr int kLargest = 7;
  static constexpr bool kHasMinimum = false;
  using Unit = F32x8;
  struct Block {
    F32x8 d;
    HalfScales scales;
  };

  static Unit load_unit(const uint8_t* p) { return load_f16x8(p); }
  static void load_codes(const uint8_t* p, int b, Codes& w) {
    const uint8_t* block = p + 16 + b * kBlockBytes;
    w = {};
    add_two_bits<0>(block + 48, w);
    add_one_bit<2>(block + 16, w);
  }
  static Block load_block(const uint8_t* p, int b, Unit d) { return {d, load_half_scales(p + 16 + b * kBlockBytes)}; }
  static F32x8 step(F32x8 acc, const I32x8 (&isum)[2], const Block& b, const ActBlock& x) {
    return add_scaled(acc, b.d, sum_halves(b.scales, isum), x.d);
  }
  static Affine affine(const Block& b) {
    return {{mul8(b.d, to_f32(b.scales.half[0])), mul8(b.d, to_f32(b.scales.half[1]))}, {}};
  }
};

}  // namespace
}  // namespace tenon::panels
