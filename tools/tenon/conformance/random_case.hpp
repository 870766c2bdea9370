// Random weights in every format and random activations, for comparing two kernels. The bytes of a block are random,
// its scales positive or negative and such that no value is far above 1, as weights are.
#pragma once

#include <conformance/op_case.hpp>
#include <tenon/convert.hpp>

#include <cstring>
#include <vector>

namespace tenon::conformance {

/// A linear congruential generator (Knuth's MMIX constants): the same numbers everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 2 + 1) {}
  uint32_t bits() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state_ >> 32);
  }
  /// In [-1, 1).
  float uniform() { return static_cast<float>(static_cast<int32_t>(bits())) * 0x1p-31f; }

 private:
  uint64_t state_;
};

/// Places of f16 scales in a block; e8m0 bytes of mxfp4 are handled apart.
inline std::vector<size_t> scale_offsets(DType dtype) {
  switch (dtype) {
    case DType::q4_0:
    case DType::q5_0:
    case DType::q8_0:
    case DType::iq4_nl:
    case DType::iq4_xs: return {0};
    case DType::q4_1:
    case DType::q5_1:
    case DType::q4_K:
    case DType::q5_K: return {0, 2};
    case DType::q2_K: return {80, 82};
    case DType::q3_K: return {108};
    case DType::q6_K: return {208};
    default: return {};
  }
}

/// The largest value of a block whose scales are 1, about.
inline float largest_code(DType dtype) {
  switch (dtype) {
    case DType::q8_0:
    case DType::iq4_nl: return 127;
    case DType::q2_K: return 45;
    case DType::q3_K: return 128;
    case DType::q4_K: return 945;
    case DType::q5_K: return 1953;
    case DType::q6_K: return 4096;
    case DType::iq4_xs: return 4064;
    default: return 16;
  }
}

inline Weight random_weight(Random& random, DType dtype, const std::vector<int64_t>& dims) {
  const tenon_tensor tensor = tensor_of(dtype, dims);
  const DTypeInfo& info = info_of(dtype);
  std::vector<std::byte> bytes(static_cast<size_t>(rows_of(tensor) * row_bytes(dtype, row_width(tensor))));
  const auto put = [&](size_t at, auto value) { std::memcpy(bytes.data() + at, &value, sizeof value); };
  const auto block_bytes = static_cast<size_t>(info.block_bytes);
  for (size_t at = 0; at < bytes.size(); at += block_bytes) {
    if (dtype == DType::f32) {
      put(at, random.uniform());
    } else if (dtype == DType::f16) {
      put(at, f32_to_f16(random.uniform()));
    } else if (dtype == DType::bf16) {
      put(at, f32_to_bf16(random.uniform()));
    } else {
      for (size_t i = 0; i < block_bytes; ++i) bytes[at + i] = static_cast<std::byte>(random.bits() & 255);
      for (const size_t offset : scale_offsets(dtype))
        put(at + offset, f32_to_f16(random.uniform() / largest_code(dtype)));
      if (dtype == DType::mxfp4) put(at, static_cast<uint8_t>(118 + random.bits() % 8));
    }
  }
  return {tensor, bytes};
}

inline Weight random_vector(Random& random, int64_t n) { return random_weight(random, DType::f32, {n}); }

inline Rows random_rows(Random& random, int64_t n, int64_t width, float scale = 2.0f) {
  Rows rows = Rows::zeros(n, width);
  for (float& value : rows.values) value = random.uniform() * scale;
  return rows;
}

}  // namespace tenon::conformance
