#include "scan.hpp"
#include "split.hpp"

namespace tenon::bpe {
namespace {

/// kWord: what words are made of. kMaxDigits: of a number. kTakesNewlines: symbols take the newlines behind them.
template <ClassSet kWord, int kMaxDigits, bool kTakesNewlines>
struct Cl100k {
  static constexpr ClassSet kSymbols = kAll & ~(kSpaces | kWord | kNumbers);

  static const uint8_t* next(const uint8_t* p, const uint8_t* end) {
    if (const size_t n = contraction_any_case(p, end); n != 0) return p + n;
    const Character c = character_at(p, end);
    const uint8_t* q = p + c.n_bytes;
    if (in(c.cls, kWord)) return run<kWord>(q, end);
    if (in(c.cls, kNumbers)) return at_most<kNumbers, kMaxDigits - 1>(q, end);
    if (c.cls != CharClass::kNewline && q < end) {
      const Character after = character_at(q, end);
      if (in(after.cls, kWord)) return run<kWord>(q + after.n_bytes, end);
      if (*p == ' ' && in(after.cls, kSymbols)) return symbols(q + after.n_bytes, end);
    }
    if (in(c.cls, kSymbols)) return symbols(q, end);
    return whitespace<true, 0>(p, end);
  }

 private:
  static const uint8_t* symbols(const uint8_t* p, const uint8_t* end) {
    p = run<kSymbols>(p, end);
    return kTakesNewlines ? run<kNewlines>(p, end) : p;
  }
};

}  // namespace

size_t split_cl100k(std::string_view text, size_t begin, std::span<size_t> ends) {
  return split_all<Cl100k<kLetters, 3, true>>(text, begin, ends);
}

size_t split_qwen2(std::string_view text, size_t begin, std::span<size_t> ends) {
  return split_all<Cl100k<kLetters, 1, true>>(text, begin, ends);
}

size_t split_qwen35(std::string_view text, size_t begin, std::span<size_t> ends) {
  return split_all<Cl100k<kLetters | kMarks, 1, true>>(text, begin, ends);
}

size_t split_seed_coder(std::string_view text, size_t begin, std::span<size_t> ends) {
  return split_all<Cl100k<kLetters, 1, false>>(text, begin, ends);
}

}  // namespace tenon::bpe
