// bf16 weights, widened exactly. Panel [k][8 outputs]. Bit-exact to class f32.
#include "float_panel.hpp"

namespace tenon::panels {
namespace {

struct BF16 {
  static constexpr int kBytes = 2;
  static F32x8 load(const uint8_t* p) {
    const uint16x8_t halves = vld1q_u16(reinterpret_cast<const uint16_t*>(p));
    return {vreinterpretq_f32_u32(vshll_n_u16(vget_low_u16(halves), 16)),
            vreinterpretq_f32_u32(vshll_high_n_u16(halves, 16))};
  }
};

}  // namespace

void panel_bf16(const PanelCall& call) { multiply_panels<BF16>(call); }

}  // namespace tenon::panels
