#include "token_table.hpp"

#include <algorithm>
#include <bit>

namespace tenon::vocabulary {

void TokenTable::reserve(size_t n_tokens) {
  offsets_.reserve(n_tokens + 1);
  bytes_.reserve(n_tokens * 8);
}

void TokenTable::append(std::string_view bytes) {
  bytes_ += bytes;
  offsets_.push_back(bytes_.size());
  max_bytes_ = std::max(max_bytes_, bytes.size());
}

void TokenTable::start_index() {
  const size_t slots = std::bit_ceil(offsets_.size() * 2);
  entries_.assign(slots, Entry{});
  mask_ = slots - 1;
  shift_ = 64 - std::countr_zero(slots);
}

size_t TokenTable::slot_of(std::string_view text) const {
  const size_t n = text.size();
  const uint64_t padded = n <= 8 ? load_up_to_8(text.data(), n) : 0;
  const uint64_t hash = n <= 8 ? hash_short(padded, n) : hash_long(text);
  const uint64_t key = n <= 8 ? padded : hash;
  for (size_t slot = hash >> shift_;; slot = (slot + 1) & mask_) {
    const Entry& entry = entries_[slot];
    if (entry.id < 0) return slot;
    if (entry.key == key && entry.n_bytes == n && (n <= 8 || bytes(entry.id) == text)) return slot;
  }
}

void TokenTable::insert(int32_t id) {
  const std::string_view text = bytes(id);
  Entry& entry = entries_[slot_of(text)];
  if (entry.id >= 0) return;
  entry.key = text.size() <= 8 ? load_up_to_8(text.data(), text.size()) : hash_long(text);
  entry.id = id;
  entry.n_bytes = static_cast<uint32_t>(text.size() & 0x7FFFFFFF);
}

void TokenTable::mark_direct(int32_t id) { entries_[slot_of(bytes(id))].is_direct = 1; }

int32_t TokenTable::find(std::string_view text) const {
  return text.size() > max_bytes_ ? -1 : entries_[slot_of(text)].id;
}

int32_t TokenTable::find_direct_long(std::string_view piece) const {
  return piece.size() > max_bytes_ ? -1 : entries_[slot_of(piece)].direct_id();
}

}  // namespace tenon::vocabulary
