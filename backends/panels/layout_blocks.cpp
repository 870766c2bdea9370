// Units of the formats with blocks of 32.
#include "layout.hpp"
#include "unit_parts.hpp"

#include <tenon/dequantize.hpp>

namespace tenon::panels {
namespace {

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
  put_bit<4>(unit + 16, lane, codes);
  put_nibbles(unit + 48, lane, codes);
}
void unpack_q5_0(const uint8_t* unit, int lane, float* y) {
  uint8_t codes[32];
  get_nibbles(unit + 48, lane, codes);
  add_bit<4>(unit + 16, lane, codes);
  const float d = get_f16(unit, lane);
  for (int j = 0; j < 32; ++j) y[j] = static_cast<float>(codes[j] - 16) * d;
}

void pack_q5_1(const std::byte* source, int lane, uint8_t* unit) {
  const auto b = block_at<BlockQ5_1>(source);
  uint8_t codes[32];
  for (int j = 0; j < 32; ++j) codes[j] = static_cast<uint8_t>(q5_code(b.qh, b.qs, j));
  put_f16(unit, lane, b.d);
  put_f16(unit + 16, lane, b.m);
  put_bit<4>(unit + 32, lane, codes);
  put_nibbles(unit + 64, lane, codes);
}
void unpack_q5_1(const uint8_t* unit, int lane, float* y) {
  uint8_t codes[32];
  get_nibbles(unit + 64, lane, codes);
  add_bit<4>(unit + 32, lane, codes);
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

constexpr PanelFormat kFormats[] = {
    {DType::q4_0, 32, 144, panel_q4_0, panel_q4_0_f32, pack_nibbles<BlockQ4_0>, unpack_q4_0},
    {DType::q4_1, 32, 160, panel_q4_1, panel_q4_1_f32, pack_q4_1, unpack_q4_1},
    {DType::q5_0, 32, 176, panel_q5_0, panel_q5_0_f32, pack_q5_0, unpack_q5_0},
    {DType::q5_1, 32, 192, panel_q5_1, panel_q5_1_f32, pack_q5_1, unpack_q5_1},
    {DType::q8_0, 32, 272, panel_q8_0, panel_q8_0_f32, pack_q8_0, unpack_q8_0},
    {DType::iq4_nl, 32, 144, panel_iq4_nl, panel_iq4_nl_f32, pack_nibbles<BlockIQ4_NL>, unpack_iq4_nl},
    {DType::mxfp4, 32, 136, panel_mxfp4, panel_mxfp4_f32, pack_mxfp4, unpack_mxfp4},
};

}  // namespace

std::span<const PanelFormat> block_formats() { return kFormats; }

}  // namespace tenon::panels
