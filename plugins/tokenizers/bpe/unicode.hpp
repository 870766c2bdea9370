// Classes of characters as the split patterns see them (\p{L}, \s, ...), and reading them from bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tenon::bpe {

/// General categories of Unicode 16.0, folded. kSpace: \s without \r and \n. kNewNumber: \p{N} only since Unicode 17.0.
/// The values are those in unicode_tables.cpp.
enum class CharClass : uint8_t {
  kOther,
  kUpper,
  kLower,
  kTitle,
  kModifier,
  kLetter,
  kMark,
  kNumber,
  kPunctuation,
  kSymbol,
  kSpace,
  kNewline,
  kNewNumber,
  kBeyond  // only where a reader sets it: behind the end of what the pattern sees
};

/// A set of classes, one bit each.
using ClassSet = uint32_t;

template <class... Classes>
constexpr ClassSet set_of(Classes... classes) {
  return ((ClassSet{1} << static_cast<unsigned>(classes)) | ...);
}

constexpr ClassSet kLetters = set_of(CharClass::kUpper, CharClass::kLower, CharClass::kTitle, CharClass::kModifier,
                                     CharClass::kLetter);                     // \p{L}
constexpr ClassSet kMarks = set_of(CharClass::kMark);                         // \p{M}
constexpr ClassSet kNumbers = set_of(CharClass::kNumber);                     // \p{N}
constexpr ClassSet kNewlines = set_of(CharClass::kNewline);                   // [\r\n]
constexpr ClassSet kSpaces = set_of(CharClass::kSpace, CharClass::kNewline);  // \s
constexpr ClassSet kAll = ~ClassSet{0};

constexpr bool in(CharClass c, ClassSet set) { return ((set >> static_cast<unsigned>(c)) & 1U) != 0; }

constexpr size_t kClassBlock = 128;
constexpr size_t kClassBlocks = 254;
extern const std::array<uint8_t, 0x110000 / kClassBlock> kClassIndex;
extern const std::array<std::array<uint8_t, kClassBlock>, kClassBlocks> kClassTable;

inline CharClass class_of(uint32_t code_point) {
  return static_cast<CharClass>(kClassTable[kClassIndex[code_point / kClassBlock]][code_point % kClassBlock]);
}

/// One character of a text. Where the bytes are not UTF-8, one byte: `code_point` kInvalid, class kOther.
struct Character {
  uint32_t code_point;
  CharClass cls;
  uint8_t n_bytes;
};
constexpr uint32_t kInvalid = 0xFFFFFFFF;

/// The character at `p`, which starts with a byte from 0x80 on. p < end.
inline Character multibyte_at(const uint8_t* p, const uint8_t* end) {
  const auto tail = [&](ptrdiff_t i) -> uint32_t { return p[i] ^ 0x80U; };  // below 0x40 where it is a tail byte
  const uint32_t lead = *p;
  const ptrdiff_t left = end - p;
  if (lead >= 0xC2 && lead < 0xE0 && left >= 2 && tail(1) < 0x40) {
    const uint32_t code = (lead & 0x1F) << 6 | tail(1);
    return {code, class_of(code), 2};
  }
  if (lead >= 0xE0 && lead < 0xF0 && left >= 3 && (tail(1) | tail(2)) < 0x40) {
    const uint32_t code = (lead & 0x0F) << 12 | tail(1) << 6 | tail(2);
    if (code >= 0x800 && (code < 0xD800 || code > 0xDFFF)) return {code, class_of(code), 3};
  }
  if (lead >= 0xF0 && lead < 0xF5 && left >= 4 && (tail(1) | tail(2) | tail(3)) < 0x40) {
    const uint32_t code = (lead & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3);
    if (code >= 0x10000 && code < 0x110000) return {code, class_of(code), 4};
  }
  return {kInvalid, CharClass::kOther, 1};
}

/// The character at `p`. p < end.
inline Character character_at(const uint8_t* p, const uint8_t* end) {
  if (*p < 0x80) return {*p, static_cast<CharClass>(kClassTable[0][*p]), 1};
  return multibyte_at(p, end);
}

}  // namespace tenon::bpe
