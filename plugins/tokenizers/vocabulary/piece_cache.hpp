// The ids of short pieces that were merged before in the same text: most texts repeat their rarer words.
#pragma once

#include "hash.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace tenon::vocabulary {

/// One slot a hash, the newest piece stays. 48 KB, which fits the second-level cache next to what is hot of the tables.
class PieceCache {
 public:
  static constexpr size_t kMaxBytes = 16;
  static constexpr size_t kMinText = 2048;  // shorter texts repeat too little to pay for an empty cache

  struct Entry {
    uint64_t low = 0, high = 0;  // the bytes, zero-padded
    std::array<int32_t, 7> ids{};
    uint16_t n_bytes = 0;  // 0: empty
    uint16_t n_ids = 0;

    std::span<const int32_t> result() const { return std::span(ids).first(n_ids); }
  };

  /// The ids of a piece of 1 to kMaxBytes bytes; nullptr where they are not there. `slot` is for keep().
  const Entry* find(std::string_view piece, Entry& key, size_t& slot) const {
    const size_t n = piece.size();
    key.low = load_up_to_8(piece.data(), std::min<size_t>(n, 8));
    key.high = n > 8 ? load_up_to_8(piece.data() + 8, n - 8) : 0;
    key.n_bytes = static_cast<uint16_t>(n);
    slot = hash_short(key.low ^ (key.high * kHashFactor), n) >> (64 - kSlotBits);
    const Entry& entry = entries_[slot];
    return entry.low == key.low && entry.high == key.high && entry.n_bytes == n ? &entry : nullptr;
  }

  /// Results of more than seven ids are not kept.
  void keep(Entry& key, size_t slot, std::span<const int32_t> ids) {
    if (ids.size() > key.ids.size()) return;
    std::ranges::copy(ids, key.ids.begin());
    key.n_ids = static_cast<uint16_t>(ids.size());
    entries_[slot] = key;
  }

 private:
  static constexpr int kSlotBits = 10;
  std::array<Entry, size_t{1} << kSlotBits> entries_{};
};

}  // namespace tenon::vocabulary
