// q8_0: w = q d, q in [-128, 127]. Unit of 272 bytes: d f16 x 8 outputs, then eight vectors of codes (panel.hpp).
// Bit-exact to class int8.
#include "dequantized_panel.hpp"

namespace tenon::panels {
namespace {

struct Q8_0 {
  static constexpr int kBlocks = 1;
  static constexpr int kUnitBytes = 272;
  static constexpr int kOffset = 0;
  static constexpr bool kHasMinimum = false;
  using Unit = __m256;
  using Block = __m256;

  static Unit load_unit(const uint8_t* p) { return load_f16x8(p); }
  static void load_codes(const uint8_t* p, int, __m256i (&w)[8]) {
    for (int v = 0; v < 8; ++v) w[v] = load32(p + 16 + 32 * v);
  }
  static Block load_block(const uint8_t*, int, Unit d) { return d; }
  static __m256 step(__m256 acc, const __m256i (&w)[8], Block d, const ActBlock& x) {
    return add_scaled(acc, d, dot_signed(w, x.q), x.d);
  }
  static Affine affine(const Block& d) { return {{d, d}, {}}; }
};

}  // namespace

void panel_q8_0(const PanelCall& call) { multiply_panels<Q8_0>(call); }
void panel_q8_0_f32(const PanelCall& call) { multiply_panels_f32<Q8_0>(call); }

}  // namespace tenon::panels
