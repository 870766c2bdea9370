// f16 weights, widened exactly. Panel [k][8 outputs]. Bit-exact to class f32.
#include "../isa/level.hpp"
#include "float_panel.hpp"
#include "plain_avx512.hpp"
#include "plain_formats.hpp"

namespace tenon::panels {

void panel_f16(const PanelCall& call) {
  level() == Level::avx512 ? panel_f16_avx512(call) : multiply_panels<F16>(call);
}

}  // namespace tenon::panels
