// Hashing of short byte strings; for tables whose keys are fixed when a vocabulary is loaded.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace tenon::vocabulary {

constexpr uint64_t kHashFactor = 0x9FB21C651E98DF25;

inline uint64_t load8(const char* p) {
  uint64_t word = 0;
  std::memcpy(&word, p, 8);
  return word;
}

/// Up to 8 bytes as one number, zero-padded.
inline uint64_t load_up_to_8(const char* p, size_t n) {
  uint64_t word = 0;
  std::memcpy(&word, p, n);
  return word;
}

/// The high bits are the good ones.
inline uint64_t hash_short(uint64_t padded, size_t n_bytes) {
  const uint64_t h = (padded + n_bytes) * kHashFactor;
  return (h ^ (h >> 32)) * kHashFactor;
}

/// Of more than 8 bytes.
inline uint64_t hash_long(std::string_view bytes) {
  uint64_t h = bytes.size();
  const char* p = bytes.data();
  const char* last = p + bytes.size() - 8;
  for (; p < last; p += 8) {
    h = (h ^ load8(p)) * kHashFactor;
    h ^= h >> 32;
  }
  h = (h ^ load8(last)) * kHashFactor;
  return (h ^ (h >> 32)) * kHashFactor;
}

inline uint64_t hash_bytes(std::string_view bytes) {
  return bytes.size() <= 8 ? hash_short(load_up_to_8(bytes.data(), bytes.size()), bytes.size()) : hash_long(bytes);
}

}  // namespace tenon::vocabulary
