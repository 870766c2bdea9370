// The kernels of the class int8, one a block format, as each level has them. Plain data: shared by code compiled for
// the baseline and for more.
#pragma once

#include "panels/panel.hpp"

namespace tenon::panels {

struct Int8Kernels {
  PanelKernel q4_0;
  PanelKernel q4_1;
  PanelKernel q5_0;
  PanelKernel q5_1;
  PanelKernel q8_0;
  PanelKernel q2_K;
  PanelKernel q3_K;
  PanelKernel q4_K;
  PanelKernel q5_K;
  PanelKernel q6_K;
  PanelKernel iq4_nl;
  PanelKernel iq4_xs;
  PanelKernel mxfp4;
};

// Each in a file of its level's name.
extern const Int8Kernels kInt8Neon, kInt8DotProd, kInt8I8mm;

}  // namespace tenon::panels
