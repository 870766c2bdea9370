#include "text_forms.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "utf8.hpp"

namespace tenon {
namespace {

template <size_t N>
bool is_one_of(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, text) != words.end();
}

constexpr std::array<std::string_view, 3> kTrue{"true", "True", "TRUE"};
constexpr std::array<std::string_view, 3> kFalse{"false", "False", "FALSE"};
constexpr std::array<std::string_view, 5> kNull{"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 6> kInfinity{".inf", ".Inf", ".INF", "inf", "Inf", "INF"};
constexpr std::array<std::string_view, 6> kNan{".nan", ".NaN", ".NAN", "nan", "NaN", "NAN"};

bool take_sign(std::string_view& text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  return negative;
}

/// [digits][.digits][e[sign]digits] with at least one digit before the exponent: narrower than from_chars.
bool is_decimal(std::string_view text) {
  const auto digits = [&text] {
    size_t n = 0;
    while (n < text.size() && text[n] >= '0' && text[n] <= '9') ++n;
    text.remove_prefix(n);
    return n;
  };
  size_t n = digits();
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    n += digits();
  }
  if (n == 0) return false;
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    take_sign(text);
    if (digits() == 0) return false;
  }
  return text.empty();
}

}  // namespace

IntegerText parse_integer(std::string_view text) {
  IntegerText result;
  result.negative = take_sign(text);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0o")) {
    base = text[1] == 'x' ? 16 : 8;
    text.remove_prefix(2);
  }
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, result.magnitude, base);
  result.valid = error != std::errc::invalid_argument && stop == end;
  result.overflow = error == std::errc::result_out_of_range;
  return result;
}

NumberText parse_number(std::string_view text) {
  if (is_one_of(text, kNan)) return {true, false, std::numeric_limits<double>::quiet_NaN()};
  if (const IntegerText integer = parse_integer(text); integer.valid && !integer.overflow) {
    const double value = static_cast<double>(integer.magnitude);
    return {true, false, integer.negative ? -value : value};
  }
  const bool negative = take_sign(text);
  double value = std::numeric_limits<double>::infinity();
  bool out_of_range = false;
  if (!is_one_of(text, kInfinity)) {
    if (!is_decimal(text)) return {};
    out_of_range = std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc::result_out_of_range;
  }
  return {true, out_of_range, negative ? -value : value};
}

bool is_true(std::string_view text) { return is_one_of(text, kTrue); }
bool is_boolean(std::string_view text) { return is_true(text) || is_one_of(text, kFalse); }

bool fits_tag(std::string_view text, std::string_view kind) {
  if (kind == "null") return is_one_of(text, kNull);
  if (kind == "bool") return is_boolean(text);
  if (kind == "int") return parse_integer(text).valid;
  if (kind == "float") return parse_number(text).valid;
  return true;
}

std::string in_quotes(std::string_view text) {
  constexpr size_t kShownBytes = 60;
  std::string shown = "'";
  for (size_t i = 0; i < text.size();) {
    if (i >= kShownBytes) {
      shown += "...";
      break;
    }
    const Character c = character_at(text, i);
    const bool printable = c.valid && is_printable(c.code) && c.code >= ' ';
    shown += printable ? text.substr(i, c.n_bytes) : std::string_view("\uFFFD");
    i += c.n_bytes;
  }
  return shown + "'";
}

}  // namespace tenon
