// Eight weights of each plain format as f32. Included by the format files alone.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace tenon::panels {
namespace {

struct F32 {
  static constexpr int kBytes = 4;
  static __m256 load(const uint8_t* p) { return _mm256_loadu_ps(reinterpret_cast<const float*>(p)); }
};

/// Widened exactly.
struct F16 {
  static constexpr int kBytes = 2;
  static __m256 load(const uint8_t* p) { return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))); }
};

/// The upper half of an f32.
struct Bf16 {
  static constexpr int kBytes = 2;
  static __m256 load(const uint8_t* p) {
    const __m256i halves = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
    return _mm256_castsi256_ps(_mm256_slli_epi32(halves, 16));
  }
};

}  // namespace
}  // namespace tenon::panels
