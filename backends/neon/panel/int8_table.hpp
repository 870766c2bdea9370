// The table of a level's kernels. Included by the files of the levels alone.
#pragma once

#include "formats/formats.hpp"
#include "int8_kernels.hpp"
#include "int8_panel.hpp"

namespace tenon::panels {
namespace {

template <class Level>
constexpr Int8Kernels int8_kernels() {
  return {
      .q4_0 = multiply_panels<Level, Q4_0>,
      .q4_1 = multiply_panels<Level, Q4_1>,
      .q5_0 = multiply_panels<Level, Q5_0>,
      .q5_1 = multiply_panels<Level, Q5_1>,
      .q8_0 = multiply_panels<Level, Q8_0>,
      .q2_K = multiply_panels<Level, Q2K>,
      .q3_K = multiply_panels<Level, Q3K>,
      .q4_K = multiply_panels<Level, Q4K>,
      .q5_K = multiply_panels<Level, Q5K>,
      .q6_K = multiply_panels<Level, Q6K>,
      .iq4_nl = multiply_panels<Level, Iq4Nl>,
      .iq4_xs = multiply_panels<Level, Iq4Xs>,
      .mxfp4 = multiply_panels<Level, Mxfp4>,
  };
}

}  // namespace
}  // namespace tenon::panels
