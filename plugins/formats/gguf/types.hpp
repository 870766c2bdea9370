// The element types of GGUF tensors: ggml's ids, and which of them have a place in Tenon.
#pragma once

#include <tenon/dtype.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace tenon::gguf {

/// One ggml_type. `dtype` is empty where Tenon has none; `removed`: ggml itself no longer reads it.
struct GgmlType {
  uint32_t id;
  std::string_view name;
  std::optional<DType> dtype;
  bool removed = false;
};

/// nullptr where no ggml_type has this number.
const GgmlType* find_ggml_type(uint32_t id);

/// "F32, F16, ...": the types that can be read.
std::string supported_types();

}  // namespace tenon::gguf
