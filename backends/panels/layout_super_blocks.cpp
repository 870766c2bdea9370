// Units of the formats with super-blocks of 256: the scales of the whole, then eight groups of 32.
#include "layout.hpp"
#include "unit_parts.hpp"

#include <tenon/dequantize.hpp>

namespace tenon::panels {
namespace {

// Bytes of a group.
constexpr int kQ2KGroup = 80, kQ3KGroup = 112, kQ4KGroup = 144, kQ5KGroup = 176, kQ6KGroup = 208, kIQ4XSGroup = 136;

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
    put_bit<4>(group + 16, lane, codes);
    put_nibbles(group + 48, lane, codes);
  }
}
void unpack_q5_K(const uint8_t* unit, int lane, float* y) {
  for (int g = 0; g < 8; ++g) {
    const uint8_t* group = unit + 32 + kQ5KGroup * g;
    uint8_t codes[32];
    get_nibbles(group + 48, lane, codes);
    add_bit<4>(group + 16, lane, codes);
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
    put_two_bits<4>(group + 16, lane, codes);
    put_nibbles(group + 80, lane, codes);
  }
}
void unpack_q6_K(const uint8_t* unit, int lane, float* y) {
  const float d = get_f16(unit, lane);
  for (int g = 0; g < 8; ++g) {
    const uint8_t* group = unit + 16 + kQ6KGroup * g;
    uint8_t codes[32];
    get_nibbles(group + 80, lane, codes);
    add_two_bits<4>(group + 16, lane, codes);
    for (int j = 0; j < 32; ++j) {
      const auto scale = static_cast<float>(static_cast<int8_t>(group[2 * lane + j / 16]));
      y[32 * g + j] = d * scale * static_cast<float>(codes[j] - 32);
    }
  }
}

void pack_q2_K(const std::byte* source, int lane, uint8_t* unit) {
  const auto b = block_at<BlockQ2_K>(source);
  put_f16(unit, lane, b.d);
  put_f16(unit + 16, lane, b.dmin);
  for (int g = 0; g < 8; ++g) {
    uint8_t* group = unit + 32 + kQ2KGroup * g;
    uint8_t codes[32];
    for (int j = 0; j < 32; ++j) codes[j] = static_cast<uint8_t>(two_bit_code(b.qs, 32 * g + j));
    for (int h = 0; h < 2; ++h) group[2 * lane + h] = b.scales[2 * g + h];
    put_two_bits<0>(group + 16, lane, codes);
  }
}
void unpack_q2_K(const uint8_t* unit, int lane, float* y) {
  const float d = get_f16(unit, lane), dmin = get_f16(unit + 16, lane);
  for (int g = 0; g < 8; ++g) {
    const uint8_t* group = unit + 32 + kQ2KGroup * g;
    uint8_t codes[32] = {};
    add_two_bits<0>(group + 16, lane, codes);
    for (int j = 0; j < 32; ++j) {
      const uint8_t s = group[2 * lane + j / 16];
      y[32 * g + j] = d * static_cast<float>(s & 15) * static_cast<float>(codes[j]) - dmin * static_cast<float>(s >> 4);
    }
  }
}

void pack_q3_K(const std::byte* source, int lane, uint8_t* unit) {
  const auto b = block_at<BlockQ3_K>(source);
  put_f16(unit, lane, b.d);
  for (int g = 0; g < 8; ++g) {
    uint8_t* group = unit + 16 + kQ3KGroup * g;
    uint8_t codes[32];
    for (int j = 0; j < 32; ++j) {
      codes[j] = static_cast<uint8_t>(two_bit_code(b.qs, 32 * g + j) | ((b.hmask[j] >> g) & 1) << 2);
    }
    for (int h = 0; h < 2; ++h) group[2 * lane + h] = static_cast<uint8_t>(q3_k_scale(b.scales, 2 * g + h));
    put_bit<2>(group + 16, lane, codes);
    put_two_bits<0>(group + 48, lane, codes);
  }
}
void unpack_q3_K(const uint8_t* unit, int lane, float* y) {
  const float d = get_f16(unit, lane);
  for (int g = 0; g < 8; ++g) {
    const uint8_t* group = unit + 16 + kQ3KGroup * g;
    uint8_t codes[32] = {};
    add_bit<2>(group + 16, lane, codes);
    add_two_bits<0>(group + 48, lane, codes);
    for (int j = 0; j < 32; ++j) {
      const auto scale = static_cast<float>(static_cast<int8_t>(group[2 * lane + j / 16]));
      y[32 * g + j] = d * scale * static_cast<float>(codes[j] - 4);
    }
  }
}

void pack_iq4_xs(const std::byte* source, int lane, uint8_t* unit) {
  const auto b = block_at<BlockIQ4_XS>(source);
  put_f16(unit, lane, b.d);
  for (int g = 0; g < 8; ++g) {
    uint8_t* group = unit + 16 + kIQ4XSGroup * g;
    uint8_t qs[16], codes[32];
    std::memcpy(qs, b.qs + 16 * g, sizeof qs);
    split_nibbles(qs, codes);
    group[lane] = static_cast<uint8_t>(iq4_xs_scale(b, g));
    put_nibbles(group + 8, lane, codes);
  }
}
void unpack_iq4_xs(const uint8_t* unit, int lane, float* y) {
  const float d = get_f16(unit, lane);
  for (int g = 0; g < 8; ++g) {
    const uint8_t* group = unit + 16 + kIQ4XSGroup * g;
    uint8_t codes[32];
    get_nibbles(group + 8, lane, codes);
    const float dl = d * static_cast<float>(static_cast<int8_t>(group[lane]));
    for (int j = 0; j < 32; ++j) y[32 * g + j] = dl * static_cast<float>(kIQ4Values[codes[j]]);
  }
}

constexpr PanelFormat kFormats[] = {
    {DType::q2_K, 256, 32 + 8 * kQ2KGroup, panel_q2_K, panel_q2_K_f32, pack_q2_K, unpack_q2_K},
    {DType::q3_K, 256, 16 + 8 * kQ3KGroup, panel_q3_K, panel_q3_K_f32, pack_q3_K, unpack_q3_K},
    {DType::q4_K, 256, 32 + 8 * kQ4KGroup, panel_q4_K, panel_q4_K_f32, pack_q4_K, unpack_q4_K},
    {DType::q5_K, 256, 32 + 8 * kQ5KGroup, panel_q5_K, panel_q5_K_f32, pack_q5_K, unpack_q5_K},
    {DType::q6_K, 256, 16 + 8 * kQ6KGroup, panel_q6_K, panel_q6_K_f32, pack_q6_K, unpack_q6_K},
    {DType::iq4_xs, 256, 16 + 8 * kIQ4XSGroup, panel_iq4_xs, panel_iq4_xs_f32, pack_iq4_xs, unpack_iq4_xs},
};

}  // namespace

std::span<const PanelFormat> super_block_formats() { return kFormats; }

}  // namespace tenon::panels
