// Byte pair encoding of one piece: while any two neighbours merge, merge the pair of lowest rank, the leftmost of
// equals.
#pragma once

#include "pair_table.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tenon::bpe {

class Merger {
 public:
  /// Space for long pieces, kept from one to the next. One a thread.
  struct Scratch {
    std::vector<int32_t> ids;
    std::vector<uint32_t> ranks;  // of the pair (i, i + 1)
    std::vector<uint32_t> next, previous;
    std::vector<uint64_t> queue;
  };
  static constexpr size_t kMaxShort = 32;

  Merger(const Vocabulary& vocabulary, PairTable pairs);

  /// Up to kMaxShort bytes, in quadratic time; returns the number of ids. Bytes without a token of their own are left
  /// out, as the tokenizers package does.
  size_t merge_short(std::string_view piece, std::array<int32_t, kMaxShort>& ids) const;

  /// Any length below 4 GiB, in n log n. The ids are scratch.ids.
  void merge_long(std::string_view piece, Scratch& scratch) const;

 private:
  void sweep(uint32_t rank, Scratch& scratch) const;
  void merge_by_queue(Scratch& scratch) const;

  std::array<int32_t, 256> byte_ids_{};  // -1: the vocabulary has no such byte
  PairTable pairs_;
};

}  // namespace tenon::bpe
