// f32 weights as they are. Panel [k][8 outputs]. Bit-exact to class f32.
#include "../isa/level.hpp"
#include "float_panel.hpp"
#include "plain_avx512.hpp"
#include "plain_formats.hpp"

namespace tenon::panels {

void panel_f32(const PanelCall& call) {
  level() == Level::avx512 ? panel_f32_avx512(call) : multiply_panels<F32>(call);
}

}  // namespace tenon::panels
