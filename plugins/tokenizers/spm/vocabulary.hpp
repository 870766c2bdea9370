// The tokens of a model with a SentencePiece vocabulary: pieces, their order by score, bytes, the ids with a meaning.
#pragma once

#include <tenon/meta.hpp>
#include <vocabulary/special_ids.hpp>
#include <vocabulary/token_list.hpp>
#include <vocabulary/token_table.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tenon::spm {

constexpr std::string_view kScoresKey = "tokenizer.ggml.scores";

/// A space of the text, as pieces hold it: U+2581.
constexpr std::string_view kSpace = "\xE2\x96\x81";

constexpr uint64_t kMaxTokens = uint64_t{1} << 24;

class Vocabulary {
 public:
  /// A place in the order of scores, highest first; pieces of one score share it.
  static constexpr uint32_t kNoRank = UINT32_MAX;

  struct Piece {
    int32_t id = -1;
    uint32_t rank = kNoRank;
  };

  /// TENON_INVALID with the key, what it holds and what was expected.
  static Result<Vocabulary> read(const Meta& meta);

  int32_t size() const { return static_cast<int32_t>(types_.size()); }
  bool contains(int32_t id) const { return id >= 0 && id < size(); }
  /// As the file writes it: U+2581 for a space, "<0x41>" for a byte, the name of a control token.
  std::string_view written(int32_t id) const { return tokens_.bytes(id); }
  int32_t type(int32_t id) const { return types_[static_cast<size_t>(id)]; }
  /// The value of a token of type byte.
  char byte_of(int32_t id) const;

  /// The piece that merging may give and that is written so. Control, unknown and byte tokens are none.
  Piece find_piece(std::string_view written) const {
    const int32_t id = tokens_.find(written);
    if (id < 0 || ranks_[static_cast<size_t>(id)] == kNoRank) return {};
    return {id, ranks_[static_cast<size_t>(id)]};
  }
  /// Any token that is written so, or -1.
  int32_t find_written(std::string_view written) const { return tokens_.find(written); }

  /// What stands for a byte of a character that is no piece: its byte token, the byte itself, or the unknown token.
  int32_t byte_id(char byte) const { return byte_ids_[static_cast<uint8_t>(byte)]; }
  /// Whether a piece has U+2581 right behind this byte. Where none has, no merge joins the two.
  bool joins_space(char byte) const { return joins_space_[static_cast<uint8_t>(byte)]; }

  /// Whether a text gets a space in front, at its begin and behind every control token.
  bool adds_space() const { return adds_space_; }
  const tenon_vocab_info& info() const { return special_.info; }
  const std::vector<int32_t>& stop_ids() const { return special_.stop_ids; }

 private:
  Result<void> read_tokens(const Meta& meta);
  Result<void> read_ranks(const Meta& meta);
  Result<void> read_special_ids(const Meta& meta);
  Result<void> index_tokens();
  Result<void> index_bytes();
  void note_spaces(std::string_view piece);

  vocabulary::TokenTable tokens_;
  std::vector<uint8_t> types_;
  std::vector<uint32_t> ranks_;
  std::array<int32_t, 256> byte_ids_{};
  std::array<bool, 256> joins_space_{};
  vocabulary::SpecialIds special_;
  bool adds_space_ = true;
};

}  // namespace tenon::spm
