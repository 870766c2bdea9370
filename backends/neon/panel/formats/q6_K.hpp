// q6_K: w = d sc (q - 32), sc i8 for each 16 elements. Unit of 1680 bytes for 256 elements: d f16 x 8 outputs, then for
// each of 8 blocks: sc of elements 0..15 and 16..31 as two i8 for each output (16 bytes), 64 bytes of high bits (vector
// i: bits 2c, 2c+1 are bits 4, 5 of the code in vector 4 i + c), 128 bytes of nibbles (panel.hpp). isum = sc0 isum0 +
// sc1 isum1, exact in integers; acc = fma(d dx, isum, acc).
#pragma once

#include "../codes.hpp"

namespace tenon::panels {
namespace {

struct Q6K {
  static constexpr int kBlocks = 8;
  static constexpr int kBlockBytes = 208;
  static constexpr int kUnitBytes = 16 + kBlocks * kBlockBytes;
  static constexpr int kGroups = 2;
  static constexpr int kOffset = 32;
  static constexpr int kLargest = 63;
  static constexpr bool kHasMinimum = false;
  using Unit = F32x8;
  struct Block {
    F32x8 d;
    I32x8 sc[2];
  };

  static Unit load_unit(const uint8_t* p) { return load_f16x8(p); }
  static void load_codes(const uint8_t* p, int b, Codes& w) {
    const uint8_t* block = p + 16 + b * kBlockBytes;
    load_nibbles(block + 80, w);
    for (int v = 0; v < 8; ++v) {
      const uint8_t* high = block + 16 + 32 * (v / 4);
      add_bits(w.low[v], vld1q_u8(high), 4 - 2 * (v % 4), 0x30);
      add_bits(w.high[v], vld1q_u8(high + 16), 4 - 2 * (v % 4), 0x30);
    }
  }
  static Block load_block(const uint8_t* p, int b, Unit d) {
    const int8x8x2_t sc = vld2_s8(reinterpret_cast<const int8_t*>(p + 16 + b * kBlockBytes));
    return {d, {widen(sc.val[0]), widen(sc.val[1])}};
  }
  static F32x8 step(F32x8 acc, const I32x8 (&isum)[2], const Block& b, const ActBlock& x) {
    const auto scaled = [](int32x4_t sc0, int32x4_t sum0, int32x4_t sc1, int32x4_t sum1) {
      return vmlaq_s32(vmulq_s32(sc0, sum0), sc1, sum1);
    };
    const I32x8 sum{scaled(b.sc[0].low, isum[0].low, b.sc[1].low, isum[1].low),
                    scaled(b.sc[0].high, isum[0].high, b.sc[1].high, isum[1].high)};
    return add_scaled(acc, b.d, sum, x.d);
  }
  static Affine affine(const Block& b) {
    return {{mul8(b.d, to_f32(b.sc[0])), mul8(b.d, to_f32(b.sc[1]))}, set8(0.0f)};
  }

 private:
  static I32x8 widen(int8x8_t sc) {
    const int16x8_t wide = vmovl_s8(sc);
    return {vmovl_s16(vget_low_s16(wide)), vmovl_s16(vget_high_s16(wide))};
  }
};

}  // namespace
}  // namespace tenon::panels
