// The two kinds of tokenizer.json that have a form in tokenizer.ggml.
#pragma once

#include "tokenizer_tokens.hpp"
#include "values.hpp"

namespace tenon::safetensors {

enum class Kind {
  bytes,   // BPE over bytes, a text cut before it is merged
  pieces,  // BPE over characters, with bytes for what the vocabulary lacks, as SentencePiece has it
  other
};
/// Of a model that is BPE.
Kind kind_of(const Json& root, const Json& model);

/// Each adds its model's name, tokens, types and order of merges. Errors: a normalizer that would change texts
/// otherwise.
Result<void> add_bytes(const Json& root, const Json& model, const Tokens& tokens,
                       const std::vector<std::string>& merges, Values& values);
/// Pieces have a score each in place of merges: of the first merge that makes it.
Result<void> add_pieces(const Json& root, const Json& model, const Tokens& tokens,
                        const std::vector<std::string>& merges, Values& values);

}  // namespace tenon::safetensors
