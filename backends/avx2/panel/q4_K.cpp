// q4_K: w = (d sc) q - dmin mn, sc and mn of 6 bits for each 32 elements. Unit of 1184 bytes for 256 elements: d f16 x
// 8 outputs, dmin f16 x 8, then for each of 8 blocks: sc u8 x 8, mn u8 x 8, 128 bytes of nibbles (panel.hpp). dw = d
// f32(sc), m = -(dmin f32(mn)), then as q4_1. Bit-exact to class int8.
#include "dequantized_panel.hpp"

namespace tenon::panels {
namespace {

struct Q4K {
  static constexpr int kBlocks = 8;
  static constexpr int kBlockBytes = 144;
  static constexpr int kUnitBytes = 32 + kBlocks * kBlockBytes;
  static constexpr int kOffset = 0;
  static constexpr bool kHasMinimum = true;
  struct Unit {
    __m256 d, dmin;
  };
  struct Block {
    __m256 dw, m;
  };

  static Unit load_unit(const uint8_t* p) { return {load_f16x8(p), load_f16x8(p + 16)}; }
  static void load_codes(const uint8_t* p, int b, __m256i (&w)[8]) { load_nibbles(p + 32 + b * kBlockBytes + 16, w); }
  static Block load_block(const uint8_t* p, int b, const Unit& unit) {
    const uint8_t* scales = p + 32 + b * kBlockBytes;
    const __m256 m = _mm256_mul_ps(unit.dmin, _mm256_cvtepi32_ps(load_u8x8(scales + 8)));
    return {_mm256_mul_ps(unit.d, _mm256_cvtepi32_ps(load_u8x8(scales))), _mm256_xor_ps(m, _mm256_set1_ps(-0.0f))};
  }
  static __m256 step(__m256 acc, const __m256i (&w)[8], const Block& b, const ActBlock& x) {
    acc = add_scaled(acc, b.dw, dot_unsigned<8>(w, x.q), x.d);
    return _mm256_fmadd_ps(b.m, _mm256_set1_ps(x.d_sum), acc);
  }
  static Affine affine(const Block& b) { return {{b.dw, b.dw}, {b.m, b.m}}; }
};

}  // namespace

void panel_q4_K(const PanelCall& call) { multiply_panels<Q4K>(call); }
void panel_q4_K_f32(const PanelCall& call) { multiply_panels_f32<Q4K>(call); }

}  // namespace tenon::panels
