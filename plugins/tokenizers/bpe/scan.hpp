// What the splitters are made of: runs of a class, whitespace, contractions. All take p < end unless they say else.
#pragma once

#include "unicode.hpp"

#include <bit>
#include <cstring>
#include <span>
#include <string_view>

namespace tenon::bpe {

static_assert(std::endian::native == std::endian::little, "the first byte of a text is the lowest of a word");

/// The first byte from p on that is no ASCII letter; p <= end. Eight bytes a step.
inline const uint8_t* skip_ascii_letters(const uint8_t* p, const uint8_t* end) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  constexpr uint64_t kHigh = 0x80 * kOnes;
  while (end - p >= 8) {
    uint64_t word = 0;
    std::memcpy(&word, p, 8);
    const uint64_t folded = (word | 0x20 * kOnes) & ~kHigh;
    const uint64_t from_a = folded + (0x80 - 'a') * kOnes;
    const uint64_t above_z = folded + (0x80 - 'z' - 1) * kOnes;
    const uint64_t others = ~(from_a & ~above_z & ~word) & kHigh;
    if (others != 0) return p + std::countr_zero(others) / 8;
    p += 8;
  }
  while (p < end && static_cast<uint8_t>((*p | 0x20) - 'a') < 26) ++p;
  return p;
}

/// How a pattern reads characters; another reader may give some of them another class. kPlainAscii: not to ASCII
/// letters.
struct PlainReader {
  static constexpr bool kPlainAscii = true;
  static Character at(const uint8_t* p, const uint8_t* end) { return character_at(p, end); }
};

/// The end of the run of characters in kSet that starts at p (empty: p itself). p <= end.
template <ClassSet kSet, class Reader = PlainReader>
const uint8_t* run(const uint8_t* p, const uint8_t* end) {
  while (p < end) {
    if constexpr (Reader::kPlainAscii && (kSet & kLetters) == kLetters) {
      p = skip_ascii_letters(p, end);
      if (p == end) return p;
    }
    const Character c = Reader::at(p, end);
    if (!in(c.cls, kSet)) return p;
    p += c.n_bytes;
  }
  return p;
}

/// The piece of whitespace that starts at p: \s*[\r\n]+ where kNewlinesApart, then \s+(?!\S) and \s+. A character in
/// kBoundary ends the text as far as the pattern can see.
template <bool kNewlinesApart, ClassSet kBoundary, class Reader = PlainReader>
const uint8_t* whitespace(const uint8_t* p, const uint8_t* end) {
  const uint8_t* after_newline = nullptr;
  const uint8_t* last = p;
  const uint8_t* q = p;
  bool at_end = true;
  while (q < end) {
    const Character c = Reader::at(q, end);
    if (!in(c.cls, kSpaces)) {
      at_end = in(c.cls, kBoundary);
      break;
    }
    last = q;
    q += c.n_bytes;
    if (c.cls == CharClass::kNewline) after_newline = q;
  }
  if (kNewlinesApart && after_newline != nullptr) return after_newline;
  return at_end || last == p ? q : last;
}

/// Bytes of 's 't 'm 'd 're 've 'll at p, else 0. p <= end.
inline size_t contraction(const uint8_t* p, const uint8_t* end) {
  if (end - p < 2 || *p != '\'') return 0;
  switch (p[1]) {
    case 's':
    case 't':
    case 'm':
    case 'd': return 2;
    case 'r':
    case 'v': return end - p > 2 && p[2] == 'e' ? 3 : 0;
    case 'l': return end - p > 2 && p[2] == 'l' ? 3 : 0;
    default: return 0;
  }
}

/// The same in any case. The long s (U+017F) is an s in another case.
inline size_t contraction_any_case(const uint8_t* p, const uint8_t* end) {
  if (end - p < 2 || *p != '\'') return 0;
  switch (p[1] | 0x20) {
    case 's':
    case 't':
    case 'm':
    case 'd': return 2;
    case 'r':
    case 'v': return end - p > 2 && (p[2] | 0x20) == 'e' ? 3 : 0;
    case 'l': return end - p > 2 && (p[2] | 0x20) == 'l' ? 3 : 0;
    default: return end - p > 2 && p[1] == 0xC5 && p[2] == 0xBF ? 3 : 0;
  }
}

/// Up to kMax characters of kSet from p on. p <= end.
template <ClassSet kSet, int kMax>
const uint8_t* at_most(const uint8_t* p, const uint8_t* end) {
  for (int i = 0; i < kMax && p < end; ++i) {
    const Character c = character_at(p, end);
    if (!in(c.cls, kSet)) break;
    p += c.n_bytes;
  }
  return p;
}

/// The SplitFunction of a Pattern whose next(p, end) gives the end of the piece at p.
template <class Pattern>
size_t split_all(std::string_view text, size_t begin, std::span<size_t> ends) {
  const auto* first = reinterpret_cast<const uint8_t*>(text.data());
  const uint8_t* end = first + text.size();
  const uint8_t* p = first + begin;
  size_t n = 0;
  while (p < end && n < ends.size()) {
    p = Pattern::next(p, end);
    ends[n++] = static_cast<size_t>(p - first);
  }
  return n;
}

}  // namespace tenon::bpe
