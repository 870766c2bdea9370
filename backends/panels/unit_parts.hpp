// The pieces of which units are made: scales, and the codes of 32 elements of one output. Element e is in vector e / 4,
// byte 4 lane + e % 4. Included by the files that pack.
#pragma once

#include <tenon/blocks.hpp>
#include <tenon/convert.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tenon::panels {

template <class Block>
inline Block block_at(const std::byte* source) {
  Block block;
  std::memcpy(&block, source, sizeof block);
  return block;
}

inline void put_f16(uint8_t* at, int lane, f16_bits value) { std::memcpy(at + 2 * lane, &value, 2); }
inline float get_f16(const uint8_t* at, int lane) {
  f16_bits value;
  std::memcpy(&value, at + 2 * lane, 2);
  return f16_to_f32(value);
}

inline int64_t byte_of(int lane, int e) { return 4 * lane + e % 4; }

/// 128 bytes: vector v holds elements of vectors v (low nibbles) and v + 4 (high nibbles).
inline void put_nibbles(uint8_t* at, int lane, const uint8_t (&codes)[32]) {
  for (int e = 0; e < 16; ++e) {
    at[32 * (e / 4) + byte_of(lane, e)] = static_cast<uint8_t>((codes[e] & 15) | (codes[e + 16] & 15) << 4);
  }
}
inline void get_nibbles(const uint8_t* at, int lane, uint8_t (&codes)[32]) {
  for (int e = 0; e < 16; ++e) {
    const uint8_t byte = at[32 * (e / 4) + byte_of(lane, e)];
    codes[e] = byte & 15;
    codes[e + 16] = byte >> 4;
  }
}

/// Bit kPlace of the codes in 32 bytes: bit v belongs to vector v.
template <int kPlace>
void put_bit(uint8_t* at, int lane, const uint8_t (&codes)[32]) {
  for (int e = 0; e < 32; ++e) {
    at[byte_of(lane, e)] = static_cast<uint8_t>(at[byte_of(lane, e)] | ((codes[e] >> kPlace) & 1) << (e / 4));
  }
}
template <int kPlace>
void add_bit(const uint8_t* at, int lane, uint8_t (&codes)[32]) {
  for (int e = 0; e < 32; ++e) {
    codes[e] = static_cast<uint8_t>(codes[e] | ((at[byte_of(lane, e)] >> (e / 4)) & 1) << kPlace);
  }
}

/// Bits kPlace and kPlace + 1 of the codes in 64 bytes: vector i holds those of vectors 4 i + c at bits 2 c.
template <int kPlace>
void put_two_bits(uint8_t* at, int lane, const uint8_t (&codes)[32]) {
  for (int e = 0; e < 32; ++e) {
    uint8_t& byte = at[32 * (e / 16) + byte_of(lane, e)];
    byte = static_cast<uint8_t>(byte | ((codes[e] >> kPlace) & 3) << (2 * (e / 4 % 4)));
  }
}
template <int kPlace>
void add_two_bits(const uint8_t* at, int lane, uint8_t (&codes)[32]) {
  for (int e = 0; e < 32; ++e) {
    const uint8_t byte = at[32 * (e / 16) + byte_of(lane, e)];
    codes[e] = static_cast<uint8_t>(codes[e] | ((byte >> (2 * (e / 4 % 4))) & 3) << kPlace);
  }
}

inline void split_nibbles(const uint8_t (&qs)[16], uint8_t (&codes)[32]) {
  for (int j = 0; j < 16; ++j) {
    codes[j] = qs[j] & 15;
    codes[j + 16] = qs[j] >> 4;
  }
}

}  // namespace tenon::panels
