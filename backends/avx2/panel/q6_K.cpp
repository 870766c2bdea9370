// q6_K: w = d sc (q - 32), sc i8 for each 16 elements. Unit of 1680 bytes for 256 elements: d f16 x 8 outputs, then for
// each of 8 blocks: sc of elements 0..15 and 16..31 as two i8 for each output (16 bytes), 64 bytes of high bits (vector
// i: bits 2c, 2c+1 are bits 4, 5 of the code in vector 4 i + c), 128 bytes of nibbles (panel.hpp). isum = sc0 sum0 +
// sc1 sum1 - 32 (sc0 sx0 + sc1 sx1), exact in integers; acc = fma(d dx, isum, acc). Codes up to 63: two products of a
// pair fit an i16, and the scale is applied by the multiply-add that widens them. Bit-exact to class int8.
#include "dequantized_panel.hpp"

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
    __m256i sc01;      // i16 pairs (sc0, sc1) for each output
    __m256i sc0, sc1;  // each twice, for the pairs of products
  };

  static Unit load_unit(const uint8_t* p) { return load_f16x8(p); }
  static void load_codes(const uint8_t* p, int b, __m256i (&w)[8]) {
    const uint8_t* block = p + 16 + b * kBlockBytes;
    load_nibbles(block + 80, w);
    const __m256i mask = _mm256_set1_epi8(0x30);
    for (int i = 0; i < 2; ++i) {
      const __m256i high = load32(block + 16 + 32 * i);
      for (int c = 0; c < 4; ++c) {
        const __m256i shifted = c < 2 ? _mm256_slli_epi16(high, 4 - 2 * c) : _mm256_srli_epi16(high, 2 * c - 4);
        w[4 * i + c] = _mm256_or_si256(w[4 * i + c], _mm256_and_si256(shifted, mask));
      }
    }
  }
  static Block load_block(const uint8_t* p, int b, Unit d) {
    const __m128i pairs = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 + b * kBlockBytes));
    const __m256i sc01 = _mm256_cvtepi8_epi16(pairs);
    const __m256i low = _mm256_and_si256(sc01, _mm256_set1_epi32(0xFFFF));
    const __m256i high = _mm256_srli_epi32(sc01, 16);
    return {d, sc01, _mm256_or_si256(low, _mm256_slli_epi32(low, 16)),
            _mm256_or_si256(high, _mm256_slli_epi32(high, 16))};
  }
  static __m256 step(__m256 acc, const __m256i (&w)[8], const Block& b, const ActBlock& x) {
    __m256i isum = _mm256_setzero_si256();
    for (int v = 0; v < 8; v += 2) {
      const __m256i part = _mm256_add_epi16(_mm256_maddubs_epi16(w[v], broadcast4(x.q + 4 * v)),
                                            _mm256_maddubs_epi16(w[v + 1], broadcast4(x.q + 4 * v + 4)));
      isum = _mm256_add_epi32(isum, _mm256_madd_epi16(part, v < 4 ? b.sc0 : b.sc1));
    }
    int32_t sums;
    __builtin_memcpy(&sums, x.sum16, 4);
    const __m256i offset = _mm256_slli_epi32(_mm256_madd_epi16(b.sc01, _mm256_set1_epi32(sums)), 5);
    return add_scaled(acc, b.d, _mm256_sub_epi32(isum, offset), x.d);
  }
  static Affine affine(const Block& b) {
    const auto scaled = [&](__m256i twice) {  // i16 pairs of the same scale to f32
      return _mm256_mul_ps(b.d, _mm256_cvtepi32_ps(_mm256_srai_epi32(twice, 16)));
    };
    return {{scaled(b.sc0), scaled(b.sc1)}, _mm256_setzero_ps()};
  }
};

}  // namespace

void panel_q6_K(const PanelCall& call) { multiply_panels<Q6K>(call); }
void panel_q6_K_f32(const PanelCall& call) { multiply_panels_f32<Q6K>(call); }

}  // namespace tenon::panels
