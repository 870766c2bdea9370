// q4_1: w = q d + m. Unit of 160 bytes: d f16 x 8 outputs, m f16 x 8, then 128 bytes of nibbles (panel.hpp).
// acc = fma(d dx, isum, acc), then acc = fma(m, dx sum x, acc).
#pragma once

#include "../codes.hpp"

namespace tenon::panels {
namespace {

struct Q4_1 {
  static constexpr int kBlocks = 1;
  static constexpr int kUnitBytes = 160;
  static constexpr int kGroups = 1;
  static constexpr int kOffset = 0;
  static constexpr int kLargest = 15;
  static constexpr bool kHasMinimum = true;
  struct Unit {
    F32x8 d, m;
  };
  using Block = Unit;

  static Unit load_unit(const uint8_t* p) { return {load_f16x8(p), load_f16x8(p + 16)}; }
  static void load_codes(const uint8_t* p, int, Codes& w) { load_nibbles(p + 32, w); }
  static Block load_block(const uint8_t*, int, const Unit& unit) { return unit; }
  static F32x8 step(F32x8 acc, const I32x8 (&isum)[1], const Block& b, const ActBlock& x) {
    return fma8(add_scaled(acc, b.d, isum[0], x.d), b.m, set8(x.d_sum));
  }
  static Affine affine(const Block& b) { return {{b.d, b.d}, {b.m, b.m}}; }
};

}  // namespace
}  // namespace tenon::panels
