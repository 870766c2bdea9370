// Upper, lower and title case.
#include "letters.hpp"
#include "unicode.hpp"

#include <algorithm>

namespace tenon::jinja {
namespace {

constexpr char32_t kCapitalSigma = 0x3A3;

/// Whether the capital sigma at `at` ends a word: then it is written as the final small one.
bool ends_word(Budget& budget, std::string_view s, size_t at) {
  const auto is_skipped = [&](size_t i) { return (properties(character_at(s, i)) & kCaseIgnorable) != 0; };
  size_t i = at, j = at + character_size(s[at]);
  bool found = false;
  while (i > 0 && !found) {
    i = before(s, i);
    found = !is_skipped(i);
  }
  if (!found || (properties(character_at(s, i)) & kCased) == 0) {
    budget.work(at - i);
    return false;
  }
  while (j < s.size() && is_skipped(j)) j += character_size(s[j]);
  budget.work(j - i);
  return j >= s.size() || (properties(character_at(s, j)) & kCased) == 0;
}

/// `choose(character, offset)` gives the case of each character, or none to leave it.
template <class F>
Text changed(Budget& budget, const Text& text, F&& choose) {
  TextBuilder out(&budget);
  const std::string_view s = text.bytes();
  budget.work(4 * s.size());
  std::string part;
  auto run = text.runs().begin();
  for (size_t i = 0; i < s.size();) {
    const char32_t c = character_at(s, i);
    const std::optional<Case> to = choose(c, i);
    if (to == Case::lower && c == kCapitalSigma)
      part += ends_word(budget, s, i) ? "\xCF\x82" : "\xCF\x83";
    else if (to)
      append_cased(c, *to, part);
    else
      part += s.substr(i, character_size(s[i]));
    i += character_size(s[i]);
    // Characters lie whole in runs unless a run was cut inside of one, which no operation does.
    if (i >= run->end || part.size() >= 4096) {
      out.append(part, run->trusted);
      part.clear();
      while (run != text.runs().end() && run->end <= i) ++run;
    }
  }
  return out.finish(text.is_markup());
}

bool is_word_start(char32_t c) {
  return (properties(c) & kSpace) != 0 || c == '-' || c == '(' || c == '{' || c == '[' || c == '<';
}

}  // namespace

Text upper(Budget& budget, const Text& text) {
  return changed(budget, text, [](char32_t, size_t) { return std::optional(Case::upper); });
}

Text lower(Budget& budget, const Text& text) {
  return changed(budget, text, [](char32_t, size_t) { return std::optional(Case::lower); });
}

Text swap_case(Budget& budget, const Text& text) {
  return changed(budget, text, [](char32_t c, size_t) -> std::optional<Case> {
    const uint16_t p = properties(c);
    if ((p & kUpper) != 0) return Case::lower;
    if ((p & kLower) != 0) return Case::upper;
    return {};
  });
}

Text capitalize(Budget& budget, const Text& text) {
  return changed(budget, text, [](char32_t, size_t at) { return std::optional(at == 0 ? Case::title : Case::lower); });
}

Text title(Budget& budget, const Text& text) {
  bool after_letter = false;
  return changed(budget, text, [&](char32_t c, size_t) {
    const Case to = after_letter ? Case::lower : Case::title;
    after_letter = (properties(c) & kCased) != 0;
    return std::optional(to);
  });
}

Text title_words(Budget& budget, const Text& text) {
  bool at_start = true;
  return changed(budget, text, [&](char32_t c, size_t) {
    const Case to = at_start ? Case::upper : Case::lower;
    at_start = is_word_start(c);
    return std::optional(to);
  });
}

std::optional<bool> is_of(Budget& budget, const Text& text, std::string_view method) {
  const std::string_view s = text.bytes();
  budget.work(4 * s.size());
  const auto all = [&](uint16_t bits) {
    for (size_t i = 0; i < s.size(); i += character_size(s[i])) {
      if ((properties(character_at(s, i)) & bits) == 0) return false;
    }
    return !s.empty();
  };
  /// Has `some` and none of `no`.
  const auto only = [&](uint16_t some, uint16_t no) {
    bool found = false;
    for (size_t i = 0; i < s.size(); i += character_size(s[i])) {
      const uint16_t p = properties(character_at(s, i));
      if ((p & no) != 0) return false;
      found = found || (p & some) != 0;
    }
    return found;
  };
  if (method == "isupper") return only(kUpper, kLower | kTitle);
  if (method == "islower") return only(kLower, kUpper | kTitle);
  if (method == "isspace") return all(kSpace);
  if (method == "isalpha") return all(kAlpha);
  if (method == "isalnum") return all(kAlphanumeric);
  if (method == "isdecimal") return all(kDecimal);
  if (method == "isdigit") return all(kDigit);
  if (method == "isnumeric") return all(kNumeric);
  if (method == "isprintable") return s.empty() || all(kPrintable);
  if (method == "isascii") return std::ranges::all_of(s, [](char c) { return (c & 0x80) == 0; });
  return {};
}

}  // namespace tenon::jinja
