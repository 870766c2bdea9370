// iq4_nl: w = table[q] d. Unit as q4_0: d f16 x 8 outputs, 128 bytes of nibbles.
#pragma once

#include "../codes.hpp"

#include <tenon/blocks.hpp>

namespace tenon::panels {
namespace {

struct Iq4Nl {
  static constexpr int kBlocks = 1;
  static constexpr int kUnitBytes = 144;
  static constexpr int kGroups = 1;
  static constexpr int kOffset = 0;
  static constexpr int kLargest = 127;
  static constexpr bool kHasMinimum = false;
  using Unit = F32x8;
  using Block = F32x8;

  static Unit load_unit(const uint8_t* p) { return load_f16x8(p); }
  static void load_codes(const uint8_t* p, int, Codes& w) {
    load_nibbles(p + 16, w);
    look_up(kIQ4Values, w);
  }
  static Block load_block(const uint8_t*, int, Unit d) { return d; }
  static F32x8 step(F32x8 acc, const I32x8 (&isum)[1], Block d, const ActBlock& x) {
    return add_scaled(acc, d, isum[0], x.d);
  }
  static Affine affine(const Block& d) { return {{d, d}, {}}; }
};

}  // namespace
}  // namespace tenon::panels
