// Sums, products and conversions over a row. Each element is one operation in f32: bit-exact to class f32.
#include "../f32x8.hpp"
#include "panels/row_kernels.hpp"

namespace tenon::panels {
namespace {

// ---- eight elements of each type to f32 and back, rounded to nearest even.

struct F32 {
  using Element = float;
  static F32x8 load(const float* x) { return load8(x); }
  static void store(float* x, F32x8 v) { store8(x, v); }
};

struct F16 {
  using Element = uint16_t;
  static F32x8 load(const uint16_t* x) { return widen8(vld1q_u16(x)); }
  static void store(uint16_t* x, F32x8 v) { vst1q_u16(x, narrow8(v)); }
};

struct Bf16 {
  using Element = uint16_t;
  static F32x8 load(const uint16_t* x) { return widen_bf16x8(vld1q_u16(x)); }
  static void store(uint16_t* x, F32x8 v) { vst1q_u16(x, vcombine_u16(narrow4(v.low), narrow4(v.high))); }

 private:
  static uint16x4_t narrow4(float32x4_t v) {
    const uint32x4_t bits = vreinterpretq_u32_f32(v), high = vshrq_n_u32(bits, 16);
    const uint32x4_t half = vaddq_u32(vdupq_n_u32(0x7FFF), vandq_u32(high, vdupq_n_u32(1)));
    const uint32x4_t rounded = vshrq_n_u32(vaddq_u32(bits, half), 16);
    const uint32x4_t quiet = vorrq_u32(high, vdupq_n_u32(0x40));
    return vmovn_u32(vbslq_u32(vceqq_f32(v, v), rounded, quiet));
  }
};

struct Add {
  static F32x8 apply(F32x8 a, F32x8 b) { return add8(a, b); }
};
struct Multiply {
  static F32x8 apply(F32x8 a, F32x8 b) { return mul8(a, b); }
};

template <class Op, class Type, class Element>
inline void apply8(const Element* a, const Element* b, Element* out) {
  Type::store(out, Op::apply(Type::load(a), Type::load(b)));
}

/// The rest of fewer than eight goes through eight elements on the stack.
template <class Op, class Type>
inline void apply_row(const typename Type::Element* a, const typename Type::Element* b, int64_t n,
                      typename Type::Element* out) {
  int64_t i = 0;
  for (; i + 32 <= n; i += 32) {
    for (int64_t v = 0; v < 32; v += 8) apply8<Op, Type>(a + i + v, b + i + v, out + i + v);
  }
  for (; i + 8 <= n; i += 8) apply8<Op, Type>(a + i, b + i, out + i);
  if (i == n) return;
  typename Type::Element rest_a[8] = {}, rest_b[8] = {};
  const auto bytes = static_cast<unsigned long>(n - i) * sizeof *out;
  __builtin_memcpy(rest_a, a + i, bytes);
  __builtin_memcpy(rest_b, b + i, bytes);
  apply8<Op, Type>(rest_a, rest_b, rest_a);
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
  const F32x8 s = set8(scale);
  for (int64_t i = 0; i < n; i += 8) store_tail(x, i, n, mul8(s, load_tail(x, i, n)));
}

void add_scaled_row(float p, const float* x, int64_t n, float* acc) {
  const F32x8 factor = set8(p);
  for (int64_t i = 0; i < n; i += 8) store_tail(acc, i, n, fma8(load_tail(acc, i, n), factor, load_tail(x, i, n)));
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
