// Byte layouts of the quantized block formats, as GGUF files hold them (ggml's layouts). Little endian.
#pragma once

#include <cstdint>

namespace tenon {

using f16_bits = uint16_t;

#pragma pack(push, 1)

// 32 elements. qs[j]: low nibble is element j, high nibble element j + 16 (split_halves).
struct BlockQ4_0 {
  f16_bits d;
  uint8_t qs[16];
};  // (q - 8) d
struct BlockQ4_1 {
  f16_bits d, m;
  uint8_t qs[16];
};  // q d + m
struct BlockQ5_0 {
  f16_bits d;
  uint8_t qh[4];
  uint8_t qs[16];
};  // (q - 16) d, bit j of qh is bit 4 of element j
struct BlockQ5_1 {
  f16_bits d, m;
  uint8_t qh[4];
  uint8_t qs[16];
};  // q d + m
struct BlockQ8_0 {
  f16_bits d;
  int8_t qs[32];
};  // q d
struct BlockIQ4_NL {
  f16_bits d;
  uint8_t qs[16];
};  // kIQ4Values[q] d
struct BlockMXFP4 {
  uint8_t e;
  uint8_t qs[16];
};  // kE2M1Doubled[q] / 2 * 2^(e - 127); e = 255 is NaN

// 256 elements in 16 groups of 16 or 8 groups of 32.
struct BlockQ2_K {
  uint8_t scales[16];
  uint8_t qs[64];
  f16_bits d, dmin;
};  // d (s & 15) q - dmin (s >> 4)
struct BlockQ3_K {
  uint8_t hmask[32];
  uint8_t qs[64];
  uint8_t scales[12];
  f16_bits d;
};  // d (s - 32) (q - 4 if not h)
struct BlockQ4_K {
  f16_bits d, dmin;
  uint8_t scales[12];
  uint8_t qs[128];
};  // d s q - dmin m; s, m of 6 bits
struct BlockQ5_K {
  f16_bits d, dmin;
  uint8_t scales[12];
  uint8_t qh[32];
  uint8_t qs[128];
};
struct BlockQ6_K {
  uint8_t ql[128];
  uint8_t qh[64];
  int8_t scales[16];
  f16_bits d;
};  // d s (q - 32)
struct BlockIQ4_XS {
  f16_bits d;
  uint16_t scales_h;
  uint8_t scales_l[4];
  uint8_t qs[128];
};  // d (s - 32) kIQ4Values[q]

#pragma pack(pop)

static_assert(sizeof(BlockQ4_0) == 18 && sizeof(BlockQ4_1) == 20 && sizeof(BlockQ5_0) == 22 && sizeof(BlockQ5_1) == 24);
static_assert(sizeof(BlockQ8_0) == 34 && sizeof(BlockIQ4_NL) == 18 && sizeof(BlockMXFP4) == 17);
static_assert(sizeof(BlockQ2_K) == 84 && sizeof(BlockQ3_K) == 110 && sizeof(BlockQ4_K) == 144);
static_assert(sizeof(BlockQ5_K) == 176 && sizeof(BlockQ6_K) == 210 && sizeof(BlockIQ4_XS) == 136);

inline constexpr int8_t kIQ4Values[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};

// Twice the e2m1 values 0 .5 1 1.5 2 3 4 6 and their negatives, so that they are integers.
inline constexpr int8_t kE2M1Doubled[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

}  // namespace tenon
