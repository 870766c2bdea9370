// A loaded byte-level BPE vocabulary.
#pragma once

#include "merger.hpp"

#include <tenon/tokenizer.hpp>
#include <vocabulary/added_tokens.hpp>

#include <memory>

namespace tenon::bpe {

struct Work;

/// Bytes that are no UTF-8 count as one symbol each in the split and are merged like any others, so that every text is
/// encoded, and decodes to the same bytes where the vocabulary has all 256 bytes. Bytes that it lacks are left out, as
/// in the tokenizers package; no unknown token stands for them.
class BpeTokenizer final : public Tokenizer {
 public:
  static Result<std::unique_ptr<Tokenizer>> create(const Meta& meta);
  BpeTokenizer(Vocabulary vocabulary, PairTable pairs);

  tenon_vocab_info info() const override { return vocabulary_.info(); }
  std::span<const int32_t> stop_ids() const override { return vocabulary_.stop_ids(); }
  Result<void> encode(std::string_view text, std::span<const tenon_range> special_ranges,
                      const tenon_sink& ids) const override;
  Result<void> token_bytes(int32_t id, uint64_t position, bool with_special, const tenon_sink& text) const override;
  int32_t token_type(int32_t id) const override;
  int32_t find(std::string_view text) const override { return vocabulary_.find(text); }

 private:
  void mark_direct_tokens();
  void encode_plain(std::string_view text, Work& work) const;
  void merge(std::string_view piece, Work& work) const;

  Vocabulary vocabulary_;
  Merger merger_;
  vocabulary::AddedTokens added_;
};

}  // namespace tenon::bpe
