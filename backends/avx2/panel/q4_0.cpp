// q4_0: w = (q - 8) d. Unit of 144 bytes: d f16 x 8 outputs, then 128 bytes of nibbles (panel.hpp).
// isum = sum q x - 8 sum x, exact in integers; acc = fma(d dx, isum, acc). Bit-exact to class int8.
#include "dequantized_panel.hpp"

namespace tenon::panels {
namespace {

struct Q4_0 {
  static constexpr int kBlocks = 1;
  static constexpr int kUnitBytes = 144;
  static constexpr int kOffset = 8;
  static constexpr bool kHasMinimum = false;
  using Unit = __m256;
  using Block = __m256;

  static Unit load_unit(const uint8_t* p) { return load_f16x8(p); }
  static void load_codes(const uint8_t* p, int, __m256i (&w)[8]) { load_nibbles(p + 16, w); }
  static Block load_block(const uint8_t*, int, Unit d) { return d; }
  static __m256 step(__m256 acc, const __m256i (&w)[8], Block d, const ActBlock& x) {
    const __m256i isum = _mm256_sub_epi32(dot_unsigned<8>(w, x.q), _mm256_set1_epi32(8 * x.sum));
    return add_scaled(acc, d, isum, x.d);
  }
  static Affine affine(const Block& d) { return {{d, d}, {}}; }
};

}  // namespace

void panel_q4_0(const PanelCall& call) { multiply_panels<Q4_0>(call); }
void panel_q4_0_f32(const PanelCall& call) { multiply_panels_f32<Q4_0>(call); }

}  // namespace tenon::panels
