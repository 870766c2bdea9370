// Merging by score: while any two neighbours make a piece, join those whose piece has the highest score, the leftmost
// of equals. (SentencePiece's BPE; Kudo and Richardson, 2018.)
#pragma once

#include "vocabulary.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace tenon::spm {

/// Bytes of the symbol that starts here: what the first byte says of a UTF-8 character, or what is left of the text.
/// Of bytes that are no UTF-8, each that cannot start a character is a symbol of its own.
size_t symbol_bytes(std::string_view rest);

class Merger {
 public:
  struct Symbol {
    uint32_t begin;
    uint32_t next, previous;   // symbols; kNone at the ends
    int32_t id;                // of the piece that this symbol is; -1: not known to be one
    Vocabulary::Piece joined;  // with the next symbol
  };
  /// Space that is kept from one text to the next. One a thread.
  struct Scratch {
    std::vector<Symbol> symbols;
    std::vector<uint64_t> queue;  // rank << 32 | symbol
    std::vector<int32_t> ids;
  };

  explicit Merger(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  /// Any length below 4 GiB, in n log n. Spaces are U+2581 already. The ids are scratch.ids.
  void merge(std::string_view text, Scratch& scratch) const;

 private:
  void take_symbols(std::string_view text, Scratch& scratch) const;
  void join(std::string_view text, Scratch& scratch) const;
  void look_up(std::string_view text, uint32_t at, std::vector<Symbol>& symbols) const;
  void write(std::string_view symbol, int32_t id, std::vector<int32_t>& ids) const;

  const Vocabulary& vocabulary_;
};

}  // namespace tenon::spm
