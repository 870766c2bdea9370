// quantize_row: amax = max |x|, d = amax / 127, q = rint(x * (127 / amax)), half to even, for each 32 elements. A block
// too small for 127 / amax to be finite is all zero; one with an infinity or NaN gets d = NaN. Bit-exact to class int8.
#include "panels/row_kernels.hpp"

#include <immintrin.h>

namespace tenon::panels {
namespace {

inline float highest_lane(__m256 x) {
  __m128 m = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  m = _mm_max_ps(m, _mm_movehl_ps(m, m));
  return _mm_cvtss_f32(_mm_max_ss(m, _mm_movehdup_ps(m)));
}

/// Four vectors of i32 in [-127, 127] to 32 bytes in order.
inline __m256i narrow(const __m256i (&q)[4]) {
  const __m256i low = _mm256_packs_epi32(q[0], q[1]), high = _mm256_packs_epi32(q[2], q[3]);
  const __m256i bytes = _mm256_packs_epi16(low, high);  // each 128-bit half on its own
  return _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

inline void quantize_block(const float* x, ActBlock& block) {
  const __m256 magnitude = _mm256_castsi256_ps(_mm256_set1_epi32(0x7FFFFFFF));
  __m256 v[4], amax = _mm256_setzero_ps(), unordered = _mm256_setzero_ps();
  for (int i = 0; i < 4; ++i) {
    v[i] = _mm256_loadu_ps(x + 8 * i);
    unordered = _mm256_or_ps(unordered, _mm256_cmp_ps(v[i], v[i], _CMP_UNORD_Q));
    amax = _mm256_max_ps(_mm256_and_ps(v[i], magnitude), amax);
  }
  const float largest = highest_lane(amax), inverse = 127.0f / largest;
  const bool is_finite = largest <= 3.402823466e38f && _mm256_movemask_ps(unordered) == 0;
  if (!is_finite || !(inverse <= 3.402823466e38f)) {
    block = {};
    block.d = block.d_sum = is_finite ? 0.0f : __builtin_nanf("");
    return;
  }
  __m256i q[4];
  const __m256 factor = _mm256_set1_ps(inverse);
  for (int i = 0; i < 4; ++i) q[i] = _mm256_cvtps_epi32(_mm256_mul_ps(v[i], factor));
  const __m256i bytes = narrow(q);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(block.q), bytes);
  // Sums of the two halves: bytes times one, then pairs.
  const __m256i pairs = _mm256_maddubs_epi16(_mm256_set1_epi8(1), bytes);
  const __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
  __m256i sums = _mm256_add_epi32(fours, _mm256_shuffle_epi32(fours, 0x4E));
  sums = _mm256_add_epi32(sums, _mm256_shuffle_epi32(sums, 0xB1));
  const int low = _mm256_extract_epi32(sums, 0), high = _mm256_extract_epi32(sums, 4);
  block.d = largest / 127.0f;
  block.sum = low + high;
  block.sum16[0] = static_cast<int16_t>(low);
  block.sum16[1] = static_cast<int16_t>(high);
  block.d_sum = block.d * static_cast<float>(block.sum);
}

}  // namespace

void quantize_row(const float* x, int64_t k, ActBlock* blocks) {
  for (int64_t i = 0; i < k; i += 32) quantize_block(x + i, blocks[i / 32]);
}

}  // namespace tenon::panels
