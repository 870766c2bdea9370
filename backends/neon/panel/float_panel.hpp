// The loop of the plain formats: acc = fma(x[k], w[k], acc) for k ascending, eight outputs in two vectors (class f32 of
// core/README.md). A panel is [k][8 outputs]. Several panels and rows at once only keep more chains in flight: an fma
// takes four cycles and two start in each, so that eight chains keep the units busy. Included by the format files
// alone.
#pragma once

#include "panel_store.hpp"

namespace tenon::panels {
namespace {

/// kRows rows by kPanels neighbouring panels. Format::load gives eight weights as f32.
template <class Format, int kRows, int kPanels>
inline void multiply_tile(const PanelCall& call, int64_t panel, int64_t row) {
  const int64_t panel_bytes = call.k * kPanel * Format::kBytes;
  const uint8_t* w = call.panels + panel * panel_bytes;
  const float* x[kRows];
  F32x8 acc[kRows][kPanels];
  for (int r = 0; r < kRows; ++r) {
    x[r] = static_cast<const float*>(call.x[row + r]);
    for (int p = 0; p < kPanels; ++p) acc[r][p] = set8(0.0f);
  }
  for (int64_t k = 0; k < call.k; ++k, w += kPanel * Format::kBytes) {
    F32x8 weights[kPanels];
    for (int p = 0; p < kPanels; ++p) weights[p] = Format::load(w + p * panel_bytes);
    for (int r = 0; r < kRows; ++r) {
      const float32x4_t value = vdupq_n_f32(x[r][k]);
      for (int p = 0; p < kPanels; ++p) acc[r][p] = fma8(acc[r][p], value, weights[p]);
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int p = 0; p < kPanels; ++p) store_outputs(call, panel + p, row + r, acc[r][p]);
  }
}

template <class Format, int kPanels>
inline void multiply_rows(const PanelCall& call, int64_t panel) {
  int64_t row = 0;
  for (; row + 4 <= call.n_rows; row += 4) multiply_tile<Format, 4, kPanels>(call, panel, row);
  for (; row < call.n_rows; ++row) multiply_tile<Format, 1, kPanels>(call, panel, row);
}

template <class Format>
inline void multiply_panels(const PanelCall& call) {
  int64_t panel = call.first_panel;
  if (call.n_rows < 4) {
    for (; panel + 4 <= call.last_panel; panel += 4) multiply_rows<Format, 4>(call, panel);
  }
  for (; panel + 2 <= call.last_panel; panel += 2) multiply_rows<Format, 2>(call, panel);
  for (; panel < call.last_panel; ++panel) multiply_rows<Format, 1>(call, panel);
}

}  // namespace
}  // namespace tenon::panels
