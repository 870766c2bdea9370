#include "numbers.hpp"

#include "unicode.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace tenon::jinja {
namespace {

[[noreturn]] void out_of_range() { throw RenderError("a number of the template is beyond 64 bits", true); }

struct Quotient {
  double floor, rest;
};

/// Python's float // and %: the rest has the sign of the divisor.
Quotient divided(double x, double y) {
  double rest = std::fmod(x, y), quotient = (x - rest) / y;
  if (rest != 0 && (y < 0) != (rest < 0)) {
    rest += y;
    quotient -= 1;
  } else if (rest == 0) {
    rest = std::copysign(0.0, y);
  }
  if (quotient == 0) return {std::copysign(0.0, x / y), rest};
  double floor = std::floor(quotient);
  if (quotient - floor > 0.5) floor += 1;
  return {floor, rest};
}

int64_t integer_power(int64_t base, int64_t exponent) {
  int64_t result = 1;
  if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
  if (base == -1) return exponent % 2 == 0 ? 1 : -1;
  for (; exponent > 0; --exponent) {  // at most 63 rounds until the result overflows
    if (__builtin_mul_overflow(result, base, &result)) out_of_range();
  }
  return result;
}

Value integers(std::string_view op, int64_t a, int64_t b) {
  int64_t result = 0;
  bool wraps = false;
  if (op == "+") {
    wraps = __builtin_add_overflow(a, b, &result);
  } else if (op == "-") {
    wraps = __builtin_sub_overflow(a, b, &result);
  } else if (op == "*") {
    wraps = __builtin_mul_overflow(a, b, &result);
  } else if (op == "**") {
    result = integer_power(a, b);
  } else if (b == -1) {  // the one divisor that overflows
    if (op == "//") wraps = __builtin_sub_overflow(int64_t{0}, a, &result);
  } else {
    const int64_t rest = a % b;
    const bool below = rest != 0 && (rest < 0) != (b < 0);
    result = op == "//" ? a / b - (below ? 1 : 0) : rest + (below ? b : 0);
  }
  if (wraps) out_of_range();
  return Value(result);
}

double reals(std::string_view op, double x, double y) {
  if (op == "+") return x + y;
  if (op == "-") return x - y;
  if (op == "*") return x * y;
  if (op == "/") return x / y;
  if (op == "//") return divided(x, y).floor;
  if (op == "%") return divided(x, y).rest;
  if (x < 0 && std::floor(y) != y && std::isfinite(y)) {
    throw RenderError("a negative number to a broken power is no real number");
  }
  const double power = std::pow(x, y);
  if (std::isinf(power) && std::isfinite(x) && std::isfinite(y)) out_of_range();
  return power;
}

Value numbers(std::string_view op, const Value& a, const Value& b) {
  const bool divides = op == "/" || op == "//" || op == "%";
  if (divides && real_of(b) == 0) throw RenderError("division by zero");
  const bool whole_power = op == "**" && b.is_integer() && integer_of(b) >= 0;
  if (op == "**" && real_of(a) == 0 && real_of(b) < 0) throw RenderError("division by zero");
  if (a.is_integer() && b.is_integer() && op != "/" && (op != "**" || whole_power)) {
    return integers(op, integer_of(a), integer_of(b));
  }
  return Value(reals(op, real_of(a), real_of(b)));
}

Value repeated(Budget& budget, const Value& value, int64_t times) {
  if (const Text* text = value.text()) {
    // Ends what is far too large before it is made.
    if (times > 0) const Charge charge(&budget, text->empty() ? 0 : static_cast<size_t>(times));
    TextBuilder out(&budget);
    for (int64_t i = 0; i < times && !text->empty(); ++i) out.append(*text);
    return Value(out.finish(text->is_markup()));
  }
  const List& list = *value.list();
  ListMaker out(&budget);
  for (int64_t i = 0; i < times && !list.items.empty(); ++i) {
    for (const Value& item : list.items) out.add(item);
  }
  return out.finish(list.kind);
}

Value chained(Budget& budget, const List& a, const List& b) {
  ListMaker out(&budget);
  for (const List* list : {&a, &b}) {
    for (const Value& item : list->items) out.add(item);
  }
  return out.finish(a.is_tuple() ? List::Kind::tuple : List::Kind::list);
}

bool can_chain(const Value& value) {
  return value.list() != nullptr && (value.list()->is_tuple() || value.list()->kind == List::Kind::list);
}

std::string_view stripped(std::string_view text) {
  while (!text.empty() && (properties(character_at(text, 0)) & kSpace) != 0)
    text.remove_prefix(character_size(text[0]));
  while (!text.empty()) {
    const size_t last = before(text, text.size());
    if ((properties(character_at(text, last)) & kSpace) == 0) break;
    text = text.substr(0, last);
  }
  return text;
}

/// Takes out the underscores; false where one stands elsewhere than between two digits.
bool without_underscores(std::string_view text, std::string& out) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      out += text[i];
      continue;
    }
    const auto is_word = [&](size_t at) {
      return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at]));
    };
    if (i == 0 || !is_word(i - 1) || !is_word(i + 1)) return false;
  }
  return true;
}

}  // namespace

