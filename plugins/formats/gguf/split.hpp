// Models in several files: NAME-00001-of-00003.gguf ... with the keys split.no (from 0), split.count and
// split.tensors.count, as llama.cpp's gguf-split writes them.
#pragma once

#include "values.hpp"

#include <span>
#include <string>
#include <string_view>

namespace tenon::gguf {

struct Split {
  uint64_t number = 0;     // of this file, from 0
  uint64_t count = 1;      // files of the model
  uint64_t n_tensors = 0;  // of the whole model; 0: not said
};

/// A file without the keys is the only one of its model.
Result<Split> split_of(std::span<const KeyValue> values);

/// The path of file `number` of the model that `path` belongs to. Errors: the name of `path` is not that of file
/// `split.number` of `split.count`.
Result<std::string> shard_path(std::string_view path, const Split& split, uint64_t number);

/// The last component.
std::string_view file_name(std::string_view path);

}  // namespace tenon::gguf
