// One GGUF file, read and checked up to its tensor data. A model is one or several of them.
#pragma once

#include "tensors.hpp"
#include "values.hpp"

#include <string>
#include <vector>

namespace tenon::gguf {

struct Shard {
  File file;
  std::vector<KeyValue> values;
  std::vector<TensorEntry> tensors;
  uint64_t data_start;  // tensor offsets count from here
};

/// Texts and arrays go into `arena`, which must outlive the shard. Errors do not name the path.
Result<Shard> read_shard(const std::string& path, Arena& arena);

}  // namespace tenon::gguf
