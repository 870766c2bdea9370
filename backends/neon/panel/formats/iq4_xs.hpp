// iq4_xs: w = (d sc) table[q], sc i8 (of 6 bits, less 32) for each 32 elements. Unit of 1104 bytes for 256 elements: d
// f16 x 8 outputs, then for each of 8 blocks: sc i8 x 8, 128 bytes of nibbles (panel.hpp). dw = d f32(sc), then as
// iq4_nl.
#pragma once

#include "../codes.hpp"

#include <tenon/blocks.hpp>

namespace tenon::panels {
namespace {

struct Iq4Xs {
  static constexpr int kBlocks = 8;
  static constexpr int kBlockBytes = 136;
  static constexpr int kUnitBytes = 16 + kBlocks * kBlockBytes;
  static constexpr int kGroups = 1;
  static constexpr int kOffset = 0;
  static constexpr int kLargest = 127;
  static constexpr bool kHasMinimum = false;
  using Unit = F32x8;
  using Block = F32x8;

  static Unit load_unit(const uint8_t* p) { return load_f16x8(p); }
  static void load_codes(const uint8_t* p, int b, Codes& w) {
    load_nibbles(p + 16 + b * kBlockBytes + 8, w);
    look_up(kIQ4Values, w);
  }
  static Block load_block(const uint8_t* p, int b, Unit d) {
    return mul8(d, to_f32(to_i32(vld1_s8(reinterpret_cast<const int8_t*>(p + 16 + b * kBlockBytes)))));
  }
  static F32x8 step(F32x8 acc, const I32x8 (&isum)[1], Block dw, const ActBlock& x) {
    return add_scaled(acc, dw, isum[0], x.d);
  }
  static Affine affine(const Block& dw) { return {{dw, dw}, {}}; }
};

}  // namespace
}  // namespace tenon::panels
