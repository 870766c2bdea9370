// The words inside of tags: names, numbers, strings and symbols.
#include "lexer.hpp"
#include "unicode.hpp"

#include <array>

namespace tenon::jinja {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_name_part(std::string_view source, size_t at) {
  if (at >= source.size()) return false;
  const char c = source[at];
  if ((c & 0x80) == 0) return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return (properties(character_at(source, at)) & kAlphanumeric) != 0;
}

/// Digits with single underscores between them, without those; empty where there is none.
std::string digits(std::string_view source, size_t& at, std::string_view allowed) {
  std::string out;
  const auto is_allowed = [&](size_t i) {
    return i < source.size() && allowed.find(source[i]) != std::string_view::npos;
  };
  while (is_allowed(at) || (!out.empty() && at < source.size() && source[at] == '_' && is_allowed(at + 1))) {
    if (source[at] != '_') out += source[at];
    ++at;
  }
  return out;
}

constexpr std::string_view kDecimals = "0123456789";

/// 0x1F, 0b11, 0o17: with its prefix; empty where it is none.
std::string prefixed_number(std::string_view source, size_t& at) {
  if (source[at] != '0' || at + 1 >= source.size()) return {};
  const char kind = static_cast<char>(source[at + 1] | 0x20);
  const std::string_view allowed = kind == 'x'   ? "0123456789abcdefABCDEF"
                                   : kind == 'o' ? "01234567"
                                   : kind == 'b' ? "01"
                                                 : "";
  size_t end = at + 2;
  if (end < source.size() && source[end] == '_') ++end;
  const std::string found = allowed.empty() ? "" : digits(source, end, allowed);
  if (found.empty()) return {};
  at = end;
  return std::string("0") + kind + found;
}

/// `after_dot`: in `x.0.1` the digits are two indexes, no number with a fraction.
Token number(std::string_view source, size_t& at, Place place, bool after_dot) {
  if (std::string found = prefixed_number(source, at); !found.empty()) {
    return {Token::Kind::integer, std::move(found), place};
  }
  std::string text = digits(source, at, kDecimals);
  bool real = false;
  if (!after_dot && at + 1 < source.size() && source[at] == '.' && is_digit(source[at + 1])) {
    ++at;
    text += "." + digits(source, at, kDecimals);
    real = true;
  }
  if (!after_dot && at < source.size() && (source[at] | 0x20) == 'e') {
    size_t end = at + 1;
    std::string exponent = "e";
    if (end < source.size() && (source[end] == '+' || source[end] == '-')) exponent += source[end++];
    const std::string found = digits(source, end, kDecimals);
    if (!found.empty()) {
      at = end;
      text += exponent + found;
      real = true;
    }
  }
  return {real ? Token::Kind::real : Token::Kind::integer, std::move(text), place};
}

/// The code of \xHH, \uHHHH and \UHHHHHHHH, or of up to three octal digits.
char32_t coded(std::string_view source, size_t& at, size_t n, int base, Place place) {
  char32_t code = 0;
  size_t taken = 0;
  for (; taken < n && at < source.size(); ++taken, ++at) {
    const char c = source[at];
    const char small = static_cast<char>(c | 0x20);
    const int digit = is_digit(c) ? c - '0' : small >= 'a' && small <= 'f' ? small - 'a' + 10 : 99;
    if (digit >= base) break;
    code = code * static_cast<char32_t>(base) + static_cast<char32_t>(digit);
  }
  const bool is_character = code <= 0x10FFFF && !(code >= 0xD800 && code < 0xE000);
  if ((base == 16 && taken < n) || !is_character) throw SyntaxError{place, "a string has a '\\' code of no character"};
  return code;
}

/// `at` stands behind the backslash.
void escaped(std::string_view source, size_t& at, Place place, std::string& out) {
  const char c = source[at++];
  constexpr std::string_view kLetters = "ntrabfv\\'\"\n";
  constexpr std::array<std::string_view, 11> kMeanings = {"\n", "\t", "\r", "\a", "\b", "\f",
                                                          "\v", "\\", "'",  "\"", ""};
  if (const size_t which = kLetters.find(c); which != std::string_view::npos) {
    out += kMeanings[which];
  } else if (c == 'x' || c == 'u' || c == 'U') {
    append_utf8(coded(source, at, c == 'x' ? 2 : c == 'u' ? 4 : 8, 16, place), out);
  } else if (c >= '0' && c <= '7') {
    append_utf8(coded(source, --at, 3, 8, place), out);
  } else {
    (out += '\\') += c;
  }
}

Token string(std::string_view source, size_t& at, Place place) {
  const char quote = source[at++];
  std::string text;
  while (at < source.size() && source[at] != quote) {
    if (source[at] == '\\' && at + 1 < source.size())
      escaped(source, ++at, place, text);
    else
      text += source[at++];
  }
  if (at >= source.size()) throw SyntaxError{place, "a string is not closed"};
  ++at;
  return {Token::Kind::string, std::move(text), place};
}

}  // namespace

Token take_word(std::string_view source, size_t& at, Place place) {
  const char c = source[at];
  if (c == '\'' || c == '"') return string(source, at, place);
  if (is_digit(c)) return number(source, at, place, at > 0 && source[at - 1] == '.');
  if (is_name_part(source, at)) {
    const size_t first = at;
    while (is_name_part(source, at)) at += character_size(source[at]);
    return {Token::Kind::name, std::string(source.substr(first, at - first)), place};
  }
  size_t n = 1;
  for (const std::string_view two : {"==", "!=", "<=", ">=", "//", "**"}) {
    if (source.substr(at).starts_with(two)) n = 2;
  }
  if (n == 1 && std::string_view("+-*/%~|.,:;()[]{}=<>").find(c) == std::string_view::npos) {
    throw SyntaxError{place,
                      "unexpected character '" + std::string(source.substr(at, character_size(c))) + "' in a tag"};
  }
  const size_t first = at;
  at += n;
  return {Token::Kind::symbol, std::string(source.substr(first, n)), place};
}

}  // namespace tenon::jinja
