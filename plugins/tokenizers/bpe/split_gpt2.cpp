#include "scan.hpp"
#include "split.hpp"

namespace tenon::bpe {
namespace {

/// kDigits: what is cut out before, as pieces of one character; empty for the plain pattern.
template <ClassSet kDigits>
struct Gpt2 {
  static constexpr ClassSet kSymbols = kAll & ~(kSpaces | kLetters | kNumbers | kDigits);

  static const uint8_t* next(const uint8_t* p, const uint8_t* end) {
    if (const size_t n = contraction(p, end); n != 0) return p + n;
    Character c = character_at(p, end);
    if (in(c.cls, kDigits)) return p + c.n_bytes;
    const uint8_t* q = p;
    if (*p == ' ' && end - p > 1) {
      const Character after = character_at(p + 1, end);
      if (!in(after.cls, kSpaces | kDigits)) {
        c = after;
        ++q;
      }
    }
    if (in(c.cls, kSpaces)) return whitespace<false, kDigits>(p, end);
    q += c.n_bytes;
    if (in(c.cls, kLetters)) return run<kLetters>(q, end);
    if (in(c.cls, kNumbers)) return run<kNumbers>(q, end);
    return run<kSymbols>(q, end);
  }
};

}  // namespace

size_t split_gpt2(std::string_view text, size_t begin, std::span<size_t> ends) {
  return split_all<Gpt2<0>>(text, begin, ends);
}

size_t split_digits_gpt2(std::string_view text, size_t begin, std::span<size_t> ends) {
  return split_all<Gpt2<kNumbers | set_of(CharClass::kNewNumber)>>(text, begin, ends);
}

}  // namespace tenon::bpe
