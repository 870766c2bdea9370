// mxfp4: w = e2m1[q] 2^(e - 127). Unit of 136 bytes: e x 8 outputs, then 128 bytes of nibbles (panel.hpp). The codes
// are the doubled e2m1 values, so the scale carries the half: 2^(e - 128), exact for e = 0 and 1 (subnormal) and 255
// (NaN).
#pragma once

#include "../codes.hpp"

#include <tenon/blocks.hpp>

namespace tenon::panels {
namespace {

struct Mxfp4 {
  static constexpr int kBlocks = 1;
  static constexpr int kUnitBytes = 136;
  static constexpr int kGroups = 1;
  static constexpr int kOffset = 0;
  static constexpr int kLargest = 12;
  static constexpr bool kHasMinimum = false;
  using Unit = F32x8;
  using Block = F32x8;

  static Unit load_unit(const uint8_t* p) {
    const I32x8 e = load_u8x8(p);
    return {half_scale(e.low), half_scale(e.high)};
  }
  static void load_codes(const uint8_t* p, int, Codes& w) {
    load_nibbles(p + 8, w);
    look_up(kE2M1Doubled, w);
  }
  static Block load_block(const uint8_t*, int, Unit d) { return d; }
  static F32x8 step(F32x8 acc, const I32x8 (&isum)[1], Block d, const ActBlock& x) {
    return add_scaled(acc, d, isum[0], x.d);
  }
  static Affine affine(const Block& d) { return {{d, d}, {}}; }

 private:
  static float32x4_t half_scale(int32x4_t e) {
    const int32x4_t normal = vshlq_n_s32(vsubq_s32(e, vdupq_n_s32(1)), 23);
    const int32x4_t subnormal = vshlq_s32(vdupq_n_s32(0x00200000), e);  // e of 0 and 1
    const int32x4_t bits = vbslq_s32(vcltq_s32(e, vdupq_n_s32(2)), subnormal, normal);
    return vreinterpretq_f32_s32(vbslq_s32(vceqq_s32(e, vdupq_n_s32(255)), vdupq_n_s32(0x7FC00000), bits));
  }
};

}  // namespace
}  // namespace tenon::panels
