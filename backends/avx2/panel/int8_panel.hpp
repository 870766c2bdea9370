// The loop that all block formats share; a format says how its units are loaded and how a block is added.
//
//   acc[8 outputs] = 0; for each unit, for each block of 32 in it: Format::step(acc, block of weights, block of x)
//
// Each output is one chain of fma over ascending blocks (class int8 of core/README.md), whatever the number of rows:
// rows only share the loaded weights. Included by the format files alone, each compiled for AVX2, hence all in an
// unnamed namespace.
#pragma once

#include "panel_store.hpp"

namespace tenon::panels {
namespace {

inline __m256i load32(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }

/// Eight f16 to f32.
inline __m256 load_f16x8(const void* p) { return _mm256_cvtph_ps(_mm_loadu_si128(static_cast<const __m128i*>(p))); }

/// Eight bytes to i32.
inline __m256i load_u8x8(const void* p) {
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64(static_cast<const __m128i*>(p)));
}

/// Four consecutive activations to all eight outputs.
inline __m256i broadcast4(const int8_t* q) {
  int32_t four;
  __builtin_memcpy(&four, q, 4);
  return _mm256_set1_epi32(four);
}

/// The eight vectors of a block of unsigned codes, 4 bits each in 128 bytes: low nibbles are elements 0..15.
inline void load_nibbles(const uint8_t* p, __m256i (&w)[8]) {
  const __m256i low = _mm256_set1_epi8(15);
  for (int i = 0; i < 4; ++i) {
    const __m256i bytes = load32(p + 32 * i);
    w[i] = _mm256_and_si256(bytes, low);
    w[i + 4] = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), low);
  }
}

/// Sets bit 4 of the codes from 32 bytes whose bit v belongs to vector v.
inline void add_fifth_bits(const uint8_t* p, __m256i (&w)[8]) {
  const __m256i bits = load32(p), sixteen = _mm256_set1_epi8(16);
  for (int v = 0; v < 8; ++v) {
    const __m256i shifted = v < 4 ? _mm256_slli_epi16(bits, 4 - v) : _mm256_srli_epi16(bits, v - 4);
    w[v] = _mm256_or_si256(w[v], _mm256_and_si256(shifted, sixteen));
  }
}

/// Sum of w q over the block for each output, w unsigned and at most 4095 / kPerSum so that kPerSum products of a pair
/// stay inside i16: 2 * 127 * w * kPerSum <= 32767.
template <int kPerSum>
inline __m256i dot_unsigned(const __m256i (&w)[8], const int8_t* q) {
  const __m256i ones = _mm256_set1_epi16(1);
  __m256i sum = _mm256_setzero_si256();
  for (int v = 0; v < 8; v += kPerSum) {
    __m256i part = _mm256_maddubs_epi16(w[v], broadcast4(q + 4 * v));
    for (int i = 1; i < kPerSum; ++i) {
      part = _mm256_add_epi16(part, _mm256_maddubs_epi16(w[v + i], broadcast4(q + 4 * (v + i))));
    }
    part = _mm256_madd_epi16(part, ones);
    sum = v == 0 ? part : _mm256_add_epi32(sum, part);
  }
  return sum;
}

/// The same for signed w: |w| is the unsigned factor (128 for -128), the sign of w goes to q. |q| <= 127 keeps a pair
/// inside i16.
inline __m256i dot_signed(const __m256i (&w)[8], const int8_t* q) {
  const __m256i ones = _mm256_set1_epi16(1);
  __m256i sum = _mm256_setzero_si256();
  for (int v = 0; v < 8; ++v) {
    const __m256i x = _mm256_sign_epi8(broadcast4(q + 4 * v), w[v]);
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(_mm256_abs_epi8(w[v]), x), ones));
  }
  return sum;
}

/// acc + dw dx isum, the step of formats without a minimum.
inline __m256 add_scaled(__m256 acc, __m256 dw, __m256i isum, float dx) {
  return _mm256_fmadd_ps(_mm256_mul_ps(dw, _mm256_set1_ps(dx)), _mm256_cvtepi32_ps(isum), acc);
}

/// kRows rows by one panel. The weights of a block are loaded once for all rows.
template <class Format, int kRows>
inline void multiply_rows(const PanelCall& call, int64_t panel, int64_t row) {
  const int64_t n_units = call.k / (32 * Format::kBlocks);
  const uint8_t* unit = call.panels + panel * n_units * Format::kUnitBytes;
  const ActBlock* x[kRows];
  __m256 acc[kRows];
  for (int r = 0; r < kRows; ++r) {
    x[r] = static_cast<const ActBlock*>(call.x[row + r]);
    acc[r] = _mm256_setzero_ps();
  }
  for (int64_t u = 0; u < n_units; ++u, unit += Format::kUnitBytes) {
    // Half a page ahead: one row is bound by memory, and the hardware stops at page borders.
    for (int line = 0; line < Format::kUnitBytes; line += 64) {
      _mm_prefetch(reinterpret_cast<const char*>(unit + 2048 + line), _MM_HINT_T0);
    }
    const typename Format::Unit scales = Format::load_unit(unit);
    for (int b = 0; b < Format::kBlocks; ++b) {
      __m256i w[8];
      Format::load_codes(unit, b, w);
      const typename Format::Block block = Format::load_block(unit, b, scales);
      for (int r = 0; r < kRows; ++r) acc[r] = Format::step(acc[r], w, block, *x[r]++);
    }
  }
  for (int r = 0; r < kRows; ++r) store_outputs(call, panel, row + r, acc[r]);
}

template <class Format>
inline void multiply_panels(const PanelCall& call) {
  for (int64_t panel = call.first_panel; panel < call.last_panel; ++panel) {
    int64_t row = 0;
    for (; row + 4 <= call.n_rows; row += 4) multiply_rows<Format, 4>(call, panel, row);
    if (row + 2 <= call.n_rows) {
      multiply_rows<Format, 2>(call, panel, row);
      row += 2;
    }
    if (row < call.n_rows) multiply_rows<Format, 1>(call, panel, row);
  }
}

}  // namespace
}  // namespace tenon::panels
