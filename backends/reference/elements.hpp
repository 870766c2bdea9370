// Single elements of activations of f32, f16 or bf16.
#pragma once

#include <tenon/convert.hpp>
#include <tenon/dtype.hpp>

#include <cstdint>

namespace tenon::reference {

inline float load_element(DType dtype, const void* data, int64_t i) {
  if (dtype == DType::f32) return static_cast<const float*>(data)[i];
  const uint16_t half = static_cast<const uint16_t*>(data)[i];
  return dtype == DType::f16 ? f16_to_f32(half) : bf16_to_f32(half);
}

/// Rounded to nearest even.
inline void store_element(DType dtype, float value, void* data, int64_t i) {
  if (dtype == DType::f32) {
    static_cast<float*>(data)[i] = value;
  } else {
    static_cast<uint16_t*>(data)[i] = dtype == DType::f16 ? f32_to_f16(value) : f32_to_bf16(value);
  }
}

}  // namespace tenon::reference
