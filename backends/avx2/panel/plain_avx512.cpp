// f32, f16 and bf16 weights: acc = fma(x[k], w[k], acc) for k ascending, sixteen outputs a vector, which are those of
// two neighbouring panels. A tile of eight rows by four panels has sixteen chains, enough for two units of four cycles;
// a single row takes sixteen panels for eight chains. Bit-exact to class f32.
#include "plain_avx512.hpp"

#include "panel_store.hpp"
#include "plain_formats.hpp"

namespace tenon::panels {
namespace {

/// Eight weights of this panel and eight of the next.
template <class Format>
inline __m512 load_two(const uint8_t* p, int64_t panel_bytes) {
  const __m512 low = _mm512_castps256_ps512(Format::load(p));
  return _mm512_insertf32x8(low, Format::load(p + panel_bytes), 1);
}

/// kRows rows by 2 kPairs neighbouring panels.
template <class Format, int kRows, int kPairs>
inline void multiply_tile(const PanelCall& call, int64_t panel, int64_t row) {
  const int64_t panel_bytes = call.k * kPanel * Format::kBytes;
  const uint8_t* w = call.panels + panel * panel_bytes;
  const float* x[kRows];
  __m512 acc[kRows][kPairs];
  for (int r = 0; r < kRows; ++r) {
    x[r] = static_cast<const float*>(call.x[row + r]);
    for (int p = 0; p < kPairs; ++p) acc[r][p] = _mm512_setzero_ps();
  }
  for (int64_t k = 0; k < call.k; ++k, w += kPanel * Format::kBytes) {
    __m512 weights[kPairs];
    for (int p = 0; p < kPairs; ++p) weights[p] = load_two<Format>(w + 2 * p * panel_bytes, panel_bytes);
    for (int r = 0; r < kRows; ++r) {
      const __m512 value = _mm512_set1_ps(x[r][k]);
      for (int p = 0; p < kPairs; ++p) acc[r][p] = _mm512_fmadd_ps(value, weights[p], acc[r][p]);
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int p = 0; p < kPairs; ++p) {
      store_outputs(call, panel + 2 * p, row + r, _mm512_castps512_ps256(acc[r][p]));
      store_outputs(call, panel + 2 * p + 1, row + r, _mm512_extractf32x8_ps(acc[r][p], 1));
    }
  }
}

template <class Format, int kPairs>
inline void multiply_rows(const PanelCall& call, int64_t panel) {
  int64_t row = 0;
  for (; row + 8 <= call.n_rows; row += 8) multiply_tile<Format, 8, kPairs>(call, panel, row);
  for (; row + 4 <= call.n_rows; row += 4) multiply_tile<Format, 4, kPairs>(call, panel, row);
  for (; row < call.n_rows; ++row) multiply_tile<Format, 1, kPairs>(call, panel, row);
}

/// The last panel of an odd number.
template <class Format>
inline void multiply_last(const PanelCall& call, int64_t panel) {
  const uint8_t* w = call.panels + panel * call.k * kPanel * Format::kBytes;
  for (int64_t row = 0; row < call.n_rows; ++row) {
    const auto* x = static_cast<const float*>(call.x[row]);
    __m256 acc = _mm256_setzero_ps();
    for (int64_t k = 0; k < call.k; ++k) {
      acc = _mm256_fmadd_ps(_mm256_set1_ps(x[k]), Format::load(w + k * kPanel * Format::kBytes), acc);
    }
    store_outputs(call, panel, row, acc);
  }
}

template <class Format>
inline void multiply_panels(const PanelCall& call) {
  int64_t panel = call.first_panel;
  if (call.n_rows < 4) {
    for (; panel + 16 <= call.last_panel; panel += 16) multiply_rows<Format, 8>(call, panel);
    for (; panel + 8 <= call.last_panel; panel += 8) multiply_rows<Format, 4>(call, panel);
  }
  for (; panel + 4 <= call.last_panel; panel += 4) multiply_rows<Format, 2>(call, panel);
  for (; panel + 2 <= call.last_panel; panel += 2) multiply_rows<Format, 1>(call, panel);
  if (panel < call.last_panel) multiply_last<Format>(call, panel);
}

}  // namespace

void panel_f32_avx512(const PanelCall& call) { multiply_panels<F32>(call); }
void panel_f16_avx512(const PanelCall& call) { multiply_panels<F16>(call); }
void panel_bf16_avx512(const PanelCall& call) { multiply_panels<Bf16>(call); }

}  // namespace tenon::panels
