// The bytes of all tokens, by id and the other way round.
#pragma once

#include "hash.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::vocabulary {

class TokenTable {
 public:
  void reserve(size_t n_tokens);
  /// Gives the next id.
  void append(std::string_view bytes);
  /// After the last append, before find: makes tokens findable. Of equal tokens the one that was inserted first counts.
  void start_index();
  void insert(int32_t id);
  /// The piece with this token's bytes is encoded as this token. The token must have been inserted and be the one that
  /// counts.
  void mark_direct(int32_t id);

  std::string_view bytes(int32_t id) const {
    const auto i = static_cast<size_t>(id);
    return {bytes_.data() + offsets_[i], offsets_[i + 1] - offsets_[i]};
  }

  /// The id, or -1.
  int32_t find(std::string_view bytes) const;

  /// The id of a direct token, or -1. Bytes of the text behind the piece may be read, up to readable_end.
  int32_t find_direct(std::string_view piece, const char* readable_end) const {
    const size_t n = piece.size();
    if (n > 8) return find_direct_long(piece);
    uint64_t padded = 0;
    if (readable_end - piece.data() >= 8) {
      padded = load8(piece.data()) & (~uint64_t{0} >> (64 - 8 * n));
    } else {
      padded = load_up_to_8(piece.data(), n);
    }
    for (size_t slot = hash_short(padded, n) >> shift_;; slot = (slot + 1) & mask_) {
      const Entry& entry = entries_[slot];
      if (entry.key == padded && entry.n_bytes == n) return entry.direct_id();
      if (entry.id < 0) return -1;
    }
  }

 private:
  struct Entry {
    uint64_t key = 0;  // up to 8 bytes: themselves, zero-padded; more: their hash
    int32_t id = -1;   // -1: empty
    uint32_t n_bytes : 31 = 0;
    uint32_t is_direct : 1 = 0;
    int32_t direct_id() const { return is_direct != 0 ? id : -1; }
  };

  /// The slot that holds these bytes or would hold them.
  size_t slot_of(std::string_view bytes) const;
  int32_t find_direct_long(std::string_view piece) const;

  std::string bytes_;
  std::vector<size_t> offsets_ = {0};
  std::vector<Entry> entries_;  // open addressing, at most half full
  size_t mask_ = 0;
  size_t max_bytes_ = 0;  // of a token
  int shift_ = 0;
};

}  // namespace tenon::vocabulary
