#include "layout.hpp"

#include <tenon/blocks.hpp>
#include <tenon/convert.hpp>
#include <tenon/dequantize.hpp>

#include <cstring>

namespace tenon::panels {
namespace {

template <class Block>
Block block_at(const std::byte* source) {
  Block block;
  std::memcpy(&block, source, sizeof block);
  return block;
}

void put_f16(uint8_t* at, int lane, f16_bits value) { std::memcpy(at + 2 * lane, &value, 2); }
float get_f16(const uint8_t* at, int lane) {
  f16_bits value;
  std::memcpy(&value, at + 2 * lane, 2);
  return f16_to_f32(value);
}

// ---- codes of 32 elements of one output. Element e is in vector e / 4, byte 4 lane + e % 4.

int64_t byte_of(int lane, int e) { return 4 * lane + e % 4; }

/// 128 bytes: vector v holds elements of vectors v (low nibbles) and v + 4 (high nibbles).
void put_nibbles(uint8_t* at, int lane, const uint8_t (&codes)[32]) {
  for (int e = 0; e < 16; ++e) {
    at[32 * (e / 4) + byte_of(lane, e)] = static_cast<uint8_t>((codes[e] & 15) | (codes[e + 16] & 15) << 4);
  }
}
void get_nibbles(const uint8_t* at, int lane, uint8_t (&codes)[32]) {
  for (int e = 0; e < 16; ++e) {
    const uint8_t byte = at[32 * (e / 4) + byte_of(lane, e)];
    codes[e] = byte & 15;
    codes[e + 16] = byte >> 4;
  }
}

/// 32 bytes: bit v belongs to vector v.
void put_fifth_bits(uint8_t* at, int lane, const uint8_t (&codes)[32]) {
  for (int e = 0; e < 32; ++e) {
    at[byte_of(lane, e)] = static_cast<uint8_t>(at[byte_of(lane, e)] | ((codes[e] >> 4) & 1) << (e / 4));
  }
}
void add_fifth_bits(const uint8_t* at, int lane, uint8_t (&codes)[32]) {
  for (int e = 0; e < 32; ++e) {
    codes[e] = static_cast<uint8_t>(codes[e] | ((at[byte_of(lane, e)] >> (e / 4)) & 1) << 4);
  }
}

/// 64 bytes: vector i holds bits 4 and 5 of the codes of vectors 4 i + c at bits 2 c.
void put_high_bits(uint8_t* at, int lane, const uint8_t (&codes)[32]) {
  for (int e = 0; e < 32; ++e) {
    uint8_t& byte = at[32 * (e / 16) + byte_of(lane, e)];
    byte = static_cast<uint8_t>(byte | ((codes[e] >> 4) & 3) << (2 * (e / 4 % 4)));
  }
}
void add_high_bits(const uint8_t* at, int lane, uint8_t (&codes)[32]) {
  for (int e = 0; e < 32; ++e) {
    const uint8_t byte = at[32 * (e / 16) + byte_of(lane, e)];
    codes[e] = static_cast<uint8_t>(codes[e] | ((byte >> (2 * (e / 4 % 4))) & 3) << 4);
  }
}

void split_nibbles(const uint8_t (&qs)[16], uint8_t (&codes)[32]) {
  for (int j = 0; j < 16; ++j) {
    codes[j] = qs[j] & 15;
    codes[j + 16] = qs[j] >> 4;
  }
}

// ---- blocks of 32

/// q4_0 and iq4_nl: d, nibbles.
template <class Block>
void pack_nibbles(const std::byte* source, int lane, uint8_t* unit) {
  const auto b = block_at<Block>(source);
  uint8_t codes[32];
  split_nibbles(b.qs, codes);
  put_f16(unit, lane, b.d);
  put_nibbles(unit + 16, lane, codes);
}
void unpack_q4_0(const uint8_t* unit, int lane, float* y) {
  uint8_t codes[32];
  get_nibbles(unit + 16, lane, codes);
  const float d = get_f16(unit, lane);
  for (int j = 0; j < 32; ++j) y[j] = static_cast<float>(codes[j] - 8) * d;
}
void unpack_iq4_nl(const uint8_t* unit, int lane, float* y) {
  uint8_t codes[32];
  get_nibbles(unit + 16, lane, codes);
  const float d = get_f16(unit, lane);
  for (int j = 0; j < 32; ++j) y[j] = d * static_cast<float>(kIQ4Values[codes[j]]);
}

void pack_q4_1(const std::byte* source, int lane, uint8_t* unit) {
  const auto b = block_at<BlockQ4_1>(source);
  uint8_t codes[32];
  split_nibbles(b.qs, codes);
  put_f16(unit, lane, b.d);
  put_f16(unit + 16, lane, b.m);
  put_nibbles(unit + 32, lane, codes);
}
void unpack_q4_1(const uint8_t* unit, int lane, float* y) {
  uint8_t codes[32];
  get_nibbles(unit + 32, lane, codes);
  const float d = get_f16(unit, lane), m = get_f16(unit + 16, lane);
  for (int j = 0; j < 32; ++j) y[j] = static_cast<float>(codes[j]) * d + m;
}

void pack_q5_0(const std::byte* source, int lane, uint8_t* unit) {
  const auto b = block_at<BlockQ5_0>(source);
  uint8_t codes[32];
  for (int j = 0; j < 32; ++j) codes[j] = static_cast<uint8_t>(q5_code(b.qh, b.qs, j));
  put_f16(unit, lane, b.d);
  put_fifth_bits(unit + 16, lane, codes);
  put_nibbles(unit + 48, lane, codes);
}
void unpack_q5_0(const uint8_t* unit, int lane, float* y) {
  uint8_t codes[32];
  get_nibbles(unit + 48, lane, codes);
  add_fifth_bits(unit + 16, lane, codes);
  const float d = get_f16(unit, lane);
  for (int j = 0; j < 32; ++j) y[j] = static_cast<float>(codes[j] - 16) * d;
}

void pack_q5_1(const std::byte* source, int lane, uint8_t* unit) {
  const auto b = block_at<BlockQ5_1>(source);
  uint8_t codes[32];
  for (int j = 0; j < 32; ++j) codes[j] = static_cast<uint8_t>(q5_code(b.qh, b.qs, j));
  put_f16(unit, lane, b.d);
  put_f16(unit + 16, lane, b.m);
  put_fifth_bits(unit + 32, lane, codes);
  put_nibbles(unit + 64, lane, codes);
}
void unpack_q5_1(const uint8_t* unit, int lane, float* y) {
  uint8_t codes[32];
  get_nibbles(unit + 64, lane, codes);
  add_fifth_bits(unit + 32, lane, codes);
  const float d = get_f16(unit, lane), m = get_f16(unit + 16, lane);
  for (int j = 0; j < 32; ++j) y[j] = static_cast<float>(codes[j]) * d + m;
}

void pack_q8_0(const std::byte* source, int lane, uint8_t* unit) {
  const auto b = block_at<BlockQ8_0>(source);
  put_f16(unit, lane, b.d);
  for (int e = 0; e < 32; ++e) unit[16 + 32 * (e / 4) + byte_of(lane, e)] = static_cast<uint8_t>(b.qs[e]);
}
void unpack_q8_0(const uint8_t* unit, int lane, float* y) {
  const float d = get_f16(unit, lane);
  for (int e = 0; e < 32; ++e) {
    y[e] = static_cast<float>(static_cast<int8_t>(unit[16 + 32 * (e / 4) + byte_of(lane, e)])) * d;
  }
}

void pack_mxfp4(const std::byte* source, int lane, uint8_t* unit) {
  const auto b = block_at<BlockMXFP4>(source);
  uint8_t codes[32];
  split_nibbles(b.qs, codes);
  unit[lane] = b.e;
  put_nibbles(unit + 8, lane, codes);
}
void unpack_mxfp4(const uint8_t* unit, int lane, float* y) {
  uint8_t codes[32];
  get_nibbles(unit + 8, lane, codes);
  const float d = mxfp4_half_scale(unit[lane]);
  for (int j = 0; j < 32; ++j) y[j] = static_cast<float>(kE2M1Doubled[codes[j]]) * d;
}

// ---- super-blocks of 256: eight groups of 32

constexpr int kQ4KGroup = 144, kQ5KGroup = 176, kQ6KGroup = 208;  // bytes

/// Codes of group g of a q4_K block, and the low four bits of a q5_K one.
void k_codes(const uint8_t (&qs)[128], int g, uint8_t (&codes)[32]) {
  for (int j = 0; j < 32; ++j) codes[j] = (qs[32 * (g / 2) + j] >> (4 * (g % 2))) & 15;
}

void put_k_scales(uint8_t* group, int lane, const uint8_t (&scales)[12], int g) {
  const ScaleMin sm = k_scale_min(scales, g);
  group[lane] = sm.scale;
  group[8 + lane] = sm.min;
}

void unpack_k(const uint8_t* unit, const uint8_t* group, int lane, const uint8_t (&codes)[32], float* y) {
  const float d = get_f16(unit, lane), dmin = get_f16(unit + 16, lane);
  const auto scale = static_cast<float>(group[lane]), min = static_cast<float>(group[8 + lane]);
  for (int j = 0; j < 32; ++j) y[j] = d * scale * static_cast<float>(codes[j]) - dmin * min;
}

void pack_q4_K(const std::byte* source, int lane, uint8_t* unit) {
  const auto b = block_at<BlockQ4_K>(source);
  put_f16(unit, lane, b.d);
  put_f16(unit + 16, lane, b.dmin);
  for (int g = 0; g < 8; ++g) {
    uint8_t* group = unit + 32 + kQ4KGroup * g;
    uint8_t codes[32];
    k_codes(b.qs, g, codes);
    put_k_scales(group, lane, b.scales, g);
    put_nibbles(group + 16, lane, codes);
  }
}
void unpack_q4_K(const uint8_t* unit, int lane, float* y) {
  for (int g = 0; g < 8; ++g) {
    const uint8_t* group = unit + 32 + kQ4KGroup * g;
    uint8_t codes[32];
    get_nibbles(group + 16, lane, codes);
    unpack_k(unit, group, lane, codes, y + 32 * g);
  }
}

void pack_q5_K(const std::byte* source, int lane, uint8_t* unit) {
  const auto b = block_at<BlockQ5_K>(source);
  put_f16(unit, lane, b.d);
  put_f16(unit + 16, lane, b.dmin);
  for (int g = 0; g < 8; ++g) {
    uint8_t* group = unit + 32 + kQ5KGroup * g;
    uint8_t codes[32];
    k_codes(b.qs, g, codes);
    for (int j = 0; j < 32; ++j) codes[j] = static_cast<uint8_t>(codes[j] | ((b.qh[j] >> g) & 1) << 4);
    put_k_scales(group, lane, b.scales, g);
    put_fifth_bits(group + 16, lane, codes);
    put_nibbles(group + 48, lane, codes);
  }
}
void unpack_q5_K(const uint8_t* unit, int lane, float* y) {
  for (int g = 0; g < 8; ++g) {
    const uint8_t* group = unit + 32 + kQ5KGroup * g;
    uint8_t codes[32];
    get_nibbles(group + 48, lane, codes);
    add_fifth_bits(group + 16, lane, codes);
    unpack_k(unit, group, lane, codes, y + 32 * g);
  }
}

void pack_q6_K(const std::byte* source, int lane, uint8_t* unit) {
  const auto b = block_at<BlockQ6_K>(source);
  put_f16(unit, lane, b.d);
  for (int g = 0; g < 8; ++g) {
    uint8_t* group = unit + 16 + kQ6KGroup * g;
    uint8_t codes[32];
    for (int j = 0; j < 32; ++j) codes[j] = static_cast<uint8_t>(q6_k_code(b, 32 * g + j) + 32);
    for (int h = 0; h < 2; ++h) group[2 * lane + h] = static_cast<uint8_t>(b.scales[2 * g + h]);
    put_high_bits(group + 16, lane, codes);
    put_nibbles(group + 80, lane, codes);
  }
}
void unpack_q6_K(const uint8_t* unit, int lane, float* y) {
  const float d = get_f16(unit, lane);
  for (int g = 0; g < 8; ++g) {
    const uint8_t* group = unit + 16 + kQ6KGroup * g;
    uint8_t codes[32];
    get_nibbles(group + 80, lane, codes);
    add_high_bits(group + 16, lane, codes);
    for (int j = 0; j < 32; ++j) {
      const auto scale = static_cast<float>(static_cast<int8_t>(group[2 * lane + j / 16]));
      y[32 * g + j] = d * scale * static_cast<float>(codes[j] - 32);
    }
  }
}

// ---- plain formats

template <int kBytes>
void pack_plain(const std::byte* source, int lane, uint8_t* unit) {
  std::memcpy(unit + kBytes * lane, source, kBytes);
}
template <DType kType, int kBytes>
void unpack_plain(const uint8_t* unit, int lane, float* y) {
  dequantize_row(kType, unit + kBytes * lane, y, 1);
}

constexpr PanelFormat kFormats[] = {
    {DType::f32, 1, 32, panel_f32, panel_f32, pack_plain<4>, unpack_plain<DType::f32, 4>},
    {DType::f16, 1, 16, panel_f16, panel_f16, pack_plain<2>, unpack_plain<DType::f16, 2>},
    {DType::bf16, 1, 16, panel_bf16, panel_bf16, pack_plain<2>, unpack_plain<DType::bf16, 2>},
    {DType::q4_0, 32, 144, panel_q4_0, panel_q4_0_f32, pack_nibbles<BlockQ4_0>, unpack_q4_0},
    {DType::q4_1, 32, 160, panel_q4_1, panel_q4_1_f32, pack_q4_1, unpack_q4_1},
    {DType::q5_0, 32, 176, panel_q5_0, panel_q5_0_f32, pack_q5_0, unpack_q5_0},
    {DType::q5_1, 32, 192, panel_q5_1, panel_q5_1_f32, pack_q5_1, unpack_q5_1},
    {DType::q8_0, 32, 272, panel_q8_0, panel_q8_0_f32, pack_q8_0, unpack_q8_0},
    {DType::iq4_nl, 32, 144, panel_iq4_nl, panel_iq4_nl_f32, pack_nibbles<BlockIQ4_NL>, unpack_iq4_nl},
    {DType::mxfp4, 32, 136, panel_mxfp4, panel_mxfp4_f32, pack_mxfp4, unpack_mxfp4},
    {DType::q4_K, 256, 32 + 8 * kQ4KGroup, panel_q4_K, panel_q4_K_f32, pack_q4_K, unpack_q4_K},
    {DType::q5_K, 256, 32 + 8 * kQ5KGroup, panel_q5_K, panel_q5_K_f32, pack_q5_K, unpack_q5_K},
    {DType::q6_K, 256, 16 + 8 * kQ6KGroup, panel_q6_K, panel_q6_K_f32, pack_q6_K, unpack_q6_K},
};

}  // namespace

const PanelFormat* find_panel_format(uint32_t dtype) {
  for (const PanelFormat& format : kFormats) {
    if (static_cast<uint32_t>(format.dtype) == dtype) return &format;
  }
  return nullptr;
}

}  // namespace tenon::panels