int64_t integer_of(const Value& value) {
  if (const bool* b = value.as<bool>()) return *b ? 1 : 0;
  return *value.as<int64_t>();
}

double real_of(const Value& value) {
  const double* d = value.as<double>();
  return d != nullptr ? *d : static_cast<double>(integer_of(value));
}

Value calculate(Budget& budget, std::string_view op, const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return numbers(op, a, b);
  if (op == "+" && a.text() != nullptr && b.text() != nullptr) return Value(joined(budget, *a.text(), *b.text()));
  if (op == "+" && can_chain(a) && can_chain(b) && a.list()->is_tuple() == b.list()->is_tuple()) {
    return chained(budget, *a.list(), *b.list());
  }
  const auto repeats = [](const Value& v) { return v.text() != nullptr || can_chain(v); };
  if (op == "*" && repeats(a) && b.is_integer()) return repeated(budget, a, integer_of(b));
  if (op == "*" && repeats(b) && a.is_integer()) return repeated(budget, b, integer_of(a));
  throw RenderError(fmt::format("'{}' of {} and {}", op, type_name(a), type_name(b)));
}

Value negative(const Value& value) {
  if (!value.is_number()) throw RenderError(fmt::format("'-' of {}", type_name(value)));
  if (value.is_integer()) return integers("-", 0, integer_of(value));
  return Value(-real_of(value));
}

Value absolute(const Value& value) {
  if (!value.is_number()) throw RenderError(fmt::format("abs of {}", type_name(value)));
  if (value.is_integer()) return integer_of(value) < 0 ? negative(value) : Value(integer_of(value));
  return Value(std::fabs(real_of(value)));
}

std::optional<int64_t> parse_integer(std::string_view text, int base) {
  std::string digits;
  text = stripped(text);
  const bool minus = text.starts_with('-');
  if (minus || text.starts_with('+')) text.remove_prefix(1);
  const auto prefixed = [&](std::string_view prefix) {
    return text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == prefix[0];
  };
  if ((base == 16 && prefixed("x")) || (base == 8 && prefixed("o")) || (base == 2 && prefixed("b")))
    text.remove_prefix(2);
  if (!without_underscores(text, digits) || digits.empty() || digits.starts_with('-')) return {};
  int64_t value = 0;
  if (minus) digits.insert(0, "-");
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (end != digits.data() + digits.size()) return {};
  if (error == std::errc::result_out_of_range) out_of_range();
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

std::optional<double> parse_real(std::string_view text) {
  std::string digits;
  text = stripped(text);
  const bool minus = text.starts_with('-');
  if (minus || text.starts_with('+')) text.remove_prefix(1);
  if (!without_underscores(text, digits) || digits.empty() || digits.starts_with('-')) return {};
  if (digits.find('(') != std::string::npos) return {};  // nan(...), which Python does not read
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size() || error == std::errc::invalid_argument) return {};
  if (error == std::errc::result_out_of_range) {
    // Too large or too small: the exponent's sign tells which.
    const size_t e = digits.find_first_of("eE");
    const bool small = e == std::string::npos ? digits.starts_with('0') || digits.starts_with('.')
                                              : digits.find('-', e) != std::string::npos;
    value = small ? 0 : HUGE_VAL;
  }
  return minus ? -value : value;
}

int64_t truncated(double value) {
  if (std::isnan(value)) throw RenderError("nan is no integer");
  if (!(std::fabs(value) < 9223372036854775808.0)) out_of_range();
  return static_cast<int64_t>(value);
}

double rounded(double value, int64_t digits) {
  if (!std::isfinite(value) || digits > 330) return value;
  if (digits < -330) return std::copysign(0.0, value);
  if (digits >= 0) return *parse_real(fmt::format("{:.{}f}", value, static_cast<int>(digits)));
  const double scale = std::pow(10.0, static_cast<double>(-digits));
  return std::nearbyint(value / scale) * scale;
}

std::string real_text(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".einf") == std::string::npos) text += ".0";
  return text;
}

}  // namespace tenon::jinja
