// f32 weights as they are. Panel [k][8 outputs]. Bit-exact to class f32.
#include "float_panel.hpp"

namespace tenon::panels {
namespace {

struct F32 {
  static constexpr int kBytes = 4;
  static F32x8 load(const uint8_t* p) { return load8(reinterpret_cast<const float*>(p)); }
};

}  // namespace

void panel_f32(const PanelCall& call) { multiply_panels<F32>(call); }

}  // namespace tenon::panels
