// The products of panel.hpp by plain weights for processors with AVX-512, to the same bits.
#pragma once

#include "panels/panel.hpp"

namespace tenon::panels {

void panel_f32_avx512(const PanelCall& call);
void panel_f16_avx512(const PanelCall& call);
void panel_bf16_avx512(const PanelCall& call);

}  // namespace tenon::panels
