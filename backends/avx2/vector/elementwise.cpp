// Sums, products and conversions over a row. Each element is one operation in f32: bit-exact to class f32.
#include "eight_way.hpp"
#include "panels/row_kernels.hpp"

namespace tenon::panels {

namespace {

// ---- eight elements of each type to f32 and back, rounded to nearest even.

struct F32 {
  using Element = float;
  static __m256 load(const float* x) { return _mm256_loadu_ps(x); }
  static void store(float* x, __m256 v) { _mm256_storeu_ps(x, v); }
  static void store16(float* x, __m256 a, __m256 b) {
    store(x, a);
    store(x + 8, b);
  }
};

struct F16 {
  using Element = uint16_t;
  static __m256 load(const uint16_t* x) {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x)));
  }
  static void store(uint16_t* x, __m256 v) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(x), _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
  }
  static void store16(uint16_t* x, __m256 a, __m256 b) {
    store(x, a);
    store(x + 8, b);
  }
};

struct Bf16 {
  using Element = uint16_t;
  static __m256 load(const uint16_t* x) {
    const __m256i halves = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x)));
    return _mm256_castsi256_ps(_mm256_slli_epi32(halves, 16));
  }
  static void store(uint16_t* x, __m256 v) {
    const bool has_nan = _mm256_movemask_ps(_mm256_cmp_ps(v, v, _CMP_UNORD_Q)) != 0;
    const __m256i high = has_nan ? round_with_nan(v) : round(v);
    const __m128i packed = _mm_packus_epi32(_mm256_castsi256_si128(high), _mm256_extracti128_si256(high, 1));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(x), packed);
  }
  /// Sixteen neighbours: one look for NaN, one store.
  static void store16(uint16_t* x, __m256 a, __m256 b) {
    const bool has_nan = _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_UNORD_Q)) != 0;
    const __m256i low = has_nan ? round_with_nan(a) : round(a), high = has_nan ? round_with_nan(b) : round(b);
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(low, high), 0xD8);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(x), packed);
  }

 private:
  static __m256i round(__m256 v) {
    const __m256i bits = _mm256_castps_si256(v);
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    const __m256i half = _mm256_add_epi32(_mm256_set1_epi32(0x7FFF), odd);
    return _mm256_srli_epi32(_mm256_add_epi32(bits, half), 16);
  }
  static __m256i round_with_nan(__m256 v) {  // which stays a quiet one
    const __m256i high = _mm256_srli_epi32(_mm256_castps_si256(v), 16);
    const __m256i quiet = _mm256_or_si256(high, _mm256_set1_epi32(0x40));
    return _mm256_blendv_epi8(round(v), quiet, _mm256_castps_si256(_mm256_cmp_ps(v, v, _CMP_UNORD_Q)));
  }
};

struct Add {
  static __m256 apply(__m256 a, __m256 b) { return _mm256_add_ps(a, b); }
};
struct Multiply {
  static __m256 apply(__m256 a, __m256 b) { return _mm256_mul_ps(a, b); }
};

template <class Op, class Type, class Element>
inline __m256 apply8(const Element* a, const Element* b) {
  return Op::apply(Type::load(a), Type::load(b));
}

/// The rest of fewer than eight goes through eight elements on the stack.
template <class Op, class Type>
inline void apply_row(const typename Type::Element* a, const typename Type::Element* b, int64_t n,
                      typename Type::Element* out) {
  int64_t i = 0;
  for (; i + 32 <= n; i += 32) {
    for (int64_t v = i; v < i + 32; v += 16) {
      Type::store16(out + v, apply8<Op, Type>(a + v, b + v), apply8<Op, Type>(a + v + 8, b + v + 8));
    }
  }
  for (; i + 8 <= n; i += 8) Type::store(out + i, apply8<Op, Type>(a + i, b + i));
  if (i == n) return;
  typename Type::Element rest_a[8] = {}, rest_b[8] = {};
  const auto bytes = static_cast<unsigned long>(n - i) * sizeof *out;
  __builtin_memcpy(rest_a, a + i, bytes);
  __builtin_memcpy(rest_b, b + i, bytes);
  Type::store(rest_a, apply8<Op, Type>(rest_a, rest_b));
  __builtin_memcpy(out + i, rest_a, bytes);
}

}  // namespace

void add_row(const float* a, const float* b, int64_t n, float* out) { apply_row<Add, F32>(a, b, n, out); }
void add_row_f16(const uint16_t* a, const uint16_t* b, int64_t n, uint16_t* out) { apply_row<Add, F16>(a, b, n, out); }
void add_row_bf16(const uint16_t* a, const uint16_t* b, int64_t n, uint16_t* out) {
  apply_row<Add, Bf16>(a, b, n, out);
}
void multiply_row(const float* a, const float* b, int64_t n, float* out) { apply_row<Multiply, F32>(a, b, n, out); }
void multiply_row_f16(const uint16_t* a, const uint16_t* b, int64_t n, uint16_t* out) {
  apply_row<Multiply, F16>(a, b, n, out);
}
void multiply_row_bf16(const uint16_t* a, const uint16_t* b, int64_t n, uint16_t* out) {
  apply_row<Multiply, Bf16>(a, b, n, out);
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

// ---- conversions

namespace {

/// Eight at a time, the rest through the stack.
template <class From, class To>
inline void convert_row(const typename From::Element* from, int64_t n, typename To::Element* to) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) To::store(to + i, From::load(from + i));
  if (i == n) return;
  typename From::Element rest[8] = {};
  typename To::Element converted[8];
  __builtin_memcpy(rest, from + i, static_cast<unsigned long>(n - i) * sizeof *from);
  To::store(converted, From::load(rest));
  __builtin_memcpy(to + i, converted, static_cast<unsigned long>(n - i) * sizeof *to);
}

}  // namespace

void widen_f16(const uint16_t* from, int64_t n, float* to) { convert_row<F16, F32>(from, n, to); }
void widen_bf16(const uint16_t* from, int64_t n, float* to) { convert_row<Bf16, F32>(from, n, to); }
void narrow_f16(const float* from, int64_t n, uint16_t* to) { convert_row<F32, F16>(from, n, to); }
void narrow_bf16(const float* from, int64_t n, uint16_t* to) { convert_row<F32, Bf16>(from, n, to); }

}  // namespace tenon::panels
