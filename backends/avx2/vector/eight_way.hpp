// The eight-way sums of core/README.md: element i goes to partial sum i % 8, which is a lane; then
// ((p0 + p4) + (p2 + p6)) + ((p1 + p5) + (p3 + p7)). Included by files compiled for AVX2 alone.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace tenon::panels {
namespace {

inline __m256i first_lanes(int64_t n) {
  const __m256i index = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n < 8 ? n : 8)), index);
}

/// x[i .. i + 8), zero where i + lane >= n.
inline __m256 load_tail(const float* x, int64_t i, int64_t n) {
  return n - i >= 8 ? _mm256_loadu_ps(x + i) : _mm256_maskload_ps(x + i, first_lanes(n - i));
}
inline void store_tail(float* x, int64_t i, int64_t n, __m256 v) {
  if (n - i >= 8) {
    _mm256_storeu_ps(x + i, v);
  } else {
    _mm256_maskstore_ps(x + i, first_lanes(n - i), v);
  }
}

/// Eight partial sums in f64: lanes 0..3 and 4..7.
struct Partials {
  __m256d low = _mm256_setzero_pd(), high = _mm256_setzero_pd();

  double sum() const {
    const __m256d s = _mm256_add_pd(low, high);  // p0+p4, p1+p5, p2+p6, p3+p7
    const __m128d t = _mm_add_pd(_mm256_castpd256_pd128(s), _mm256_extractf128_pd(s, 1));
    return _mm_cvtsd_f64(t) + _mm_cvtsd_f64(_mm_unpackhi_pd(t, t));
  }
};

inline __m256d low_half(__m256 x) { return _mm256_cvtps_pd(_mm256_castps256_ps128(x)); }
inline __m256d high_half(__m256 x) { return _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)); }

inline float sum_lanes(__m256 p) {
  const __m128 s = _mm_add_ps(_mm256_castps256_ps128(p), _mm256_extractf128_ps(p, 1));  // p0+p4, p1+p5, p2+p6, p3+p7
  const __m128 t = _mm_add_ps(s, _mm_movehl_ps(s, s));
  return _mm_cvtss_f32(_mm_add_ss(t, _mm_movehdup_ps(t)));
}

}  // namespace
}  // namespace tenon::panels
