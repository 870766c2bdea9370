// The tokens of a model: bytes, types, the ids with a meaning; read from metadata and checked.
#pragma once

#include "pre_tokenizers.hpp"

#include <tenon/meta.hpp>
#include <vocabulary/special_ids.hpp>
#include <vocabulary/token_list.hpp>
#include <vocabulary/token_table.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace tenon::bpe {

using vocabulary::kModelKey;
using vocabulary::kTokensKey;
using vocabulary::TokenTable;

constexpr std::string_view kPreKey = "tokenizer.ggml.pre";
/// In place of it where a file spells out how a text is cut; kIgnoreMergesKey then says what the name would.
constexpr std::string_view kPreStepsKey = "tokenizer.pre_tokenizer";
constexpr std::string_view kIgnoreMergesKey = "tokenizer.ignore_merges";
constexpr std::string_view kMergesKey = "tokenizer.ggml.merges";

/// Ids and ranks are packed into 21 and 22 bits: see pair_table.hpp.
constexpr uint64_t kMaxTokens = uint64_t{1} << 21;
constexpr uint64_t kMaxMerges = (uint64_t{1} << 22) - 1;

class Vocabulary {
 public:
  /// TENON_INVALID with the key, what it holds and what was expected.
  static Result<Vocabulary> read(const Meta& meta);

  int32_t size() const { return static_cast<int32_t>(types_.size()); }
  bool contains(int32_t id) const { return id >= 0 && id < size(); }

  /// The raw bytes of a token; a control token's name.
  std::string_view bytes(int32_t id) const { return tokens_.bytes(id); }
  int32_t type(int32_t id) const { return types_[static_cast<size_t>(id)]; }

  /// The id of the token with these bytes, or -1. Of several, a normal token comes first, then the lowest id.
  int32_t find(std::string_view bytes) const { return tokens_.find(bytes); }

  TokenTable& tokens() { return tokens_; }
  const TokenTable& tokens() const { return tokens_; }

  const tenon_vocab_info& info() const { return special_.info; }
  const PreTokenizer& pre_tokenizer() const { return pre_; }
  /// Ids that end a turn or a text: eos, eot and eom of the metadata, and control tokens with a well-known name.
  const std::vector<int32_t>& stop_ids() const { return special_.stop_ids; }

 private:
  Result<void> read_pre_tokenizer(const Meta& meta);
  Result<void> read_tokens(const Meta& meta);
  Result<void> read_special_ids(const Meta& meta);
  void index_tokens();

  TokenTable tokens_;
  std::vector<uint8_t> types_;
  vocabulary::SpecialIds special_;
  PreTokenizer pre_{};
};

}  // namespace tenon::bpe
