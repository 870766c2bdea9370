#include "scan.hpp"
#include "split.hpp"

namespace tenon::bpe {
namespace {

/// The second pass makes stretches of its characters (kKanaHan) and stretches of others; the third works within each.
/// Characters of the other sort are then of class kBeyond.
template <bool kKanaHan>
struct Reader {
  static constexpr bool kPlainAscii = !kKanaHan;

  static Character at(const uint8_t* p, const uint8_t* end) {
    Character c = character_at(p, end);
    if (is_kana_or_han(c.code_point) != kKanaHan) c.cls = CharClass::kBeyond;
    return c;
  }

  static bool is_kana_or_han(uint32_t code) {
    return (code >= 0x4E00 && code <= 0x9FA5) || (code >= 0x3040 && code <= 0x30FF);
  }
};

constexpr ClassSet kPunctuation = set_of(CharClass::kPunctuation, CharClass::kSymbol);
constexpr ClassSet kWord = kLetters | kMarks;
constexpr ClassSet kUnmatched = set_of(CharClass::kOther, CharClass::kNewNumber);

template <class Reader>
const uint8_t* symbols(const uint8_t* p, const uint8_t* end) {
  return run<kNewlines, Reader>(run<kPunctuation, Reader>(p, end), end);
}

/// On from a character that no alternative matches, up to one that starts a match.
template <class Reader>
const uint8_t* unmatched(const uint8_t* p, const uint8_t* end) {
  while (p < end) {
    const Character c = Reader::at(p, end);
    const uint8_t* q = p + c.n_bytes;
    if (!in(c.cls, kUnmatched) || (q < end && in(Reader::at(q, end).cls, kWord))) break;
    p = q;
  }
  return p;
}

template <class Reader>
const uint8_t* third_pass(const uint8_t* p, const uint8_t* end) {
  const Character c = Reader::at(p, end);
  const uint8_t* q = p + c.n_bytes;
  if (in(c.cls, kWord)) return run<kWord, Reader>(q, end);
  if (q < end) {
    const Character after = Reader::at(q, end);
    if (in(c.cls, kPunctuation)) {
      if (*p < 0x80 && after.code_point < 0x80 && in(after.cls, kLetters)) return skip_ascii_letters(q, end);
    } else if (c.cls != CharClass::kNewline && in(after.cls, kWord)) {
      return run<kWord, Reader>(q, end);
    }
    if (*p == ' ' && in(after.cls, kPunctuation)) return symbols<Reader>(q, end);
  }
  if (in(c.cls, kPunctuation)) return symbols<Reader>(q, end);
  if (in(c.cls, kSpaces)) return whitespace<true, kNumbers | set_of(CharClass::kBeyond), Reader>(p, end);
  return unmatched<Reader>(q, end);
}

struct DeepseekV3 {
  static const uint8_t* next(const uint8_t* p, const uint8_t* end) {
    const Character c = character_at(p, end);
    if (in(c.cls, kNumbers)) return at_most<kNumbers, 2>(p + c.n_bytes, end);
    const bool inside = Reader<true>::is_kana_or_han(c.code_point);
    return inside ? third_pass<Reader<true>>(p, end) : third_pass<Reader<false>>(p, end);
  }
};

}  // namespace

size_t split_deepseek_v3(std::string_view text, size_t begin, std::span<size_t> ends) {
  return split_all<DeepseekV3>(text, begin, ends);
}

}  // namespace tenon::bpe
