// Rotation of one head: a' = fma(a, c, -(b * s)), b' = fma(a, s, b * c). Bit-exact to class f32.
#include "panels/row_kernels.hpp"

#include <immintrin.h>

namespace tenon::panels {
namespace {

/// Pairs (a, b) interleaved in x by (c, s) interleaved in t: even lanes get a c - round(b s), odd lanes a s + round(b
/// c).
inline __m256 rotate(__m256 x, __m256 t) {
  const __m256 a = _mm256_moveldup_ps(x), b = _mm256_movehdup_ps(x);
  const __m256 swapped = _mm256_permute_ps(t, 0xB1);  // s, c
  return _mm256_fmaddsub_ps(a, t, _mm256_mul_ps(b, swapped));
}

inline void rotate_one(float& first, float& second, const float* t) {
  const __m128 a = _mm_set_ss(first), b = _mm_set_ss(second), c = _mm_set_ss(t[0]), s = _mm_set_ss(t[1]);
  first = _mm_cvtss_f32(_mm_fmsub_ss(a, c, _mm_mul_ss(b, s)));
  second = _mm_cvtss_f32(_mm_fmadd_ss(a, s, _mm_mul_ss(b, c)));
}

}  // namespace

void rotate_interleaved(float* x, const float* table, int64_t n_dims) {
  int64_t i = 0;
  for (; i + 8 <= n_dims; i += 8) _mm256_storeu_ps(x + i, rotate(_mm256_loadu_ps(x + i), _mm256_loadu_ps(table + i)));
  for (; i < n_dims; i += 2) rotate_one(x[i], x[i + 1], table + i);
}

void rotate_halves(float* x, const float* table, int64_t n_dims) {
  const int64_t n_pairs = n_dims / 2;
  float* second = x + n_pairs;
  int64_t i = 0;
  for (; i + 8 <= n_pairs; i += 8) {
    // c and s of eight pairs apart: even and odd elements, whose order within the vector is put right at the end.
    const __m256 low = _mm256_loadu_ps(table + 2 * i), high = _mm256_loadu_ps(table + 2 * i + 8);
    const __m256i order = _mm256_setr_epi32(0, 1, 4, 5, 2, 3, 6, 7);
    const __m256 c = _mm256_permutevar8x32_ps(_mm256_shuffle_ps(low, high, 0x88), order);
    const __m256 s = _mm256_permutevar8x32_ps(_mm256_shuffle_ps(low, high, 0xDD), order);
    const __m256 a = _mm256_loadu_ps(x + i), b = _mm256_loadu_ps(second + i);
    _mm256_storeu_ps(x + i, _mm256_fmsub_ps(a, c, _mm256_mul_ps(b, s)));
    _mm256_storeu_ps(second + i, _mm256_fmadd_ps(a, s, _mm256_mul_ps(b, c)));
  }
  for (; i < n_pairs; ++i) rotate_one(x[i], second[i], table + 2 * i);
}

}  // namespace tenon::panels
