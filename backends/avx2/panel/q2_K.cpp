// q2_K: w = (d sc) q - dmin mn, sc and mn of 4 bits for each 16 elements. Unit of 672 bytes for 256 elements: d f16 x 8
// outputs, dmin f16 x 8, then for each of 8 blocks: sc | mn << 4 of elements 0..15 and 16..31 for each output (16
// bytes), 64 bytes of codes (half_scales.hpp). acc = fma(d dx, sc0 sum0 + sc1 sum1, acc), then acc = fma(-dmin, dx (mn0
// sx0 + mn1 sx1), acc), the sums exact in integers. Codes up to 3: four products of a pair fit an i16. Bit-exact to
// class int8.
#include "dequantized_panel.hpp"
#include "half_scales.hpp"

namespace tenon::panels {
namespace {

struct Q2K {
  static constexpr int kBlocks = 8;
  static constexpr int kBlockBytes = 80;
  static constexpr int kUnitBytes = 32 + kBlocks * kBlockBytes;
  static constexpr int kOffset = 0;
  static constexpr bool kHasMinimum = true;
  struct Unit {
    __m256 d, minus_dmin;
  };
  struct Block {
    Unit unit;
    HalfScales scales;
    __m256i minima;  // i16 pairs
  };

  static Unit load_unit(const uint8_t* p) {
    return {load_f16x8(p), _mm256_xor_ps(load_f16x8(p + 16), _mm256_set1_ps(-0.0f))};
  }
  static void load_codes(const uint8_t* p, int b, __m256i (&w)[8]) {
    for (int v = 0; v < 8; ++v) w[v] = two_bits_of<0>(p + 32 + b * kBlockBytes + 16, v);
  }
  static Block load_block(const uint8_t* p, int b, const Unit& unit) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 32 + b * kBlockBytes));
    const __m256i pairs = _mm256_cvtepu8_epi16(bytes);
    return {unit, half_scales(_mm256_and_si256(pairs, _mm256_set1_epi16(15))), _mm256_srli_epi16(pairs, 4)};
  }
  static __m256 step(__m256 acc, const __m256i (&w)[8], const Block& b, const ActBlock& x) {
    acc = add_scaled(acc, b.unit.d, dot_halves<4>(w, x.q, b.scales), x.d);
    const __m256 minima = _mm256_cvtepi32_ps(dot_sums(b.minima, x));
    return _mm256_fmadd_ps(b.unit.minus_dmin, _mm256_mul_ps(_mm256_set1_ps(x.d), minima), acc);
  }
  static Affine affine(const Block& b) {
    const HalfScales minima = half_scales(b.minima);
    return {{_mm256_mul_ps(b.unit.d, scale_of(b.scales.first)), _mm256_mul_ps(b.unit.d, scale_of(b.scales.second))},
            {_mm256_mul_ps(b.unit.minus_dmin, scale_of(minima.first)),
             _mm256_mul_ps(b.unit.minus_dmin, scale_of(minima.second))}};
  }
};

}  // namespace

void panel_q2_K(const PanelCall& call) { multiply_panels<Q2K>(call); }
void panel_q2_K_f32(const PanelCall& call) { multiply_panels_f32<Q2K>(call); }

}  // namespace tenon::panels
