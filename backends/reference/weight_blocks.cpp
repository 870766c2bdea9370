#include "weight_blocks.hpp"

#include <tenon/dequantize.hpp>

#include <cassert>

namespace tenon::reference {
namespace {

// ---- codes of 32 elements

/// Byte j holds element j in its low and element j + 16 in its high nibble.
void nibbles(const uint8_t* qs, int16_t* codes) {
  for (int j = 0; j < 16; ++j) codes[j] = static_cast<int16_t>(qs[j] & 15);
  for (int j = 0; j < 16; ++j) codes[j + 16] = static_cast<int16_t>(qs[j] >> 4);
}

void subtract(int16_t offset, int16_t* codes) {
  for (int j = 0; j < 32; ++j) codes[j] = static_cast<int16_t>(codes[j] - offset);
}

void look_up(const int8_t (&table)[16], int16_t* codes) {
  for (int j = 0; j < 32; ++j) codes[j] = table[codes[j]];
}

/// Bit j of qh is bit 4 of element j.
void add_fifth_bits(const uint8_t (&qh)[4], int16_t* codes) {
  for (int j = 0; j < 32; ++j) codes[j] = static_cast<int16_t>(codes[j] | ((qh[j / 8] >> (j % 8)) & 1) << 4);
}

// ---- formats with blocks of 32: one WeightBlock each

void unpack(const BlockQ4_0& b, WeightBlock* out) {
  out->d = f16_to_f32(b.d);
  nibbles(b.qs, out->codes);
  subtract(8, out->codes);
}

void unpack(const BlockQ4_1& b, WeightBlock* out) {
  out->d = f16_to_f32(b.d);
  out->m = f16_to_f32(b.m);
  nibbles(b.qs, out->codes);
}

void unpack(const BlockQ5_0& b, WeightBlock* out) {
  out->d = f16_to_f32(b.d);
  nibbles(b.qs, out->codes);
  add_fifth_bits(b.qh, out->codes);
  subtract(16, out->codes);
}

void unpack(const BlockQ5_1& b, WeightBlock* out) {
  out->d = f16_to_f32(b.d);
  out->m = f16_to_f32(b.m);
  nibbles(b.qs, out->codes);
  add_fifth_bits(b.qh, out->codes);
}

void unpack(const BlockQ8_0& b, WeightBlock* out) {
  out->d = f16_to_f32(b.d);
  for (int j = 0; j < 32; ++j) out->codes[j] = b.qs[j];
}

void unpack(const BlockIQ4_NL& b, WeightBlock* out) {
  out->d = f16_to_f32(b.d);
  nibbles(b.qs, out->codes);
  look_up(kIQ4Values, out->codes);
}

void unpack(const BlockMXFP4& b, WeightBlock* out) {
  out->d = mxfp4_half_scale(b.e);
  nibbles(b.qs, out->codes);
  look_up(kE2M1Doubled, out->codes);
}

// ---- super-blocks of 256: eight WeightBlocks each

/// Groups 2i and 2i + 1 share 32 bytes: low nibbles, then high nibbles.
void k_nibbles(const uint8_t (&qs)[128], int g, int16_t* codes) {
  const uint8_t* bytes = qs + 32 * (g / 2);
  const int shift = 4 * (g % 2);
  for (int j = 0; j < 32; ++j) codes[j] = static_cast<int16_t>((bytes[j] >> shift) & 15);
}

/// 128 elements share 32 bytes, two bits for each 32 of them.
void two_bits(const uint8_t (&qs)[64], int g, int16_t* codes) {
  const uint8_t* bytes = qs + 32 * (g / 4);
  const int shift = 2 * (g % 4);
  for (int j = 0; j < 32; ++j) codes[j] = static_cast<int16_t>((bytes[j] >> shift) & 3);
}

template <class Block>
void k_scales(const Block& b, int g, WeightBlock& out) {
  const ScaleMin sm = k_scale_min(b.scales, g);
  out.d = f16_to_f32(b.d) * static_cast<float>(sm.scale);
  out.m = -(f16_to_f32(b.dmin) * static_cast<float>(sm.min));
}

void unpack(const BlockQ4_K& b, WeightBlock* out) {
  for (int g = 0; g < 8; ++g) {
    k_scales(b, g, out[g]);
    k_nibbles(b.qs, g, out[g].codes);
  }
}

void unpack(const BlockQ5_K& b, WeightBlock* out) {
  for (int g = 0; g < 8; ++g) {
    k_scales(b, g, out[g]);
    k_nibbles(b.qs, g, out[g].codes);
    for (int j = 0; j < 32; ++j) out[g].codes[j] = static_cast<int16_t>(out[g].codes[j] | ((b.qh[j] >> g) & 1) << 4);
  }
}

void unpack(const BlockQ6_K& b, WeightBlock* out) {
  const float d = f16_to_f32(b.d);
  for (int g = 0; g < 8; ++g) {
    const int half = g / 4, quarter = g % 4;
    const uint8_t* low = b.ql + 64 * half + 32 * (quarter % 2);
    const uint8_t* high = b.qh + 32 * half;
    const int low_shift = 4 * (quarter / 2), high_shift = 2 * quarter;
    for (int j = 0; j < 32; ++j) {
      const int code = ((low[j] >> low_shift) & 15) | ((high[j] >> high_shift) & 3) << 4;
      out[g].codes[j] = static_cast<int16_t>(code - 32);
    }
    out[g].d = d;
    for (int h = 0; h < 2; ++h) out[g].scale[h] = b.scales[2 * g + h];
  }
}

void unpack(const BlockQ3_K& b, WeightBlock* out) {
  const float d = f16_to_f32(b.d);
  for (int g = 0; g < 8; ++g) {
    two_bits(b.qs, g, out[g].codes);
    for (int j = 0; j < 32; ++j) {
      out[g].codes[j] = static_cast<int16_t>(out[g].codes[j] - 4 + 4 * ((b.hmask[j] >> g) & 1));
    }
    out[g].d = d;
    for (int h = 0; h < 2; ++h) out[g].scale[h] = q3_k_scale(b.scales, 2 * g + h);
  }
}

void unpack(const BlockQ2_K& b, WeightBlock* out) {
  const float d = f16_to_f32(b.d), dmin = f16_to_f32(b.dmin);
  for (int g = 0; g < 8; ++g) {
    two_bits(b.qs, g, out[g].codes);
    out[g].d = d;
    out[g].m = -dmin;
    for (int h = 0; h < 2; ++h) {
      out[g].scale[h] = b.scales[2 * g + h] & 15;
      out[g].minimum[h] = b.scales[2 * g + h] >> 4;
    }
  }
}

void unpack(const BlockIQ4_XS& b, WeightBlock* out) {
  const float d = f16_to_f32(b.d);
  for (int g = 0; g < 8; ++g) {
    out[g].d = d * static_cast<float>(iq4_xs_scale(b, g));
    nibbles(b.qs + 16 * g, out[g].codes);
    look_up(kIQ4Values, out[g].codes);
  }
}

template <class Block>
void unpack_all(const std::byte* row, int64_t k, WeightBlock* out) {
  constexpr int64_t kElements = sizeof(Block) > 64 ? 256 : 32;
  for (int64_t i = 0; i < k; i += kElements, row += sizeof(Block), out += kElements / 32) {
    Block block;
    std::memcpy(&block, row, sizeof block);
    unpack(block, out);
  }
}

}  // namespace

Step step_of(DType dtype) {
  switch (dtype) {
    case DType::q4_1:
    case DType::q5_1:
    case DType::q4_K:
    case DType::q5_K: return Step::with_minimum;
    case DType::q3_K:
    case DType::q6_K: return Step::halves;
    case DType::q2_K: return Step::halves_with_minimum;
    default: return Step::scaled;
  }
}

void unpack_row(DType dtype, const std::byte* row, int64_t k, WeightBlock* blocks) {
  switch (dtype) {
    case DType::q4_0: return unpack_all<BlockQ4_0>(row, k, blocks);
    case DType::q4_1: return unpack_all<BlockQ4_1>(row, k, blocks);
    case DType::q5_0: return unpack_all<BlockQ5_0>(row, k, blocks);
    case DType::q5_1: return unpack_all<BlockQ5_1>(row, k, blocks);
    case DType::q8_0: return unpack_all<BlockQ8_0>(row, k, blocks);
    case DType::q2_K: return unpack_all<BlockQ2_K>(row, k, blocks);
    case DType::q3_K: return unpack_all<BlockQ3_K>(row, k, blocks);
    case DType::q4_K: return unpack_all<BlockQ4_K>(row, k, blocks);
    case DType::q5_K: return unpack_all<BlockQ5_K>(row, k, blocks);
    case DType::q6_K: return unpack_all<BlockQ6_K>(row, k, blocks);
    case DType::iq4_nl: return unpack_all<BlockIQ4_NL>(row, k, blocks);
    case DType::iq4_xs: return unpack_all<BlockIQ4_XS>(row, k, blocks);
    case DType::mxfp4: return unpack_all<BlockMXFP4>(row, k, blocks);
    case DType::f32:
    case DType::f16:
    case DType::bf16:
    case DType::i32:
    case DType::i64: assert(false && "only block formats have blocks");
  }
}

}  // namespace tenon::reference
