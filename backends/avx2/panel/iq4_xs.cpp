// iq4_xs: w = (d sc) table[q], sc i8 (of 6 bits, less 32) for each 32 elements. Unit of 1104 bytes for 256 elements: d
// f16 x 8 outputs, then for each of 8 blocks: sc i8 x 8, 128 bytes of nibbles (panel.hpp). dw = d f32(sc), then as
// iq4_nl. Bit-exact to class int8.
#include "dequantized_panel.hpp"

#include <tenon/blocks.hpp>

namespace tenon::panels {
namespace {

struct Iq4Xs {
  static constexpr int kBlocks = 8;
  static constexpr int kBlockBytes = 136;
  static constexpr int kUnitBytes = 16 + kBlocks * kBlockBytes;
  static constexpr int kOffset = 0;
  static constexpr bool kHasMinimum = false;
  using Unit = __m256;
  using Block = __m256;

  static Unit load_unit(const uint8_t* p) { return load_f16x8(p); }
  static void load_codes(const uint8_t* p, int b, __m256i (&w)[8]) {
    load_nibbles(p + 16 + b * kBlockBytes + 8, w);
    const __m256i table = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(kIQ4Values)));
    for (__m256i& v : w) v = _mm256_shuffle_epi8(table, v);
  }
  static Block load_block(const uint8_t* p, int b, Unit d) {
    const auto* scales = reinterpret_cast<const __m128i*>(p + 16 + b * kBlockBytes);
    return _mm256_mul_ps(d, _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64(scales))));
  }
  static __m256 step(__m256 acc, const __m256i (&w)[8], Block dw, const ActBlock& x) {
    return add_scaled(acc, dw, dot_signed(w, x.q), x.d);
  }
  static Affine affine(const Block& dw) { return {{dw, dw}, {}}; }
};

}  // namespace

void panel_iq4_xs(const PanelCall& call) { multiply_panels<Iq4Xs>(call); }
void panel_iq4_xs_f32(const PanelCall& call) { multiply_panels_f32<Iq4Xs>(call); }

}  // namespace tenon::panels
