// q5_1: w = q d + m. Unit of 192 bytes: d f16 x 8 outputs, m f16 x 8, 32 bytes of fifth bits, 128 bytes of nibbles, as
// q5_0. Bit-exact to class int8.
#include "dequantized_panel.hpp"

namespace tenon::panels {
namespace {

struct Q5_1 {
  static constexpr int kBlocks = 1;
  static constexpr int kUnitBytes = 192;
  static constexpr int kOffset = 0;
  static constexpr bool kHasMinimum = true;
  struct Unit {
    __m256 d, m;
  };
  using Block = Unit;

  static Unit load_unit(const uint8_t* p) { return {load_f16x8(p), load_f16x8(p + 16)}; }
  static void load_codes(const uint8_t* p, int, __m256i (&w)[8]) {
    load_nibbles(p + 64, w);
    add_fifth_bits(p + 32, w);
  }
  static Block load_block(const uint8_t*, int, const Unit& unit) { return unit; }
  static __m256 step(__m256 acc, const __m256i (&w)[8], const Block& b, const ActBlock& x) {
    acc = add_scaled(acc, b.d, dot_unsigned<4>(w, x.q), x.d);
    return _mm256_fmadd_ps(b.m, _mm256_set1_ps(x.d_sum), acc);
  }
  static Affine affine(const Block& b) { return {{b.d, b.d}, {b.m, b.m}}; }
};

}  // namespace

void panel_q5_1(const PanelCall& call) { multiply_panels<Q5_1>(call); }
void panel_q5_1_f32(const PanelCall& call) { multiply_panels_f32<Q5_1>(call); }

}  // namespace tenon::panels
