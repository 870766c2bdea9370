// Which two tokens merge into which, and in what order.
#pragma once

#include <vocabulary/hash.hpp>
#include "vocabulary.hpp"

#include <cstdint>
#include <vector>

namespace tenon::bpe {

class PairTable {
 public:
  static constexpr uint32_t kNoMerge = UINT32_MAX;

  /// Reads tokenizer.ggml.merges: "LEFT RIGHT" by rank, each part and the two joined a token of the vocabulary.
  static Result<PairTable> read(const Meta& meta, const Vocabulary& vocabulary);

  /// The rank of the merge of two ids (lower merges first), or kNoMerge.
  uint32_t rank(int32_t left, int32_t right) const {
    const uint64_t pair = key(left, right);
    for (size_t slot = slot_of(pair);; slot = (slot + 1) & mask_) {
      const uint64_t entry = slots_[slot];
      if (entry >> kRankBits == pair) return static_cast<uint32_t>(entry & kRankMask);
      if (entry == kEmpty) return kNoMerge;
    }
  }

  int32_t merged(uint32_t rank) const { return merged_[rank]; }

  /// A token takes part only in merges of a higher rank than those that make it: true of every trained vocabulary.
  bool is_monotone() const { return monotone_; }

 private:
  // An entry: left id in 21 bits, right id in 21, rank in 22. All ones is no entry: its rank is above kMaxMerges.
  static constexpr unsigned kIdBits = 21;
  static constexpr unsigned kRankBits = 22;
  static constexpr uint64_t kRankMask = (uint64_t{1} << kRankBits) - 1;
  static constexpr uint64_t kEmpty = UINT64_MAX;

  static uint64_t key(int32_t left, int32_t right) {
    return uint64_t{static_cast<uint32_t>(left)} << kIdBits | static_cast<uint32_t>(right);
  }
  size_t slot_of(uint64_t pair) const { return static_cast<size_t>(vocabulary::hash_short(pair, 0) >> shift_); }
  void insert(uint64_t pair, uint32_t rank);

  std::vector<uint64_t> slots_;
  std::vector<int32_t> merged_;  // by rank
  size_t mask_ = 0;
  int shift_ = 0;
  bool monotone_ = true;
};

}  // namespace tenon::bpe
