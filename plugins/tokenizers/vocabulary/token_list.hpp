// The lists of tokenizer.ggml: tokens as the file writes them, and their types.
#pragma once

#include <tenon/meta.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace tenon::vocabulary {

constexpr std::string_view kModelKey = "tokenizer.ggml.model";
constexpr std::string_view kTokensKey = "tokenizer.ggml.tokens";
constexpr std::string_view kTypesKey = "tokenizer.ggml.token_type";

/// The array of strings, with 1 to `most` of them; TENON_INVALID with the key otherwise.
Result<tenon_value> read_tokens(const Meta& meta, uint64_t most);

/// TENON_TOKEN_*, one a token; all normal where the metadata has none.
Result<std::vector<uint8_t>> read_types(const Meta& meta, size_t n_tokens);

}  // namespace tenon::vocabulary
