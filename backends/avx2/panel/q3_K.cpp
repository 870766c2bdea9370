// q3_K: w = d sc (q - 4), sc i8 (of 6 bits, less 32) for each 16 elements. Unit of 912 bytes for 256 elements: d f16 x
// 8 outputs, then for each of 8 blocks: sc of elements 0..15 and 16..31 as two i8 for each output (16 bytes), 32 bytes
// whose bit v is bit 2 of the code in vector v, 64 bytes of the low two bits (half_scales.hpp). isum = sc0 sum0 + sc1
// sum1 - 4 (sc0 sx0 + sc1 sx1), exact in integers; acc = fma(d dx, isum, acc). Codes up to 7: four products of a pair
// fit an i16. Bit-exact to class int8.
#include "dequantized_panel.hpp"
#include "half_scales.hpp"

namespace tenon::panels {
namespace {

struct Q3K {
  static constexpr int kBlocks = 8;
  static constexpr int kBlockBytes = 112;
  static constexpr int kUnitBytes = 16 + kBlocks * kBlockBytes;
  static constexpr int kOffset = 4;
  static constexpr bool kHasMinimum = false;
  using Unit = __m256;
  struct Block {
    __m256 d;
    HalfScales scales;
  };

  static Unit load_unit(const uint8_t* p) { return load_f16x8(p); }
  static void load_codes(const uint8_t* p, int b, __m256i (&w)[8]) {
    const uint8_t* block = p + 16 + b * kBlockBytes;
    const __m256i high = load32(block + 16), four = _mm256_set1_epi8(4);
    for (int v = 0; v < 8; ++v) {
      const __m256i shifted = v < 2 ? _mm256_slli_epi16(high, 2 - v) : _mm256_srli_epi16(high, v - 2);
      w[v] = _mm256_or_si256(two_bits_of<0>(block + 48, v), _mm256_and_si256(shifted, four));
    }
  }
  static Block load_block(const uint8_t* p, int b, Unit d) {
    const __m128i pairs = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 + b * kBlockBytes));
    return {d, half_scales(_mm256_cvtepi8_epi16(pairs))};
  }
  static __m256 step(__m256 acc, const __m256i (&w)[8], const Block& b, const ActBlock& x) {
    const __m256i offset = _mm256_slli_epi32(dot_sums(b.scales.both, x), 2);
    return add_scaled(acc, b.d, _mm256_sub_epi32(dot_halves<4>(w, x.q, b.scales), offset), x.d);
  }
  static Affine affine(const Block& b) {
    return {{_mm256_mul_ps(b.d, scale_of(b.scales.first)), _mm256_mul_ps(b.d, scale_of(b.scales.second))}, {}};
  }
};

}  // namespace

void panel_q3_K(const PanelCall& call) { multiply_panels<Q3K>(call); }
void panel_q3_K_f32(const PanelCall& call) { multiply_panels_f32<Q3K>(call); }

}  // namespace tenon::panels
