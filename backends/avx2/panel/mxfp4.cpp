// mxfp4: w = e2m1[q] 2^(e - 127). Unit of 136 bytes: e x 8 outputs, then 128 bytes of nibbles (panel.hpp).
// One shuffle gives the doubled e2m1 value plus 12, which is unsigned (0..24; four products of a pair fit an i16); the
// 12 comes off by the sum of x, and the scale carries the half: 2^(e - 128), exact for e = 0 and 1 (subnormal) and 255
// (NaN). Bit-exact to class int8.
#include "dequantized_panel.hpp"

namespace tenon::panels {
namespace {

struct Mxfp4 {
  static constexpr int kBlocks = 1;
  static constexpr int kUnitBytes = 136;
  static constexpr int kOffset = 12;
  static constexpr bool kHasMinimum = false;
  using Unit = __m256;
  using Block = __m256;

  static Unit load_unit(const uint8_t* p) {
    const __m256i e = load_u8x8(p);
    const __m256i normal = _mm256_slli_epi32(_mm256_sub_epi32(e, _mm256_set1_epi32(1)), 23);
    const __m256i subnormal = _mm256_sllv_epi32(_mm256_set1_epi32(0x00200000), e);  // e of 0 and 1
    const __m256i is_small = _mm256_cmpgt_epi32(_mm256_set1_epi32(2), e);
    const __m256i is_nan = _mm256_cmpeq_epi32(e, _mm256_set1_epi32(255));
    __m256i bits = _mm256_blendv_epi8(normal, subnormal, is_small);
    bits = _mm256_blendv_epi8(bits, _mm256_set1_epi32(0x7FC00000), is_nan);
    return _mm256_castsi256_ps(bits);
  }
  static void load_codes(const uint8_t* p, int, __m256i (&w)[8]) {
    load_nibbles(p + 8, w);
    const __m256i table = _mm256_setr_epi8(12, 13, 14, 15, 16, 18, 20, 24, 12, 11, 10, 9, 8, 6, 4, 0,  //
                                           12, 13, 14, 15, 16, 18, 20, 24, 12, 11, 10, 9, 8, 6, 4, 0);
    for (__m256i& v : w) v = _mm256_shuffle_epi8(table, v);
  }
  static Block load_block(const uint8_t*, int, Unit d) { return d; }
  static __m256 step(__m256 acc, const __m256i (&w)[8], Block d, const ActBlock& x) {
    const __m256i isum = _mm256_sub_epi32(dot_unsigned<4>(w, x.q), _mm256_set1_epi32(12 * x.sum));
    return add_scaled(acc, d, isum, x.d);
  }
  static Affine affine(const Block& d) { return {{d, d}, {}}; }
};

}  // namespace

void panel_mxfp4(const PanelCall& call) { multiply_panels<Mxfp4>(call); }
void panel_mxfp4_f32(const PanelCall& call) { multiply_panels_f32<Mxfp4>(call); }

}  // namespace tenon::panels
