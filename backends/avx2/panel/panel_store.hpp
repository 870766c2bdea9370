// What follows the chain of eight outputs. Included by kernel files alone, each compiled for AVX2, hence all in an
// unnamed namespace.
#pragma once

#include "panels/panel.hpp"

#include <immintrin.h>

namespace tenon::panels {
namespace {

/// Lanes below n are set.
inline __m256i lanes_below(int64_t n) {
  const __m256i index = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n < kPanel ? n : kPanel)), index);
}

inline void store_outputs(const PanelCall& call, int64_t panel, int64_t row, __m256 acc) {
  const int64_t first = panel * kPanel, place = first - call.first_output, n = call.n_outputs - first;
  const __m256i mask = lanes_below(n);
  if (call.bias != nullptr) acc = _mm256_add_ps(acc, _mm256_maskload_ps(call.bias + first, mask));
  if (call.scale != 1.0f) acc = _mm256_mul_ps(acc, _mm256_set1_ps(call.scale));
  if (call.add != nullptr) acc = _mm256_add_ps(_mm256_maskload_ps(call.add[row] + place, mask), acc);
  if (n >= kPanel) {
    _mm256_storeu_ps(call.out[row] + place, acc);
  } else {
    _mm256_maskstore_ps(call.out[row] + place, mask, acc);
  }
}

}  // namespace
}  // namespace tenon::panels
