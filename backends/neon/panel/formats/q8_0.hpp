// q8_0: w = q d, q in [-128, 127]. Unit of 272 bytes: d f16 x 8 outputs, then eight vectors of codes (panel.hpp).
#pragma once

#include "../codes.hpp"

namespace tenon::panels {
namespace {

struct Q8_0 {
  static constexpr int kBlocks = 1;
  static constexpr int kUnitBytes = 272;
  static constexpr int kGroups = 1;
  static constexpr int kOffset = 0;
  static constexpr int kLargest = 128;
  static constexpr bool kHasMinimum = false;
  using Unit = F32x8;
  using Block = F32x8;

  static Unit load_unit(const uint8_t* p) { return load_f16x8(p); }
  static void load_codes(const uint8_t* p, int, Codes& w) {
    const auto* codes = reinterpret_cast<const int8_t*>(p + 16);
    for (int v = 0; v < 8; ++v) {
      w.low[v] = vld1q_s8(codes + 32 * v);
      w.high[v] = vld1q_s8(codes + 32 * v + 16);
    }
  }
  static Block load_block(const uint8_t*, int, Unit d) { return d; }
  static F32x8 step(F32x8 acc, const I32x8 (&isum)[1], Block d, const ActBlock& x) {
    return add_scaled(acc, d, isum[0], x.d);
  }
  static Affine affine(const Block& d) { return {{d, d}, {}}; }
};

}  // namespace
}  // namespace tenon::panels
