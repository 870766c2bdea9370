// Formats whose blocks of 32 have a scale for each 16 elements: the scale is applied, exactly, by the multiply-add that
// widens the sums of pairs. Included by the format files alone.
#pragma once

#include "int8_panel.hpp"

namespace tenon::panels {
namespace {

/// Of each output, in i16: the pair (first, second), and each of the two twice, for the pairs of products.
struct HalfScales {
  __m256i both, first, second;
};

/// From i16 pairs (first, second).
inline HalfScales half_scales(__m256i both) {
  const __m256i low = _mm256_and_si256(both, _mm256_set1_epi32(0xFFFF)), high = _mm256_srli_epi32(both, 16);
  return {both, _mm256_or_si256(low, _mm256_slli_epi32(low, 16)), _mm256_or_si256(high, _mm256_slli_epi32(high, 16))};
}

/// first * (sum of w q over elements 0..15) + second * (over 16..31), w unsigned, kPerSum as in dot_unsigned.
template <int kPerSum>
inline __m256i dot_halves(const __m256i (&w)[8], const int8_t* q, const HalfScales& scales) {
  __m256i sum = _mm256_setzero_si256();
  for (int v = 0; v < 8; v += kPerSum) {
    __m256i part = _mm256_maddubs_epi16(w[v], broadcast4(q + 4 * v));
    for (int i = 1; i < kPerSum; ++i) {
      part = _mm256_add_epi16(part, _mm256_maddubs_epi16(w[v + i], broadcast4(q + 4 * (v + i))));
    }
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(part, v < 4 ? scales.first : scales.second));
  }
  return sum;
}

/// first * sum16[0] + second * sum16[1], from i16 pairs (first, second).
inline __m256i dot_sums(__m256i both, const ActBlock& x) {
  int32_t sums;
  __builtin_memcpy(&sums, x.sum16, 4);
  return _mm256_madd_epi16(both, _mm256_set1_epi32(sums));
}

/// Two bits of each code in 64 bytes: vector i holds those of vectors 4 i + c at bits 2 c. To bits kPlace, kPlace + 1.
template <int kPlace>
inline __m256i two_bits_of(const uint8_t* p, int v) {
  const __m256i bytes = load32(p + 32 * (v / 4)), mask = _mm256_set1_epi8(3 << kPlace);
  const int shift = 2 * (v % 4) - kPlace;
  return _mm256_and_si256(shift < 0 ? _mm256_slli_epi16(bytes, -shift) : _mm256_srli_epi16(bytes, shift), mask);
}

/// A scale of i16 twice in 32 bits, as f32.
inline __m256 scale_of(__m256i twice) { return _mm256_cvtepi32_ps(_mm256_srai_epi32(twice, 16)); }

}  // namespace
}  // namespace tenon::panels
