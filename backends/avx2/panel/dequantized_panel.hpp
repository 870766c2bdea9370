// Block formats in the class f32: a block is dequantized to f32, eight outputs a vector, with the roundings of
// core/sdk/tenon/dequantize.hpp, and multiplied in one chain of fma in ascending k. What is dequantized serves all rows
// of a tile; several panels at once keep enough chains in flight. Included by the format files alone.
#pragma once

#include "int8_panel.hpp"

namespace tenon::panels {
namespace {

/// Of the two halves of a block: scales, and what is added after scaling (formats with a minimum).
struct Affine {
  __m256 scale[2];
  __m256 minimum[2];
};

/// out[e] = weight e of the block for each output. Format::affine gives the scales; codes are less kOffset.
template <class Format>
inline void dequantize_block(const uint8_t* unit, int b, const typename Format::Unit& scales, __m256 (&out)[32]) {
  __m256i w[8];
  Format::load_codes(unit, b, w);
  const Affine affine = Format::affine(Format::load_block(unit, b, scales));
  for (int v = 0; v < 8; ++v) {
    for (int j = 0; j < 4; ++j) {
      // Byte j of each output, with its sign; unsigned codes are below 128.
      const __m256i code = _mm256_srai_epi32(_mm256_slli_epi32(w[v], 24 - 8 * j), 24);
      const __m256 value = _mm256_cvtepi32_ps(_mm256_sub_epi32(code, _mm256_set1_epi32(Format::kOffset)));
      const __m256 scaled = _mm256_mul_ps(affine.scale[v / 4], value);
      out[4 * v + j] = Format::kHasMinimum ? _mm256_add_ps(scaled, affine.minimum[v / 4]) : scaled;
    }
  }
}

template <class Format, int kRows, int kPanels>
inline void multiply_tile_f32(const PanelCall& call, int64_t panel, int64_t row) {
  const int64_t n_units = call.k / (32 * Format::kBlocks), panel_bytes = n_units * Format::kUnitBytes;
  const uint8_t* unit = call.panels + panel * panel_bytes;
  const float* x[kRows];
  __m256 acc[kRows][kPanels];
  for (int r = 0; r < kRows; ++r) {
    x[r] = static_cast<const float*>(call.x[row + r]);
    for (int p = 0; p < kPanels; ++p) acc[r][p] = _mm256_setzero_ps();
  }
  for (int64_t u = 0; u < n_units; ++u, unit += Format::kUnitBytes) {
    typename Format::Unit scales[kPanels];
    for (int p = 0; p < kPanels; ++p) scales[p] = Format::load_unit(unit + p * panel_bytes);
    for (int b = 0; b < Format::kBlocks; ++b) {
      __m256 w[kPanels][32];
      for (int p = 0; p < kPanels; ++p) dequantize_block<Format>(unit + p * panel_bytes, b, scales[p], w[p]);
      for (int k = 0; k < 32; ++k) {
        for (int r = 0; r < kRows; ++r) {
          const __m256 value = _mm256_broadcast_ss(x[r] + k);
          for (int p = 0; p < kPanels; ++p) acc[r][p] = _mm256_fmadd_ps(value, w[p][k], acc[r][p]);
        }
      }
      for (int r = 0; r < kRows; ++r) x[r] += 32;
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int p = 0; p < kPanels; ++p) store_outputs(call, panel + p, row + r, acc[r][p]);
  }
}

template <class Format, int kPanels>
inline void multiply_rows_f32(const PanelCall& call, int64_t panel) {
  int64_t row = 0;
  for (; row + 4 <= call.n_rows; row += 4) multiply_tile_f32<Format, 4, kPanels>(call, panel, row);
  for (; row < call.n_rows; ++row) multiply_tile_f32<Format, 1, kPanels>(call, panel, row);
}

template <class Format>
inline void multiply_panels_f32(const PanelCall& call) {
  int64_t panel = call.first_panel;
  if (call.n_rows < 4) {
    for (; panel + 4 <= call.last_panel; panel += 4) multiply_rows_f32<Format, 4>(call, panel);
  }
  for (; panel + 2 <= call.last_panel; panel += 2) multiply_rows_f32<Format, 2>(call, panel);
  for (; panel < call.last_panel; ++panel) multiply_rows_f32<Format, 1>(call, panel);
}

}  // namespace
}  // namespace tenon::panels
