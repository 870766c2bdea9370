// q5_0: w = (q - 16) d. Unit of 176 bytes: d f16 x 8 outputs, 32 bytes of fifth bits (bit v of byte 4 r + j is that of
// vector v), 128 bytes of nibbles (panel.hpp). Codes up to 31: four products of a pair fit an i16. Bit-exact to class
// int8.
#include "dequantized_panel.hpp"

namespace tenon::panels {
namespace {

struct Q5_0 {
  static constexpr int kBlocks = 1;
  static constexpr int kUnitBytes = 176;
  static constexpr int kOffset = 16;
  static constexpr bool kHasMinimum = false;
  using Unit = __m256;
  using Block = __m256;

  static Unit load_unit(const uint8_t* p) { return load_f16x8(p); }
  static void load_codes(const uint8_t* p, int, __m256i (&w)[8]) {
    load_nibbles(p + 48, w);
    add_fifth_bits(p + 16, w);
  }
  static Block load_block(const uint8_t*, int, Unit d) { return d; }
  static __m256 step(__m256 acc, const __m256i (&w)[8], Block d, const ActBlock& x) {
    const __m256i isum = _mm256_sub_epi32(dot_unsigned<4>(w, x.q), _mm256_set1_epi32(16 * x.sum));
    return add_scaled(acc, d, isum, x.d);
  }
  static Affine affine(const Block& d) { return {{d, d}, {}}; }
};

}  // namespace

void panel_q5_0(const PanelCall& call) { multiply_panels<Q5_0>(call); }
void panel_q5_0_f32(const PanelCall& call) { multiply_panels_f32<Q5_0>(call); }

}  // namespace tenon::panels
