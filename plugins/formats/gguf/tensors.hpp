// The tensor list of a GGUF file, and where each tensor must lie.
#pragma once

#include "cursor.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace tenon::gguf {

/// Tensor names have fewer bytes than this (ggml's GGML_MAX_NAME).
inline constexpr uint64_t kMaxNameBytes = 64;

struct TensorEntry {
  std::string_view name;  // belongs to the arena
  tenon_tensor tensor;    // slowest dimension first: dims[rank - 1] is ggml's ne[0]
  uint64_t bytes;
  uint64_t offset;  // from the start of the file's tensor data
};

/// Reads `count` entries and checks each by itself: name, dimensions, type, whole blocks, sizes without overflow.
Result<std::vector<TensorEntry>> read_tensors(Cursor& cursor, uint64_t count, Arena& arena);

/// Checks the entries against each other and the file: in order, each at the aligned end of the one before, all inside
/// the file, nothing after the last but zero padding. `header_bytes`: end of the tensor list. Returns where the tensor
/// data starts.
Result<uint64_t> check_layout(std::span<const TensorEntry> tensors, uint64_t header_bytes, uint64_t alignment,
                              const File& file);

}  // namespace tenon::gguf
