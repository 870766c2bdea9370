// iq4_nl: w = table[q] d. Unit as q4_0: d f16 x 8 outputs, 128 bytes of nibbles. Bit-exact to class int8.
#include "dequantized_panel.hpp"

#include <tenon/blocks.hpp>

namespace tenon::panels {
namespace {

struct Iq4Nl {
  static constexpr int kBlocks = 1;
  static constexpr int kUnitBytes = 144;
  static constexpr int kOffset = 0;
  static constexpr bool kHasMinimum = false;
  using Unit = __m256;
  using Block = __m256;

  static Unit load_unit(const uint8_t* p) { return load_f16x8(p); }
  static void load_codes(const uint8_t* p, int, __m256i (&w)[8]) {
    load_nibbles(p + 16, w);
    const __m256i table = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(kIQ4Values)));
    for (__m256i& v : w) v = _mm256_shuffle_epi8(table, v);
  }
  static Block load_block(const uint8_t*, int, Unit d) { return d; }
  static __m256 step(__m256 acc, const __m256i (&w)[8], Block d, const ActBlock& x) {
    return add_scaled(acc, d, dot_signed(w, x.q), x.d);
  }
  static Affine affine(const Block& d) { return {{d, d}, {}}; }
};

}  // namespace

void panel_iq4_nl(const PanelCall& call) { multiply_panels<Iq4Nl>(call); }
void panel_iq4_nl_f32(const PanelCall& call) { multiply_panels_f32<Iq4Nl>(call); }

}  // namespace tenon::panels
