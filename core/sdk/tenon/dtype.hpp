// Element types and their sizes.
#pragma once

#include <tenon.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tenon {

enum class DType : uint32_t {
  f32 = TENON_F32,
  f16 = TENON_F16,
  bf16 = TENON_BF16,
  i32 = TENON_I32,
  i64 = TENON_I64,
  q4_0 = TENON_Q4_0,
  q4_1 = TENON_Q4_1,
  q5_0 = TENON_Q5_0,
  q5_1 = TENON_Q5_1,
  q8_0 = TENON_Q8_0,
  q2_K = TENON_Q2_K,
  q3_K = TENON_Q3_K,
  q4_K = TENON_Q4_K,
  q5_K = TENON_Q5_K,
  q6_K = TENON_Q6_K,
  iq4_nl = TENON_IQ4_NL,
  iq4_xs = TENON_IQ4_XS,
  mxfp4 = TENON_MXFP4,
};

struct DTypeInfo {
  DType dtype;
  std::string_view name;
  int64_t block_elements;  // elements that share a scale; 1 for plain types
  int64_t block_bytes;
};

inline constexpr std::array<DTypeInfo, 18> kDTypes{{
    {DType::f32, "f32", 1, 4},
    {DType::f16, "f16", 1, 2},
    {DType::bf16, "bf16", 1, 2},
    {DType::i32, "i32", 1, 4},
    {DType::i64, "i64", 1, 8},
    {DType::q4_0, "q4_0", 32, 18},
    {DType::q4_1, "q4_1", 32, 20},
    {DType::q5_0, "q5_0", 32, 22},
    {DType::q5_1, "q5_1", 32, 24},
    {DType::q8_0, "q8_0", 32, 34},
    {DType::q2_K, "q2_K", 256, 84},
    {DType::q3_K, "q3_K", 256, 110},
    {DType::q4_K, "q4_K", 256, 144},
    {DType::q5_K, "q5_K", 256, 176},
    {DType::q6_K, "q6_K", 256, 210},
    {DType::iq4_nl, "iq4_nl", 32, 18},
    {DType::iq4_xs, "iq4_xs", 256, 136},
    {DType::mxfp4, "mxfp4", 32, 17},
}};

/// nullptr where the number is no dtype.
constexpr const DTypeInfo* find_dtype(uint32_t number) {
  for (const DTypeInfo& info : kDTypes) {
    if (static_cast<uint32_t>(info.dtype) == number) return &info;
  }
  return nullptr;
}

constexpr const DTypeInfo* find_dtype(std::string_view name) {
  for (const DTypeInfo& info : kDTypes) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

constexpr const DTypeInfo& info_of(DType dtype) { return *find_dtype(static_cast<uint32_t>(dtype)); }

constexpr bool is_quantized(DType dtype) { return info_of(dtype).block_elements > 1; }

/// Bytes of a row; n must be a multiple of the block.
constexpr int64_t row_bytes(DType dtype, int64_t n) {
  const DTypeInfo& info = info_of(dtype);
  return n / info.block_elements * info.block_bytes;
}

/// Elements of all dimensions but the last: the rows of a weight.
constexpr int64_t rows_of(const tenon_tensor& tensor) {
  int64_t rows = 1;
  for (uint32_t i = 0; i + 1 < tensor.rank; ++i) rows *= tensor.dims[i];
  return rows;
}

constexpr int64_t row_width(const tenon_tensor& tensor) { return tensor.rank == 0 ? 0 : tensor.dims[tensor.rank - 1]; }
constexpr bool is_absent(const tenon_tensor& tensor) { return tensor.rank == 0; }

}  // namespace tenon
