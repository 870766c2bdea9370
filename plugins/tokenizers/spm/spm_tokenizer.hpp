// A loaded SentencePiece vocabulary.
#pragma once

#include "merger.hpp"

#include <tenon/tokenizer.hpp>
#include <vocabulary/added_tokens.hpp>

#include <memory>
#include <string>

namespace tenon::spm {

/// Every text is encoded: characters that are no piece become their bytes. Control tokens are never the result of
/// merges. Where the metadata asks for a space in front (add_space_prefix), a piece of text at the begin or behind an
/// added token gets one, and the first token of a text loses it again when decoded.
class SpmTokenizer final : public Tokenizer {
 public:
  static Result<std::unique_ptr<Tokenizer>> create(const Meta& meta);
  explicit SpmTokenizer(Vocabulary vocabulary);

  tenon_vocab_info info() const override { return vocabulary_.info(); }
  std::span<const int32_t> stop_ids() const override { return vocabulary_.stop_ids(); }
  Result<void> encode(std::string_view text, std::span<const tenon_range> special_ranges,
                      const tenon_sink& ids) const override;
  Result<void> token_bytes(int32_t id, uint64_t position, bool with_special, const tenon_sink& text) const override;
  int32_t token_type(int32_t id) const override;
  int32_t find(std::string_view text) const override;

 private:
  struct Work;
  void encode_plain(std::string_view text, Work& work) const;
  void merge(std::string_view word, Work& work) const;

  Vocabulary vocabulary_;
  Merger merger_;
  vocabulary::AddedTokens added_;
};

}  // namespace tenon::spm
