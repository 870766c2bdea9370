// bf16 weights, widened exactly. Panel [k][8 outputs]. Bit-exact to class f32.
#include "float_panel.hpp"

namespace tenon::panels {
namespace {

struct BF16 {
  static constexpr int kBytes = 2;
  static __m256 load(const uint8_t* p) {
    const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
  }
};

}  // namespace

void panel_bf16(const PanelCall& call) { multiply_panels<BF16>(call); }

}  // namespace tenon::panels
