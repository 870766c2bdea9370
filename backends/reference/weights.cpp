#include "weights.hpp"

#include <tenon/dequantize.hpp>

#include <cmath>

namespace tenon::reference {

void quantize_row(const float* x, int64_t k, ActBlock* blocks) {
  for (int64_t b = 0; b < k / 32; ++b, x += 32) {
    ActBlock& block = blocks[b];
    float amax = 0;
    for (int i = 0; i < 32; ++i) amax = std::fabs(x[i]) > amax ? std::fabs(x[i]) : amax;
    const float inverse = amax == 0 ? 0.0f : 127.0f / amax;
    block.d = amax / 127.0f;
    block.sum16[0] = block.sum16[1] = 0;
    for (int i = 0; i < 32; ++i) {
      block.q[i] = static_cast<int8_t>(std::nearbyint(x[i] * inverse));
      block.sum16[i / 16] += block.q[i];
    }
    block.sum = block.sum16[0] + block.sum16[1];
  }
}

namespace {

template <class Block>
Block read_block(const std::byte* row, int64_t index) {
  Block block;
  std::memcpy(&block, row + index * static_cast<int64_t>(sizeof block), sizeof block);
  return block;
}

WeightBlock scaled(float d) { return {{}, d, 0, {1, 1}, {0, 0}, false, false, false}; }

/// The nibbles of 16 bytes: low ones are elements 0..15, high ones 16..31, each through `code`.
template <class F>
void take_nibbles(const uint8_t* qs, int8_t* codes, F&& code) {
  for (int j = 0; j < 16; ++j) {
    codes[j] = static_cast<int8_t>(code(qs[j] & 15));
    codes[j + 16] = static_cast<int8_t>(code(qs[j] >> 4));
  }
}

constexpr auto kSame = [](int q) { return q; };

template <class Block>
WeightBlock load_k(const Block& b, int g, bool five_bits) {
  const ScaleMin sm = k_scale_min(b.scales, g);
  WeightBlock out = scaled(f16_to_f32(b.d) * static_cast<float>(sm.scale));
  out.has_m = true;
  out.m = -(f16_to_f32(b.dmin) * static_cast<float>(sm.min));
  for (int i = 0; i < 32; ++i) {
    const uint8_t byte = b.qs[32 * (g / 2) + i];
    int q = g % 2 == 0 ? byte & 15 : byte >> 4;
    if constexpr (requires { b.qh; }) {
      if (five_bits) q |= ((b.qh[i] >> g) & 1) << 4;
    }
    out.codes[i] = static_cast<int8_t>(q);
  }
  return out;
}

WeightBlock load_q6_k(const BlockQ6_K& b, int g) {
  WeightBlock out = scaled(f16_to_f32(b.d));
  out.has_sc = true;
  for (int i = 0; i < 32; ++i) out.codes[i] = static_cast<int8_t>(q6_k_code(b, 32 * g + i));
  for (int h = 0; h < 2; ++h) out.sc[h] = b.scales[2 * g + h];
  return out;
}

WeightBlock load_q3_k(const BlockQ3_K& b, int g) {
  WeightBlock out = scaled(f16_to_f32(b.d));
  out.has_sc = true;
  for (int i = 0; i < 32; ++i) {
    const int high = (b.hmask[i] >> g) & 1;
    out.codes[i] = static_cast<int8_t>(two_bit_code(b.qs, 32 * g + i) - (high != 0 ? 0 : 4));
  }
  for (int h = 0; h < 2; ++h) out.sc[h] = q3_k_scale(b.scales, 2 * g + h);
  return out;
}

WeightBlock load_q2_k(const BlockQ2_K& b, int g) {
  WeightBlock out = scaled(f16_to_f32(b.d));
  out.has_sc = out.has_mn = true;
  out.m = -f16_to_f32(b.dmin);
  for (int i = 0; i < 32; ++i) out.codes[i] = static_cast<int8_t>(two_bit_code(b.qs, 32 * g + i));
  for (int h = 0; h < 2; ++h) {
    out.sc[h] = b.scales[2 * g + h] & 15;
    out.mn[h] = b.scales[2 * g + h] >> 4;
  }
  return out;
}

WeightBlock load_iq4_xs(const BlockIQ4_XS& b, int g) {
  WeightBlock out = scaled(f16_to_f32(b.d) * static_cast<float>(iq4_xs_scale(b, g)));
  take_nibbles(b.qs + 16 * g, out.codes, [](int q) { return kIQ4Values[q]; });
  return out;
}

}  // namespace

WeightBlock load_block(DType dtype, const std::byte* row, int64_t b) {
  const int g = static_cast<int>(b % 8);
  switch (dtype) {
    case DType::q4_0: {
      const auto block = read_block<BlockQ4_0>(row, b);
      WeightBlock out = scaled(f16_to_f32(block.d));
      take_nibbles(block.qs, out.codes, [](int q) { return q - 8; });
      return out;
    }
    case DType::q4_1: {
      const auto block = read_block<BlockQ4_1>(row, b);
      WeightBlock out = scaled(f16_to_f32(block.d));
      out.has_m = true;
      out.m = f16_to_f32(block.m);
      take_nibbles(block.qs, out.codes, kSame);
      return out;
    }
    case DType::q5_0: {
      const auto block = read_block<BlockQ5_0>(row, b);
      WeightBlock out = scaled(f16_to_f32(block.d));
      for (int i = 0; i < 32; ++i) out.codes[i] = static_cast<int8_t>(q5_code(block.qh, block.qs, i) - 16);
      return out;
    }
    case DType::q5_1: {
      const auto block = read_block<BlockQ5_1>(row, b);
      WeightBlock out = scaled(f16_to_f32(block.d));
      out.has_m = true;
      out.m = f16_to_f32(block.m);
      for (int i = 0; i < 32; ++i) out.codes[i] = static_cast<int8_t>(q5_code(block.qh, block.qs, i));
      return out;
    }
    case DType::q8_0: {
      const auto block = read_block<BlockQ8_0>(row, b);
      WeightBlock out = scaled(f16_to_f32(block.d));
      std::memcpy(out.codes, block.qs, 32);
      return out;
    }
    case DType::iq4_nl: {
      const auto block = read_block<BlockIQ4_NL>(row, b);
      WeightBlock out = scaled(f16_to_f32(block.d));
      take_nibbles(block.qs, out.codes, [](int q) { return kIQ4Values[q]; });
      return out;
    }
    case DType::mxfp4: {
      const auto block = read_block<BlockMXFP4>(row, b);
      WeightBlock out = scaled(mxfp4_half_scale(block.e));
      take_nibbles(block.qs, out.codes, [](int q) { return kE2M1Doubled[q]; });
      return out;
    }
    case DType::q2_K: return load_q2_k(read_block<BlockQ2_K>(row, b / 8), g);
    case DType::q3_K: return load_q3_k(read_block<BlockQ3_K>(row, b / 8), g);
    case DType::q4_K: return load_k(read_block<BlockQ4_K>(row, b / 8), g, false);
    case DType::q5_K: return load_k(read_block<BlockQ5_K>(row, b / 8), g, true);
    case DType::q6_K: return load_q6_k(read_block<BlockQ6_K>(row, b / 8), g);
    case DType::iq4_xs: return load_iq4_xs(read_block<BlockIQ4_XS>(row, b / 8), g);
    default: return scaled(0);
  }
}

int64_t scratch_bytes(int64_t k) {
  const int64_t blocks = k / 32 * static_cast<int64_t>(sizeof(WeightBlock));
  const int64_t floats = k * static_cast<int64_t>(sizeof(float));
  return ((blocks > floats ? blocks : floats) + 63) / 64 * 64;
}

uint32_t class_for(DType dtype, uint32_t asked) {
  if (dtype == DType::i32 || dtype == DType::i64) return 0;
  if (asked == TENON_CLASS_EXACT64 || asked == TENON_CLASS_F32) return asked;
  if (asked == TENON_CLASS_INT8) return is_quantized(dtype) ? asked : 0;
  if (asked != TENON_CLASS_DEFAULT) return 0;
  return is_quantized(dtype) ? TENON_CLASS_INT8 : TENON_CLASS_F32;
}

namespace {

/// The step of the int8 class for one block: core/README.md's table.
float add_block(float acc, const WeightBlock& w, const ActBlock& x) {
  int32_t low = 0, high = 0;
  for (int i = 0; i < 16; ++i) low += static_cast<int32_t>(w.codes[i]) * x.q[i];
  for (int i = 16; i < 32; ++i) high += static_cast<int32_t>(w.codes[i]) * x.q[i];
  const int32_t isum = w.has_sc ? w.sc[0] * low + w.sc[1] * high : low + high;
  acc = std::fma(w.d * x.d, static_cast<float>(isum), acc);
  if (w.has_m) acc = std::fma(w.m, x.d * static_cast<float>(x.sum), acc);
  if (w.has_mn) acc = std::fma(w.m, x.d * static_cast<float>(w.mn[0] * x.sum16[0] + w.mn[1] * x.sum16[1]), acc);
  return acc;
}

void multiply_int8(const Matrix& matrix, const std::byte* row, const Rows& x, std::byte* scratch, double* out) {
  auto* blocks = reinterpret_cast<WeightBlock*>(scratch);
  const int64_t n_blocks = matrix.k / 32;
  for (int64_t b = 0; b < n_blocks; ++b) blocks[b] = load_block(matrix.dtype, row, b);
  for (int64_t r = 0; r < x.n_rows; ++r) {
    float acc = 0;
    for (int64_t b = 0; b < n_blocks; ++b) acc = add_block(acc, blocks[b], x.quantized[r * n_blocks + b]);
    out[r] = acc;
  }
}

}  // namespace

void multiply_row(const Matrix& matrix, const std::byte* packed, int64_t row, const Rows& x, std::byte* scratch,
                  double* out) {
  const std::byte* bytes = packed + row * matrix.bytes_of_row();
  if (matrix.numeric_class == TENON_CLASS_INT8) return multiply_int8(matrix, bytes, x, scratch, out);
  auto* w = reinterpret_cast<float*>(scratch);
  dequantize_row(matrix.dtype, bytes, w, matrix.k);
  for (int64_t r = 0; r < x.n_rows; ++r) {
    const float* xr = x.x + r * x.ld;
    if (matrix.numeric_class == TENON_CLASS_EXACT64) {
      double acc = 0;
      for (int64_t i = 0; i < matrix.k; ++i) acc += static_cast<double>(xr[i]) * static_cast<double>(w[i]);
      out[r] = acc;
    } else {
      float acc = 0;
      for (int64_t i = 0; i < matrix.k; ++i) acc = std::fma(xr[i], w[i], acc);
      out[r] = acc;
    }
  }
}

}  // namespace tenon::reference
