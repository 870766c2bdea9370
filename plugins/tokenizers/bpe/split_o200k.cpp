#include "scan.hpp"
#include "split.hpp"

namespace tenon::bpe {
namespace {

constexpr ClassSet kUpperPart =
    set_of(CharClass::kUpper, CharClass::kTitle, CharClass::kModifier, CharClass::kLetter, CharClass::kMark);
constexpr ClassSet kLowerPart = set_of(CharClass::kLower, CharClass::kModifier, CharClass::kLetter, CharClass::kMark);
constexpr ClassSet kSymbols = kAll & ~(kSpaces | kLetters | kNumbers);

/// Both ways to read a word at p (p <= end); nullptr: no match.
struct Word {
  const uint8_t* lower;  // upper* lower+
  const uint8_t* upper;  // upper+ lower*, for use where `lower` does not match
};

Word word_at(const uint8_t* p, const uint8_t* end) {
  const uint8_t* q = p;
  const uint8_t* after_both = nullptr;  // behind the last character that may also stand in the lower part
  while (q < end) {
    const Character c = character_at(q, end);
    if (!in(c.cls, kUpperPart)) break;
    q += c.n_bytes;
    if (in(c.cls, kLowerPart)) after_both = q;
  }
  if (q < end && character_at(q, end).cls == CharClass::kLower) return {run<kLowerPart>(q, end), nullptr};
  return {after_both, q > p ? q : nullptr};
}

template <int kMaxDigits, bool kContractions>
struct O200k {
  static const uint8_t* next(const uint8_t* p, const uint8_t* end) {
    const Character c = character_at(p, end);
    const uint8_t* q = p + c.n_bytes;
    if (in(c.cls, kNumbers)) return at_most<kNumbers, kMaxDigits - 1>(q, end);
    if (in(c.cls, kLetters)) {
      const Word word = word_at(p, end);
      return suffix(word.lower != nullptr ? word.lower : word.upper, end);
    }
    if (c.cls != CharClass::kNewline) {
      const Word prefixed = word_at(q, end);
      if (prefixed.lower != nullptr) return suffix(prefixed.lower, end);
      // A mark may begin a word itself; read so, it always matches as a lower part.
      if (c.cls == CharClass::kMark) return suffix(word_at(p, end).lower, end);
      if (prefixed.upper != nullptr) return suffix(prefixed.upper, end);
    }
    if (in(c.cls, kSymbols)) return symbols(q, end);
    if (*p == ' ' && q < end) {
      const Character after = character_at(q, end);
      if (in(after.cls, kSymbols)) return symbols(q + after.n_bytes, end);
    }
    return whitespace<true, 0>(p, end);
  }

 private:
  static const uint8_t* suffix(const uint8_t* p, const uint8_t* end) {
    return kContractions ? p + contraction_any_case(p, end) : p;
  }

  static const uint8_t* symbols(const uint8_t* p, const uint8_t* end) {
    p = run<kSymbols>(p, end);
    while (p < end && (*p == '\r' || *p == '\n' || *p == '/')) ++p;
    return p;
  }
};

}  // namespace

size_t split_o200k(std::string_view text, size_t begin, std::span<size_t> ends) {
  return split_all<O200k<3, true>>(text, begin, ends);
}

size_t split_tekken(std::string_view text, size_t begin, std::span<size_t> ends) {
  return split_all<O200k<1, false>>(text, begin, ends);
}

}  // namespace tenon::bpe
