// Norms and means over a row: eight-way sums in f64 (core/README.md). The square of an f32 is exact in f64, so a fused
// multiply-add rounds as the two operations do. Bit-exact to class f32.
#include "eight_way.hpp"
#include "panels/row_kernels.hpp"

#include <cmath>

namespace tenon::panels {

void rms_norm_row(const float* x, const float* w, int64_t width, float eps, float* out) {
  Partials squares;
  for (int64_t i = 0; i < width; i += 8) {
    const __m256 v = load_tail(x, i, width);
    const __m256d low = low_half(v), high = high_half(v);
    squares.low = _mm256_fmadd_pd(low, low, squares.low);
    squares.high = _mm256_fmadd_pd(high, high, squares.high);
  }
  const double mean = squares.sum() / static_cast<double>(width);
  const __m256 r = _mm256_set1_ps(static_cast<float>(1.0 / __builtin_sqrt(mean + static_cast<double>(eps))));
  for (int64_t i = 0; i < width; i += 8) {
    store_tail(out, i, width, _mm256_mul_ps(_mm256_mul_ps(load_tail(x, i, width), r), load_tail(w, i, width)));
  }
}

namespace {

inline double sum_of_row(const float* x, int64_t width) {
  Partials sum;
  for (int64_t i = 0; i < width; i += 8) {
    const __m256 v = load_tail(x, i, width);
    sum.low = _mm256_add_pd(sum.low, low_half(v));
    sum.high = _mm256_add_pd(sum.high, high_half(v));
  }
  return sum.sum();
}

}  // namespace

void means_of_rows(const float* x, int64_t ld, int64_t n_rows, int64_t width, float* out, int64_t out_ld) {
  for (int64_t r = 0; r < n_rows; ++r, x += ld) {
    __m256 sums[4] = {};
    int64_t i = 0;
    for (; i + 32 <= width; i += 32) {
      for (int v = 0; v < 4; ++v) sums[v] = _mm256_add_ps(sums[v], _mm256_loadu_ps(x + i + 8 * v));
    }
    for (int v = 0; v < 4; ++v) {  // of a known number of turns, so that the sums stay in registers
      if (i + 8 * v < width) sums[v] = _mm256_add_ps(sums[v], load_tail(x, i + 8 * v, width));
    }
    const __m256 sum = _mm256_add_ps(_mm256_add_ps(sums[0], sums[2]), _mm256_add_ps(sums[1], sums[3]));
    out[r * out_ld] = sum_lanes(sum) / static_cast<float>(width);
  }
}

void layer_norm_row(const float* x, const float* w, const float* bias, int64_t width, float eps, float* out) {
  const double n = static_cast<double>(width);
  const __m256d mean = _mm256_set1_pd(sum_of_row(x, width) / n);
  Partials squares;
  for (int64_t i = 0; i < width; i += 8) {
    const __m256 v = load_tail(x, i, width);
    __m256d low = _mm256_sub_pd(low_half(v), mean), high = _mm256_sub_pd(high_half(v), mean);
    if (width - i < 8) {  // what is past the end is no deviation
      const __m256 mask = _mm256_castsi256_ps(first_lanes(width - i));
      low = _mm256_and_pd(low,
                          _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm_castps_si128(_mm256_castps256_ps128(mask)))));
      high = _mm256_and_pd(
          high, _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm_castps_si128(_mm256_extractf128_ps(mask, 1)))));
    }
    // Here the square is not exact in f64: two roundings, as the definition has them.
    squares.low = _mm256_add_pd(squares.low, _mm256_mul_pd(low, low));
    squares.high = _mm256_add_pd(squares.high, _mm256_mul_pd(high, high));
  }
  const __m256d r = _mm256_set1_pd(1.0 / __builtin_sqrt(squares.sum() / n + static_cast<double>(eps)));
  for (int64_t i = 0; i < width; i += 8) {
    const __m256 v = load_tail(x, i, width);
    const __m128 low = _mm256_cvtpd_ps(_mm256_mul_pd(_mm256_sub_pd(low_half(v), mean), r));
    const __m128 high = _mm256_cvtpd_ps(_mm256_mul_pd(_mm256_sub_pd(high_half(v), mean), r));
    const __m256 b = bias == nullptr ? _mm256_setzero_ps() : load_tail(bias, i, width);
    store_tail(out, i, width, _mm256_fmadd_ps(_mm256_set_m128(high, low), load_tail(w, i, width), b));
  }
}

}  // namespace tenon::panels
