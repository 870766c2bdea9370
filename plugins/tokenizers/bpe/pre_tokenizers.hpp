// The values of tokenizer.ggml.pre and what each stands for, and the same from the steps that a file spells out.
#pragma once

#include "split.hpp"

#include <span>
#include <string>
#include <string_view>

namespace tenon::bpe {

struct PreTokenizer {
  std::string_view name;
  SplitFunction split;
  bool ignore_merges;  // a piece that is a token is that token, whatever the merges say
  bool add_bos;        // where tokenizer.ggml.add_bos_token is absent
};

/// nullptr where the name is not known.
const PreTokenizer* find_pre_tokenizer(std::string_view name);

/// The way to cut that these steps spell out (values of tokenizer.pre_tokenizer: "digits", "split PATTERN",
/// "byte_level" which has gpt2's pattern, "bytes" which has none); nullptr where no way here does the same.
SplitFunction find_split(std::span<const std::string> steps);

/// All names, separated by ", ".
std::string known_pre_tokenizers();

}  // namespace tenon::bpe
