// bf16 weights, widened exactly. Panel [k][8 outputs]. Bit-exact to class f32.
#include "float_panel.hpp"

namespace tenon::panels {
namespace {

struct BF16 {
  static constexpr int kBytes = 2;
  static F32x8 load(const uint8_t* p) { return widen_bf16x8(vld1q_u16(reinterpret_cast<const uint16_t*>(p))); }
};

}  // namespace

void panel_bf16(const PanelCall& call) { multiply_panels<BF16>(call); }

}  // namespace tenon::panels
