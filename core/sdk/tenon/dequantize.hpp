// Every weight format to f32, plain: the definition that kernels are held to. Products and sums are rounded one by one
// (no fma), as ggml and the Python package gguf do, so the results are equal bit for bit.
#pragma once

#include <tenon/blocks.hpp>
#include <tenon/convert.hpp>
#include <tenon/dtype.hpp>

#include <cstring>

namespace tenon {

/// Scale and min of group `g` (0..7) of a q4_K or q5_K super-block: 6 bits each, packed in 12 bytes.
struct ScaleMin {
  uint8_t scale, min;
};
inline ScaleMin k_scale_min(const uint8_t (&scales)[12], int g) {
  if (g < 4) return {static_cast<uint8_t>(scales[g] & 63), static_cast<uint8_t>(scales[g + 4] & 63)};
  return {static_cast<uint8_t>((scales[g + 4] & 15) | ((scales[g - 4] >> 6) << 4)),
          static_cast<uint8_t>((scales[g + 4] >> 4) | ((scales[g] >> 6) << 4))};
}

/// Scale of group `g` (0..15) of a q3_K super-block, without its offset of 32.
inline int q3_k_scale(const uint8_t (&scales)[12], int g) {
  const int low = g < 8 ? scales[g] & 15 : scales[g - 8] >> 4;
  const int high = (scales[8 + g % 4] >> (2 * (g / 4))) & 3;
  return (low | (high << 4)) - 32;
}

/// Scale of group `g` (0..7) of an iq4_xs super-block.
inline int iq4_xs_scale(const BlockIQ4_XS& b, int g) {
  const int low = (b.scales_l[g / 2] >> (4 * (g % 2))) & 15;
  const int high = (b.scales_h >> (2 * g)) & 3;
  return (low | (high << 4)) - 32;
}

inline void dequantize(const BlockQ4_0& b, float* y) {
  const float d = f16_to_f32(b.d);
  for (int j = 0; j < 16; ++j) {
    y[j] = static_cast<float>((b.qs[j] & 15) - 8) * d;
    y[j + 16] = static_cast<float>((b.qs[j] >> 4) - 8) * d;
  }
}

inline void dequantize(const BlockQ4_1& b, float* y) {
  const float d = f16_to_f32(b.d), m = f16_to_f32(b.m);
  for (int j = 0; j < 16; ++j) {
    y[j] = static_cast<float>(b.qs[j] & 15) * d + m;
    y[j + 16] = static_cast<float>(b.qs[j] >> 4) * d + m;
  }
}

inline int q5_code(const uint8_t (&qh)[4], const uint8_t (&qs)[16], int j) {
  const int high = (qh[j / 8] >> (j % 8)) & 1;
  const int low = j < 16 ? qs[j] & 15 : qs[j - 16] >> 4;
  return low | (high << 4);
}

inline void dequantize(const BlockQ5_0& b, float* y) {
  const float d = f16_to_f32(b.d);
  for (int j = 0; j < 32; ++j) y[j] = static_cast<float>(q5_code(b.qh, b.qs, j) - 16) * d;
}

inline void dequantize(const BlockQ5_1& b, float* y) {
  const float d = f16_to_f32(b.d), m = f16_to_f32(b.m);
  for (int j = 0; j < 32; ++j) y[j] = static_cast<float>(q5_code(b.qh, b.qs, j)) * d + m;
}

inline void dequantize(const BlockQ8_0& b, float* y) {
  const float d = f16_to_f32(b.d);
  for (int j = 0; j < 32; ++j) y[j] = static_cast<float>(b.qs[j]) * d;
}

inline void dequantize(const BlockIQ4_NL& b, float* y) {
  const float d = f16_to_f32(b.d);
  for (int j = 0; j < 16; ++j) {
    y[j] = d * static_cast<float>(kIQ4Values[b.qs[j] & 15]);
    y[j + 16] = d * static_cast<float>(kIQ4Values[b.qs[j] >> 4]);
  }
}

/// The scale that goes with kE2M1Doubled: half of 2^(e - 127), exact (subnormal for e = 0 and 1, NaN for 255).
inline float mxfp4_half_scale(uint8_t e) {
  if (e < 2) return std::bit_cast<float>(0x00200000u << e);
  if (e == 255) return e8m0_to_f32(e);
  return std::bit_cast<float>((static_cast<uint32_t>(e) - 1u) << 23);
}

inline void dequantize(const BlockMXFP4& b, float* y) {
  const float d = mxfp4_half_scale(b.e);
  for (int j = 0; j < 16; ++j) {
    y[j] = static_cast<float>(kE2M1Doubled[b.qs[j] & 15]) * d;
    y[j + 16] = static_cast<float>(kE2M1Doubled[b.qs[j] >> 4]) * d;
  }
}

/// Code 0..3 of element j of a q2_K or q3_K super-block: 128 elements share 32 bytes, two bits for each 32 of them.
inline int two_bit_code(const uint8_t (&qs)[64], int j) {
  return (qs[32 * (j / 128) + j % 32] >> (2 * (j % 128 / 32))) & 3;
}

inline void dequantize(const BlockQ2_K& b, float* y) {
  const float d = f16_to_f32(b.d), dmin = f16_to_f32(b.dmin);
  for (int j = 0; j < 256; ++j) {
    const uint8_t s = b.scales[j / 16];
    y[j] =
        d * static_cast<float>(s & 15) * static_cast<float>(two_bit_code(b.qs, j)) - dmin * static_cast<float>(s >> 4);
  }
}

inline void dequantize(const BlockQ3_K& b, float* y) {
  const float d = f16_to_f32(b.d);
  for (int j = 0; j < 256; ++j) {
    const int high = (b.hmask[j % 32] >> (j / 32)) & 1;
    const int q = two_bit_code(b.qs, j) - (high != 0 ? 0 : 4);
    y[j] = d * static_cast<float>(q3_k_scale(b.scales, j / 16)) * static_cast<float>(q);
  }
}

inline void dequantize(const BlockQ4_K& b, float* y) {
  const float d = f16_to_f32(b.d), dmin = f16_to_f32(b.dmin);
  for (int j = 0; j < 256; ++j) {
    const ScaleMin sm = k_scale_min(b.scales, j / 32);
    const uint8_t byte = b.qs[32 * (j / 64) + j % 32];
    const int q = j % 64 < 32 ? byte & 15 : byte >> 4;
    y[j] = d * static_cast<float>(sm.scale) * static_cast<float>(q) - dmin * static_cast<float>(sm.min);
  }
}

inline void dequantize(const BlockQ5_K& b, float* y) {
  const float d = f16_to_f32(b.d), dmin = f16_to_f32(b.dmin);
  for (int j = 0; j < 256; ++j) {
    const ScaleMin sm = k_scale_min(b.scales, j / 32);
    const uint8_t byte = b.qs[32 * (j / 64) + j % 32];
    const int q = (j % 64 < 32 ? byte & 15 : byte >> 4) | (((b.qh[j % 32] >> (j / 32)) & 1) << 4);
    y[j] = d * static_cast<float>(sm.scale) * static_cast<float>(q) - dmin * static_cast<float>(sm.min);
  }
}

/// Code -32..31 of element j of a q6_K super-block.
inline int q6_k_code(const BlockQ6_K& b, int j) {
  const int half = j / 128, within = j % 128, quarter = within / 32, l = within % 32;
  const uint8_t low_byte = b.ql[64 * half + l + 32 * (quarter % 2)];
  const int low = quarter < 2 ? low_byte & 15 : low_byte >> 4;
  const int high = (b.qh[32 * half + l] >> (2 * quarter)) & 3;
  return (low | (high << 4)) - 32;
}

inline void dequantize(const BlockQ6_K& b, float* y) {
  const float d = f16_to_f32(b.d);
  for (int j = 0; j < 256; ++j) {
    y[j] = d * static_cast<float>(b.scales[j / 16]) * static_cast<float>(q6_k_code(b, j));
  }
}

inline void dequantize(const BlockIQ4_XS& b, float* y) {
  const float d = f16_to_f32(b.d);
  for (int j = 0; j < 256; ++j) {
    const float dl = d * static_cast<float>(iq4_xs_scale(b, j / 32));
    const uint8_t byte = b.qs[16 * (j / 32) + j % 16];
    y[j] = dl * static_cast<float>(kIQ4Values[j % 32 < 16 ? byte & 15 : byte >> 4]);
  }
}

template <class Block>
void dequantize_blocks(const void* source, float* y, int64_t n) {
  constexpr int64_t kElements = sizeof(Block) > 64 ? 256 : 32;
  const auto* bytes = static_cast<const unsigned char*>(source);
  for (int64_t i = 0; i < n; i += kElements, bytes += sizeof(Block)) {
    Block block;
    std::memcpy(&block, bytes, sizeof block);
    dequantize(block, y + i);
  }
}

/// n elements (a multiple of the block) of a row in file order to f32. i32 and i64 are no weights: asserted away.
inline void dequantize_row(DType dtype, const void* source, float* y, int64_t n) {
  const auto* halves = static_cast<const unsigned char*>(source);
  switch (dtype) {
    case DType::f32: std::memcpy(y, source, static_cast<size_t>(n) * 4); return;
    case DType::f16:
    case DType::bf16:
      for (int64_t i = 0; i < n; ++i) {
        uint16_t h;
        std::memcpy(&h, halves + 2 * i, 2);
        y[i] = dtype == DType::f16 ? f16_to_f32(h) : bf16_to_f32(h);
      }
      return;
    case DType::q4_0: return dequantize_blocks<BlockQ4_0>(source, y, n);
    case DType::q4_1: return dequantize_blocks<BlockQ4_1>(source, y, n);
    case DType::q5_0: return dequantize_blocks<BlockQ5_0>(source, y, n);
    case DType::q5_1: return dequantize_blocks<BlockQ5_1>(source, y, n);
    case DType::q8_0: return dequantize_blocks<BlockQ8_0>(source, y, n);
    case DType::q2_K: return dequantize_blocks<BlockQ2_K>(source, y, n);
    case DType::q3_K: return dequantize_blocks<BlockQ3_K>(source, y, n);
    case DType::q4_K: return dequantize_blocks<BlockQ4_K>(source, y, n);
    case DType::q5_K: return dequantize_blocks<BlockQ5_K>(source, y, n);
    case DType::q6_K: return dequantize_blocks<BlockQ6_K>(source, y, n);
    case DType::iq4_nl: return dequantize_blocks<BlockIQ4_NL>(source, y, n);
    case DType::iq4_xs: return dequantize_blocks<BlockIQ4_XS>(source, y, n);
    case DType::mxfp4: return dequantize_blocks<BlockMXFP4>(source, y, n);
    case DType::i32:
    case DType::i64: break;
  }
}

}  // namespace tenon
