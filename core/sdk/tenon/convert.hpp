// f16, bf16 and e8m0 to and from f32, bit for bit as IEEE 754 and the OCP MX specification say.
#pragma once

#include <bit>
#include <cstdint>

namespace tenon {

inline float f16_to_f32(uint16_t h) {
  const uint32_t sign = static_cast<uint32_t>(h & 0x8000u) << 16;
  const uint32_t exponent = (h >> 10) & 0x1Fu;
  const uint32_t mantissa = h & 0x3FFu;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000u | (mantissa << 13));
  if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112u) << 23) | (mantissa << 13));
  // zero or subnormal: mantissa * 2^-24 is exact in f32
  const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
}

/// Round to nearest, ties to even; overflow gives infinity, NaN stays NaN.
inline uint16_t f32_to_f16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  const uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) return static_cast<uint16_t>(sign | 0x7E00u | ((magnitude >> 13) & 0x3FFu));
  if (magnitude >= 0x477FF000u) return static_cast<uint16_t>(sign | 0x7C00u);  // rounds to 65536 or more
  if (magnitude < 0x38800000u) {                                               // below 2^-14: subnormal in f16
    // Adding 0.5 puts the 2^-24 unit at the last mantissa bit, so the f32 adder does the rounding.
    const float rounded = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(rounded) - 0x3F000000u));
  }
  const uint32_t odd = (magnitude >> 13) & 1u;
  return static_cast<uint16_t>(sign | ((magnitude + 0xFFFu + odd - (112u << 23)) >> 13));
}

inline float bf16_to_f32(uint16_t h) { return std::bit_cast<float>(static_cast<uint32_t>(h) << 16); }

/// Round to nearest, ties to even; NaN stays NaN.
inline uint16_t f32_to_bf16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return static_cast<uint16_t>((bits >> 16) | 0x40u);
  return static_cast<uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
}

/// 2^(e - 127): 0 is the subnormal 2^-127, 255 is NaN.
inline float e8m0_to_f32(uint8_t e) {
  if (e == 0) return std::bit_cast<float>(0x00400000u);
  if (e == 255) return std::bit_cast<float>(0x7FC00000u);
  return std::bit_cast<float>(static_cast<uint32_t>(e) << 23);
}

}  // namespace tenon
