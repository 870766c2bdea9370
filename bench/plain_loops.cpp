#include "plain_loops.hpp"

#include <conformance/guarded_buffer.hpp>
#include <conformance/row_buffer.hpp>

#include <cstring>
#include <memory>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace tenon::bench {
namespace {

/// Of the kind that the op gets: pages and alignment are the same.
struct Memory {
  conformance::GuardedBuffer a, b, out;
};

std::shared_ptr<Memory> memory(int64_t a, int64_t b, int64_t out) {
  const auto zeros = [](int64_t bytes) {
    return conformance::GuardedBuffer(static_cast<size_t>(bytes), std::byte{0}, "a yardstick");
  };
  return std::make_shared<Memory>(zeros(a), zeros(b), zeros(out));
}

#if defined(__AVX2__)
void add_f32(const float* a, const float* b, int64_t n, float* out) {
  for (int64_t i = 0; i < n; i += 8) {
    _mm256_storeu_ps(out + i, _mm256_add_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i)));
  }
}

void add_f16(const uint16_t* a, const uint16_t* b, int64_t n, uint16_t* out) {
  const auto load = [](const uint16_t* x) {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x)));
  };
  for (int64_t i = 0; i < n; i += 8) {
    const __m256 sum = _mm256_add_ps(load(a + i), load(b + i));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), _mm256_cvtps_ph(sum, _MM_FROUND_TO_NEAREST_INT));
  }
}

/// Rounded to nearest even, without regard to NaN.
void add_bf16(const uint16_t* a, const uint16_t* b, int64_t n, uint16_t* out) {
  const auto load = [](const uint16_t* x) {
    const __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x)));
    return _mm256_castsi256_ps(_mm256_slli_epi32(wide, 16));
  };
  for (int64_t i = 0; i < n; i += 8) {
    const __m256i bits = _mm256_castps_si256(_mm256_add_ps(load(a + i), load(b + i)));
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    const __m256i rounded = _mm256_add_epi32(bits, _mm256_add_epi32(_mm256_set1_epi32(0x7FFF), odd));
    const __m256i high = _mm256_srli_epi32(rounded, 16);
    const __m128i packed = _mm_packus_epi32(_mm256_castsi256_si128(high), _mm256_extracti128_si256(high, 1));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), packed);
  }
}

/// Four vectors of sums: an addition takes four cycles.
float sum_f32(const float* x, int64_t n) {
  __m256 sums[4] = {};
  for (int64_t i = 0; i < n; i += 32) {
    for (int v = 0; v < 4; ++v) sums[v] = _mm256_add_ps(sums[v], _mm256_loadu_ps(x + i + 8 * v));
  }
  alignas(32) float lanes[8];
  _mm256_store_ps(lanes, _mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3])));
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}
#else
void add_f32(const float* a, const float* b, int64_t n, float* out) {
  for (int64_t i = 0; i < n; ++i) out[i] = a[i] + b[i];
}
/// Halves are only moved: a lower limit.
void add_f16(const uint16_t* a, const uint16_t* b, int64_t n, uint16_t* out) {
  for (int64_t i = 0; i < n; ++i) out[i] = static_cast<uint16_t>(a[i] + b[i]);
}
void add_bf16(const uint16_t* a, const uint16_t* b, int64_t n, uint16_t* out) { add_f16(a, b, n, out); }
float sum_f32(const float* x, int64_t n) {
  float sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += x[i];
  return sum;
}
#endif

template <class Element>
std::function<void()> add_rows(void (*loop)(const Element*, const Element*, int64_t, Element*), int64_t rows,
                               int64_t width) {
  const auto element = static_cast<int64_t>(sizeof(Element));
  return [=, m = memory(rows * width * element, width * element, rows * width * element)] {
    const auto* a = reinterpret_cast<const Element*>(m->a.data());
    auto* out = reinterpret_cast<Element*>(m->out.data());
    for (int64_t r = 0; r < rows; ++r) {
      loop(a + r * width, reinterpret_cast<const Element*>(m->b.data()), width, out + r * width);
    }
  };
}

}  // namespace

Yardstick plain_add(DType dtype, int64_t rows, int64_t width) {
  if (dtype == DType::f32) return {"plain_loop", add_rows<float>(add_f32, rows, width)};
  return {"plain_loop", add_rows<uint16_t>(dtype == DType::f16 ? add_f16 : add_bf16, rows, width)};
}

Yardstick plain_gather(int64_t element_bytes, int64_t rows, int64_t width, int64_t n_indices) {
  const int64_t row = width * element_bytes;
  const int64_t out_row = conformance::RowBuffer::stride_of(width) * element_bytes;  // as the op's rows lie
  return {"plain_loop", [=, m = memory(rows * row, 0, n_indices * out_row)] {
            for (int64_t i = 0; i < n_indices; ++i) {
              std::memcpy(m->out.data() + i * out_row, m->a.data() + i * 97 % rows * row, static_cast<size_t>(row));
            }
          }};
}

Yardstick plain_sums(int64_t rows, int64_t width) {
  return {"plain_loop", [=, m = memory(rows * width * 4, 0, rows * 4)] {
            for (int64_t r = 0; r < rows; ++r) {
              const float sum = sum_f32(reinterpret_cast<const float*>(m->a.data()) + r * width, width);
              std::memcpy(m->out.data() + 4 * r, &sum, 4);
            }
          }};
}

}  // namespace tenon::bench
