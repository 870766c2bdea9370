// The tokens and merges of tokenizer.json.
#pragma once

#include "json.hpp"

#include <unordered_map>

namespace tenon::safetensors {

constexpr const char* kFile = "tokenizer.json";
inline Error wrong(std::string what) { return invalid(std::string(kFile) + ": " + what); }

/// Ids of `model.vocab` and `added_tokens`, with the type of each (TENON_TOKEN_*).
struct Tokens {
  std::vector<std::string> texts;
  std::vector<int64_t> types;
  std::unordered_map<std::string_view, int64_t> ids;  // views of the JSON's texts, which must outlive this

  int64_t find(std::string_view text) const {
    const auto it = ids.find(text);
    return it == ids.end() ? -1 : it->second;
  }
};

/// Errors: an id that is none, or that two tokens have.
Result<Tokens> read_tokens(const Json& root, const Json& model);

/// "left right" each, in their order.
Result<std::vector<std::string>> read_merges(const Json& model);

}  // namespace tenon::safetensors
