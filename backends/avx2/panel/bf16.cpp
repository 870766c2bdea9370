// bf16 weights, the upper halves of f32. Panel [k][8 outputs]. Bit-exact to class f32.
#include "../isa/level.hpp"
#include "float_panel.hpp"
#include "plain_avx512.hpp"
#include "plain_formats.hpp"

namespace tenon::panels {

void panel_bf16(const PanelCall& call) {
  level() == Level::avx512 ? panel_bf16_avx512(call) : multiply_panels<Bf16>(call);
}

}  // namespace tenon::panels
