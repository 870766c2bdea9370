// Sums, products and conversions over a row. Each element is one operation: bit-exact to class f32.
#include "eight_way.hpp"
#include "panels/row_kernels.hpp"

namespace tenon::panels {

void add_row(const float* a, const float* b, int64_t n, float* out) {
  for (int64_t i = 0; i < n; i += 8) {
    store_tail(out, i, n, _mm256_add_ps(load_tail(a, i, n), load_tail(b, i, n)));
  }
}

void multiply_row(const float* a, const float* b, int64_t n, float* out) {
  for (int64_t i = 0; i < n; i += 8) {
    store_tail(out, i, n, _mm256_mul_ps(load_tail(a, i, n), load_tail(b, i, n)));
  }
}

void scale_row(float scale, int64_t n, float* x) {
  const __m256 s = _mm256_set1_ps(scale);
  for (int64_t i = 0; i < n; i += 8) store_tail(x, i, n, _mm256_mul_ps(s, load_tail(x, i, n)));
}

void add_scaled_row(float p, const float* x, int64_t n, float* acc) {
  const __m256 factor = _mm256_set1_ps(p);
  for (int64_t i = 0; i < n; i += 8) {
    store_tail(acc, i, n, _mm256_fmadd_ps(factor, load_tail(x, i, n), load_tail(acc, i, n)));
  }
}

// ---- conversions: eight at a time, the rest one by one with the same instruction.

void widen_f16(const uint16_t* from, int64_t n, float* to) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
  }
  for (; i < n; ++i) to[i] = _cvtsh_ss(from[i]);
}

void widen_bf16(const uint16_t* from, int64_t n, float* to) {
  for (int64_t i = 0; i < n; ++i) {
    const uint32_t bits = static_cast<uint32_t>(from[i]) << 16;
    __builtin_memcpy(to + i, &bits, 4);
  }
}

void narrow_f16(const float* from, int64_t n, uint16_t* to) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m128i halves = _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), halves);
  }
  for (; i < n; ++i) to[i] = _cvtss_sh(from[i], _MM_FROUND_TO_NEAREST_INT);
}

void narrow_bf16(const float* from, int64_t n, uint16_t* to) {
  for (int64_t i = 0; i < n; ++i) {
    uint32_t bits;
    __builtin_memcpy(&bits, from + i, 4);
    const bool is_nan = (bits & 0x7FFFFFFFu) > 0x7F800000u;
    const uint32_t rounded = bits + 0x7FFFu + ((bits >> 16) & 1u);
    to[i] = static_cast<uint16_t>(is_nan ? (bits >> 16) | 0x40u : rounded >> 16);
  }
}

}  // namespace tenon::panels
