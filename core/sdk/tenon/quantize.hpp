// f32 to weight formats, plain: equal bit for bit to the Python package gguf. Every operation is rounded by itself. For
// finite numbers; what a block cannot hold is clamped, and infinity and NaN give some code. Left open is the sign of
// the minimum of zeros of both signs. q2_K to q6_K, iq4_nl and iq4_xs, whose scales are found by a search, are not made
// here.
#pragma once

#include <tenon/blocks.hpp>
#include <tenon/convert.hpp>
#include <tenon/dequantize.hpp>
#include <tenon/dtype.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tenon {
namespace detail {

/// The element of largest magnitude with its sign; the first of equals.
inline float largest(const float* x) {
  float found = x[0];
  for (int j = 1; j < 32; ++j) {
    if (std::fabs(x[j]) > std::fabs(found)) found = x[j];
  }
  return found;
}

/// 0 where d is 0: all codes of such a block are then the middle or the lowest.
inline float inverse(float d) { return d == 0.0f ? 0.0f : 1.0f / d; }

/// Towards 0, into [0, most]. `value` has had its half added.
inline uint8_t code(float value, int most) {
  if (!(value > 0.0f)) return 0;
  return static_cast<uint8_t>(std::min(value, static_cast<float>(most)));
}

/// Codes of 4 bits of 32 elements as pairs (j, j + 16).
inline void put_nibbles(const uint8_t (&q)[32], uint8_t (&qs)[16]) {
  for (int j = 0; j < 16; ++j) qs[j] = static_cast<uint8_t>((q[j] & 15) | (q[j + 16] << 4));
}

inline void put_fifth_bits(const uint8_t (&q)[32], uint8_t (&qh)[4]) {
  std::memset(qh, 0, sizeof qh);
  for (int j = 0; j < 32; ++j) qh[j / 8] = static_cast<uint8_t>(qh[j / 8] | (q[j] >> 4) << (j % 8));
}

/// Codes about a middle, scaled so that the largest element has the code 0: d = largest / -middle.
inline float symmetric_codes(const float* x, int middle, uint8_t (&q)[32]) {
  const float d = largest(x) / static_cast<float>(-middle), id = inverse(d);
  for (int j = 0; j < 32; ++j) {
    const float scaled = x[j] * id;
    q[j] = code(scaled + (static_cast<float>(middle) + 0.5f), 2 * middle - 1);
  }
  return d;
}

/// Codes from the least element up: d = (greatest - least) / most.
struct Range {
  float d, least;
};
inline Range ranged_codes(const float* x, int most, uint8_t (&q)[32]) {
  const auto [least, greatest] = std::minmax_element(x, x + 32);
  const float m = *least, d = (*greatest - m) / static_cast<float>(most), id = inverse(d);
  for (int j = 0; j < 32; ++j) {
    const float scaled = (x[j] - m) * id;
    q[j] = code(scaled + 0.5f, most);
  }
  return {d, m};
}

}  // namespace detail

// One block from x [32].

inline void quantize(const float* x, BlockQ4_0& b) {
  uint8_t q[32];
  b.d = f32_to_f16(detail::symmetric_codes(x, 8, q));
  detail::put_nibbles(q, b.qs);
}

inline void quantize(const float* x, BlockQ4_1& b) {
  uint8_t q[32];
  const detail::Range range = detail::ranged_codes(x, 15, q);
  b.d = f32_to_f16(range.d);
  b.m = f32_to_f16(range.least);
  detail::put_nibbles(q, b.qs);
}

inline void quantize(const float* x, BlockQ5_0& b) {
  uint8_t q[32];
  b.d = f32_to_f16(detail::symmetric_codes(x, 16, q));
  detail::put_fifth_bits(q, b.qh);
  detail::put_nibbles(q, b.qs);
}

inline void quantize(const float* x, BlockQ5_1& b) {
  uint8_t q[32];
  const detail::Range range = detail::ranged_codes(x, 31, q);
  b.d = f32_to_f16(range.d);
  b.m = f32_to_f16(range.least);
  detail::put_fifth_bits(q, b.qh);
  detail::put_nibbles(q, b.qs);
}

/// Rounds halves away from 0.
inline void quantize(const float* x, BlockQ8_0& b) {
  const float d = std::fabs(detail::largest(x)) / 127.0f, id = detail::inverse(d);
  b.d = f32_to_f16(d);
  for (int j = 0; j < 32; ++j) {
    const float rounded = std::round(x[j] * id);
    b.qs[j] = static_cast<int8_t>(rounded >= -127.0f ? std::min(rounded, 127.0f) : -127.0f);
  }
}

/// The scale is 2^(floor(log2 of the largest magnitude) - 2), with log2 rounded to f32, so that magnitudes just below a
/// power of two get its scale; each element gets the nearest value, the smaller magnitude of two that are as near.
inline void quantize(const float* x, BlockMXFP4& b) {
  const float most = std::fabs(detail::largest(x));
  const float exponent =
      most > 0.0f ? std::floor(static_cast<float>(std::log2(static_cast<double>(most)))) + 125.0f : 0.0f;
  b.e = detail::code(exponent, 254);
  const float d = mxfp4_half_scale(b.e);
  uint8_t q[32];
  for (int j = 0; j < 32; ++j) {
    int best = 0;
    for (int code = 1; code < 16; ++code) {
      const auto error = [&](int c) { return std::fabs(d * static_cast<float>(kE2M1Doubled[c]) - x[j]); };
      if (error(code) < error(best)) best = code;
    }
    q[j] = static_cast<uint8_t>(best);
  }
  detail::put_nibbles(q, b.qs);
}

template <class Block>
void quantize_blocks(const float* x, void* out, int64_t n) {
  auto* bytes = static_cast<unsigned char*>(out);
  for (int64_t i = 0; i < n; i += 32, bytes += sizeof(Block)) {
    Block block;
    quantize(x + i, block);
    std::memcpy(bytes, &block, sizeof block);
  }
}

/// Whether quantize_row makes this format.
constexpr bool can_quantize(DType dtype) {
  switch (dtype) {
    case DType::f32:
    case DType::f16:
    case DType::bf16:
    case DType::q4_0:
    case DType::q4_1:
    case DType::q5_0:
    case DType::q5_1:
    case DType::q8_0:
    case DType::mxfp4: return true;
    default: return false;
  }
}

/// n elements (a multiple of the block) to a row in file order, row_bytes(dtype, n). Only where can_quantize.
inline void quantize_row(DType dtype, const float* x, void* out, int64_t n) {
  auto* bytes = static_cast<unsigned char*>(out);
  switch (dtype) {
    case DType::f32: std::memcpy(out, x, static_cast<size_t>(n) * 4); return;
    case DType::f16:
    case DType::bf16:
      for (int64_t i = 0; i < n; ++i) {
        const uint16_t half = dtype == DType::f16 ? f32_to_f16(x[i]) : f32_to_bf16(x[i]);
        std::memcpy(bytes + 2 * i, &half, 2);
      }
      return;
    case DType::q4_0: return quantize_blocks<BlockQ4_0>(x, out, n);
    case DType::q4_1: return quantize_blocks<BlockQ4_1>(x, out, n);
    case DType::q5_0: return quantize_blocks<BlockQ5_0>(x, out, n);
    case DType::q5_1: return quantize_blocks<BlockQ5_1>(x, out, n);
    case DType::q8_0: return quantize_blocks<BlockQ8_0>(x, out, n);
    case DType::mxfp4: return quantize_blocks<BlockMXFP4>(x, out, n);
    default: return;
  }
}

}  // namespace tenon
