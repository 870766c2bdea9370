// softmax over a row: x = scale * x, m = max, e = exp(x - m), times 1 / the eight-way sum of e. Bit-exact to class f32.
#include "eight_way.hpp"
#include "exp.hpp"
#include "panels/row_kernels.hpp"

namespace tenon::panels {

void softmax_row(float* x, int64_t n, float scale) {
  float highest = x[0] * scale;
  __m256 m = set8(highest);
  for (int64_t i = 0; i < n; i += 8) {
    const __m256 v = _mm256_mul_ps(load_tail(x, i, n), set8(scale));
    store_tail(x, i, n, v);
    // Lanes past the end hold what is in m already. The second operand stays where the first is NaN.
    m = _mm256_max_ps(n - i >= 8 ? v : _mm256_blendv_ps(m, v, _mm256_castsi256_ps(first_lanes(n - i))), m);
  }
  alignas(32) float lanes[8];
  _mm256_store_ps(lanes, m);
  for (const float lane : lanes) highest = lane > highest ? lane : highest;
  __m256 partial = _mm256_setzero_ps();
  for (int64_t i = 0; i < n; i += 8) {
    __m256 e = exp8(_mm256_sub_ps(load_tail(x, i, n), set8(highest)));
    if (n - i < 8) e = _mm256_and_ps(e, _mm256_castsi256_ps(first_lanes(n - i)));
    store_tail(x, i, n, e);
    partial = _mm256_add_ps(partial, e);
  }
  const __m256 inverse = set8(1.0f / sum_lanes(partial));
  for (int64_t i = 0; i < n; i += 8) store_tail(x, i, n, _mm256_mul_ps(load_tail(x, i, n), inverse));
}

}  // namespace tenon::panels
