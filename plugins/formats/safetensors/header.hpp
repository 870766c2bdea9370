// The header of one safetensors file: names, types, shapes and places, checked against each other and the file's size.
// Format: 8 bytes length of the header, the header (JSON, may end in spaces), tensor data without holes.
#pragma once

#include "json.hpp"

#include <files/file.hpp>

namespace tenon::safetensors {

/// How many bytes an element takes, and the dtype that stands for it; U8 has none, and pairs of it become MXFP4.
struct ElementType {
  std::string_view name;
  uint64_t bytes;
  int32_t dtype;  // TENON_*, or -1
};
const ElementType* find_element_type(std::string_view name);

struct Entry {
  std::string name;
  const ElementType* type;
  std::vector<uint64_t> shape;
  uint64_t begin, end;  // in the file
};

/// In the order of the data. Errors do not name the path.
Result<std::vector<Entry>> read_header(const formats::File& file);

}  // namespace tenon::safetensors
