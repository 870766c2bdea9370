// The values of tokenizer.ggml.pre and what each stands for.
#pragma once

#include "split.hpp"

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

/// All names, separated by ", ".
std::string known_pre_tokenizers();

}  // namespace tenon::bpe
