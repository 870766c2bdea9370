// q6_K: w = d sc (q - 32), sc i8 for each 16 elements. Unit of 1680 bytes for 256 elements: d f16 x 8 outputs, then for
// each of 8 blocks: sc of elements 0..15 and 16..31 as two i8 for each output (16 bytes), 64 bytes of high bits (vector
// i: bits 2c, 2c+1 are bits 4, 5 of the code in vector 4 i + c), 128 bytes of nibbles (panel.hpp). isum = sc0 sum0 +
// sc1 sum1 - 32 (sc0 sx0 + sc1 sx1), exact in integers; acc = fma(d dx, isum, acc). Codes up to 63: two products of a
// pair fit an i16. Bit-exact to class int8.
#include "dequantized_panel.hpp"
#include "half_scales.hpp"

namespace tenon::panels {
namespace {

struct Q6K {
  static constexpr int kBlocks = 8;
  static constexpr int kBlockBytes = 208;
  static constexpr int kUnitBytes = 16 + kBlocks * kBlockBytes;
  static constexpr int kOffset = 32;
  static constexpr bool kHasMinimum = false;
  using Unit = __m256;
  struct Block {
    __m256 d;
    HalfScales scales;
  };

  static Unit load_unit(const uint8_t* p) { return load_f16x8(p); }
  static void load_codes(const uint8_t* p, int b, __m256i (&w)[8]) {
    const uint8_t* block = p + 16 + b * kBlockBytes;
    load_nibbles(block + 80, w);
    for (int v = 0; v < 8; ++v) w[v] = _mm256_or_si256(w[v], two_bits_of<4>(block + 16, v));
  }
  static Block load_block(const uint8_t* p, int b, Unit d) {
    const __m128i pairs = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 + b * kBlockBytes));
    return {d, half_scales(_mm256_cvtepi8_epi16(pairs))};
  }
  static __m256 step(__m256 acc, const __m256i (&w)[8], const Block& b, const ActBlock& x) {
    const __m256i offset = _mm256_slli_epi32(dot_sums(b.scales.both, x), 5);
    return add_scaled(acc, b.d, _mm256_sub_epi32(dot_halves<2>(w, x.q, b.scales), offset), x.d);
  }
  static Affine affine(const Block& b) {
    return {{_mm256_mul_ps(b.d, scale_of(b.scales.first)), _mm256_mul_ps(b.d, scale_of(b.scales.second))}, {}};
  }
};

}  // namespace

void panel_q6_K(const PanelCall& call) { multiply_panels<Q6K>(call); }
void panel_q6_K_f32(const PanelCall& call) { multiply_panels_f32<Q6K>(call); }

}  // namespace tenon::panels
