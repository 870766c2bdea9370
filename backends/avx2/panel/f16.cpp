// f16 weights, widened exactly. Panel [k][8 outputs]. Bit-exact to class f32.
#include "float_panel.hpp"

namespace tenon::panels {
namespace {

struct F16 {
  static constexpr int kBytes = 2;
  static __m256 load(const uint8_t* p) { return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))); }
};

}  // namespace

void panel_f16(const PanelCall& call) { multiply_panels<F16>(call); }

}  // namespace tenon::panels
