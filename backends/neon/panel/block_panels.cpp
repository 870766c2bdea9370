// The kernels of the block formats that panel.hpp declares: in the class int8 those of the level in use, in the class
// f32 plain NEON.
#include "../isa/level.hpp"
#include "dequantized_panel.hpp"
#include "formats/formats.hpp"
#include "int8_kernels.hpp"

namespace tenon::panels {
namespace {

const Int8Kernels& int8() {
  switch (level()) {
    case Level::i8mm: return kInt8I8mm;
    case Level::dotprod: return kInt8DotProd;
    case Level::neon: break;
  }
  return kInt8Neon;
}

}  // namespace

void panel_q4_0(const PanelCall& call) { int8().q4_0(call); }
void panel_q4_1(const PanelCall& call) { int8().q4_1(call); }
void panel_q5_0(const PanelCall& call) { int8().q5_0(call); }
void panel_q5_1(const PanelCall& call) { int8().q5_1(call); }
void panel_q8_0(const PanelCall& call) { int8().q8_0(call); }
void panel_q2_K(const PanelCall& call) { int8().q2_K(call); }
void panel_q3_K(const PanelCall& call) { int8().q3_K(call); }
void panel_q4_K(const PanelCall& call) { int8().q4_K(call); }
void panel_q5_K(const PanelCall& call) { int8().q5_K(call); }
void panel_q6_K(const PanelCall& call) { int8().q6_K(call); }
void panel_iq4_nl(const PanelCall& call) { int8().iq4_nl(call); }
void panel_iq4_xs(const PanelCall& call) { int8().iq4_xs(call); }
void panel_mxfp4(const PanelCall& call) { int8().mxfp4(call); }

void panel_q4_0_f32(const PanelCall& call) { multiply_panels_f32<Q4_0>(call); }
void panel_q4_1_f32(const PanelCall& call) { multiply_panels_f32<Q4_1>(call); }
void panel_q5_0_f32(const PanelCall& call) { multiply_panels_f32<Q5_0>(call); }
void panel_q5_1_f32(const PanelCall& call) { multiply_panels_f32<Q5_1>(call); }
void panel_q8_0_f32(const PanelCall& call) { multiply_panels_f32<Q8_0>(call); }
void panel_q2_K_f32(const PanelCall& call) { multiply_panels_f32<Q2K>(call); }
void panel_q3_K_f32(const PanelCall& call) { multiply_panels_f32<Q3K>(call); }
void panel_q4_K_f32(const PanelCall& call) { multiply_panels_f32<Q4K>(call); }
void panel_q5_K_f32(const PanelCall& call) { multiply_panels_f32<Q5K>(call); }
void panel_q6_K_f32(const PanelCall& call) { multiply_panels_f32<Q6K>(call); }
void panel_iq4_nl_f32(const PanelCall& call) { multiply_panels_f32<Iq4Nl>(call); }
void panel_iq4_xs_f32(const PanelCall& call) { multiply_panels_f32<Iq4Xs>(call); }
void panel_mxfp4_f32(const PanelCall& call) { multiply_panels_f32<Mxfp4>(call); }

}  // namespace tenon::panels
