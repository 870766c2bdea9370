#include "format.hpp"

#include "access.hpp"
#include "letters.hpp"
#include "numbers.hpp"
#include "print.hpp"
#include "unicode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace tenon::jinja {
namespace {

struct Spec {
  std::string fill = " ";
  char align = '\0';  // < > ^ =
  char sign = '-';
  bool alternate = false, grouped = false;
  int64_t width = 0;
  std::optional<int64_t> precision;
  char type = '\0';
};

constexpr int64_t kMostPrecision = 1000;

/// A run of digits at `at`.
std::optional<int64_t> take_count(std::string_view s, size_t& at) {
  size_t end = at;
  while (end < s.size() && std::isdigit(static_cast<unsigned char>(s[end]))) ++end;
  if (end == at) return {};
  int64_t value = 0;
  if (std::from_chars(s.data() + at, s.data() + end, value).ec != std::errc()) {
    throw RenderError("a width in a format is too large", true);
  }
  at = end;
  return value;
}

std::string whole_digits(const Spec& spec, int64_t value) {
  // The magnitude of the lowest integer does not fit into int64_t.
  const uint64_t size = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  switch (spec.type) {
    case 'x': return (spec.alternate ? "0x" : "") + fmt::format("{:x}", size);
    case 'X': return (spec.alternate ? "0X" : "") + fmt::format("{:X}", size);
    case 'o': return (spec.alternate ? "0o" : "") + fmt::format("{:o}", size);
    case 'b': return (spec.alternate ? "0b" : "") + fmt::format("{:b}", size);
    default: return fmt::format("{}", size);
  }
}

std::string real_digits(const Spec& spec, double value) {
  const auto precision = static_cast<int>(spec.precision.value_or(6));
  const double size = std::abs(value);
  switch (spec.type) {
    case 'e': return fmt::format("{:.{}e}", size, precision);
    case 'E': return fmt::format("{:.{}E}", size, precision);
    case 'g': return fmt::format("{:.{}g}", size, precision == 0 ? 1 : precision);
    case 'G': return fmt::format("{:.{}G}", size, precision == 0 ? 1 : precision);
    case '%': return fmt::format("{:.{}f}%", size * 100, precision);
    case '\0': return spec.precision ? fmt::format("{:.{}g}", size, precision) : real_text(size);
    default: return fmt::format("{:.{}f}", size, precision);
  }
}

/// 1234567.5 to 1,234,567.5.
void group(std::string& digits) {
  size_t end = std::min(digits.find_first_of(".e%"), digits.size());
  while (end > 3) digits.insert(end -= 3, ",");
}

Text aligned(Budget& budget, const Spec& spec, const Text& sign, const Text& body, char fallback) {
  const char align = spec.align != '\0' ? spec.align : fallback;
  const auto taken = static_cast<int64_t>(count_characters(sign.bytes()));
  if (align == '=') return joined(budget, sign, padded(budget, body, spec.width - taken, Align::right, spec.fill));
  const Text whole = joined(budget, sign, body);
  if (align != '^') return padded(budget, whole, spec.width, align == '<' ? Align::left : Align::right, spec.fill);
  // format() puts the odd blank right, where str.center() may put it left.
  const auto n = static_cast<int64_t>(count_characters(whole.bytes()));
  const Text left = padded(budget, whole, n + std::max<int64_t>(spec.width - n, 0) / 2, Align::right, spec.fill);
  return padded(budget, left, spec.width, Align::left, spec.fill);
}

Text formatted_number(Budget& budget, const Spec& spec, const Value& value) {
  const bool whole = std::string_view("dxXob").find(spec.type) != std::string_view::npos ||
                     (spec.type == '\0' && value.is_integer() && !spec.precision);
  if (whole && !value.is_integer())
    throw RenderError(fmt::format("a format of integers is given {}", type_name(value)));
  const bool minus = value.is_integer() && whole ? integer_of(value) < 0 : std::signbit(real_of(value));
  std::string digits = whole ? whole_digits(spec, integer_of(value)) : real_digits(spec, real_of(value));
  if (spec.grouped) group(digits);
  const std::string_view sign = minus ? "-" : spec.sign == '+' ? "+" : spec.sign == ' ' ? " " : "";
  return aligned(budget, spec, text_of(budget, sign, false), text_of(budget, digits, false), '>');
}

Text formatted_text(Budget& budget, const Spec& spec, const Text& text, char fallback) {
  const Text cut = spec.precision ? characters(budget, text, 0, *spec.precision) : text;
  return aligned(budget, spec, {}, cut, fallback);
}

void check(const Spec& spec) {
  if (spec.precision.value_or(0) > kMostPrecision && spec.type != 's') {
    throw RenderError(fmt::format("a format has more than {} digits", kMostPrecision), true);
  }
}

class Percent {
 public:
  Percent(Budget& budget, std::string_view pattern, const Arguments& args)
      : budget_(budget), s_(pattern), args_(args) {}

  /// Behind a "%" at `at`: moves it behind the conversion.
  Text conversion(size_t& at) {
    std::optional<Value> value;
    if (at < s_.size() && s_[at] == '(') {
      const size_t close = s_.find(')', at);
      if (close == std::string_view::npos) throw RenderError("a format has '%(' without ')'");
      value = named(s_.substr(at + 1, close - at - 1));
      at = close + 1;
    }
    const Spec spec = read(at);
    if (spec.type == '%') return text_of(budget_, "%", false);
    if (!value) value = positional();
    return written(spec, *value);
  }
  bool all_used() const { return next_ >= args_.positional.size(); }

 private:
  Spec read(size_t& at) {
    Spec spec;
    for (; at < s_.size() && std::string_view("-+ 0#").find(s_[at]) != std::string_view::npos; ++at) {
      const char flag = s_[at];
      if (flag == '-') spec.align = '<';
      if (flag == '#') spec.alternate = true;
      if (flag == '+' || (flag == ' ' && spec.sign == '-')) spec.sign = flag;
      if (flag == '0' && spec.align == '\0') {
        spec.align = '=';
        spec.fill = "0";
      }
    }
    if (spec.align == '<') spec.fill = " ";
    spec.width = take_count(s_, at).value_or(0);
    if (at < s_.size() && s_[at] == '.') spec.precision = take_count(s_, ++at).value_or(0);
    if (at >= s_.size()) throw RenderError("a format ends within a '%' conversion");
    spec.type = s_[at++];
    check(spec);
    return spec;
  }

  Value named(std::string_view name) const {
    for (const auto& [key, value] : args_.named) {
      if (key == name) return value;
    }
    if (args_.positional.size() == 1 && args_.positional[0].dict() != nullptr) {
      if (const Value* value = args_.positional[0].dict()->find(name)) return *value;
    }
    throw RenderError(fmt::format("a format needs '{}', which is not given", name));
  }
  Value positional() {
    if (next_ >= args_.positional.size()) throw RenderError("a format has more conversions than arguments");
    return args_.positional[next_++];
  }

  Text written(Spec spec, const Value& value) {
    if (spec.type == 's' || spec.type == 'r') {
      const Text text = spec.type == 's' ? to_text(budget_, value) : repr(budget_, value);
      spec.fill = " ";
      if (spec.align == '=') spec.align = '\0';
      return formatted_text(budget_, spec, text, '>');
    }
    if (std::string_view("diueEfFgGxXo").find(spec.type) == std::string_view::npos) {
      throw RenderError(fmt::format("a format has the unknown conversion '%{}'", spec.type));
    }
    if (!value.is_number()) throw RenderError(fmt::format("'%{}' is given {}", spec.type, type_name(value)));
    const bool decimal = spec.type == 'd' || spec.type == 'i' || spec.type == 'u';
    if (decimal) spec.type = 'd';
    if (decimal && !value.is_integer()) return formatted_number(budget_, spec, Value(truncated(real_of(value))));
    return formatted_number(budget_, spec, value);
  }

  Budget& budget_;
  std::string_view s_;
  const Arguments& args_;
  size_t next_ = 0;
};

Spec read_braces_spec(std::string_view s) {
  Spec spec;
  size_t at = 0;
  const auto is_align = [&](size_t i) {
    return i < s.size() && std::string_view("<>^=").find(s[i]) != std::string_view::npos;
  };
  if (!s.empty() && is_align(character_size(s[0]))) {
    spec.fill = s.substr(0, character_size(s[0]));
    at = character_size(s[0]);
  }
  if (is_align(at)) spec.align = s[at++];
  const auto take = [&](char c) { return at < s.size() && s[at] == c ? (++at, true) : false; };
  for (const char sign : {'+', '-', ' '}) {
    if (take(sign)) spec.sign = sign;
  }
  spec.alternate = take('#');
  if (at < s.size() && s[at] == '0' && spec.align == '\0') {
    spec.align = '=';
    spec.fill = "0";
  }
  spec.width = take_count(s, at).value_or(0);
  spec.grouped = take(',');
  if (take('.')) {
    spec.precision = take_count(s, at);
    if (!spec.precision) throw RenderError("a format has '.' without digits");
  }
  if (at < s.size()) spec.type = s[at++];
  const bool known = spec.type == '\0' || std::string_view("deEfFgGxXobs%").find(spec.type) != std::string_view::npos;
  if (at < s.size() || !known) throw RenderError(fmt::format("the format '{}' is not known", s));
  check(spec);
  return spec;
}

/// The value of "0.name[key]" or "" (the next one).
Value field(Budget& budget, std::string_view name, const Arguments& args, size_t& next) {
  size_t end = std::min(name.find_first_of(".["), name.size());
  const std::string_view first = name.substr(0, end);
  size_t at = 0;
  Value value;
  const std::optional<int64_t> index = first.empty() ? static_cast<int64_t>(next++) : take_count(first, at);
  if (index && at == (first.empty() ? 0 : first.size())) {
    if (static_cast<size_t>(*index) >= args.positional.size()) {
      throw RenderError("a format has more fields than arguments");
    }
    value = args.positional[static_cast<size_t>(*index)];
  } else {
    const auto given =
        std::ranges::find(args.named, first, [](const auto& each) { return std::string_view(each.first); });
    if (given == args.named.end()) throw RenderError(fmt::format("a format needs '{}', which is not given", first));
    value = given->second;
  }
  while (end < name.size()) {
    const bool is_attribute = name[end] == '.';
    const size_t stop = is_attribute ? std::min(name.find_first_of(".[", end + 1), name.size()) : name.find(']', end);
    if (stop == std::string_view::npos) throw RenderError("a format has '[' without ']'");
    const std::string_view key = name.substr(end + 1, stop - end - 1);
    const auto number = parse_integer(key, 10);
    if (is_attribute)
      value = attribute(budget, value, key);
    else
      value = item(budget, value, number ? Value(*number) : Value(text_of(budget, key, false)));
    if (value.is_undefined()) throw RenderError(fmt::format("a format needs '{}', which is not there", name));
    end = is_attribute ? stop : stop + 1;
  }
  return value;
}

Text written(Budget& budget, std::string_view inside, const Arguments& args, size_t& next) {
  const size_t colon = std::min(inside.find(':'), inside.size());
  std::string_view name = inside.substr(0, colon);
  const Spec spec = read_braces_spec(colon < inside.size() ? inside.substr(colon + 1) : "");
  const size_t mark = name.find('!');
  const std::string_view convert = mark == std::string_view::npos ? "" : name.substr(mark + 1);
  Value value = field(budget, name.substr(0, mark), args, next);
  if (convert == "r") value = Value(repr(budget, value));
  if (convert == "s") value = Value(to_text(budget, value));
  const bool as_number = value.is_number() && (value.as<bool>() == nullptr || spec.type != '\0');
  if (as_number && spec.type != 's') return formatted_number(budget, spec, value);
  if (spec.type != '\0' && spec.type != 's') {
    throw RenderError(fmt::format("the format '{}' is given {}", spec.type, type_name(value)));
  }
  return formatted_text(budget, spec, to_text(budget, value), '<');
}

}  // namespace

Text format_percent(Budget& budget, const Text& pattern, const Arguments& args, bool all) {
  const std::string_view s = pattern.bytes();
  TextBuilder out(&budget);
  Percent percent(budget, s, args);
  for (size_t at = 0; at < s.size();) {
    const size_t mark = std::min(s.find('%', at), s.size());
    out.append(pattern, at, mark - at);
    at = mark + 1;
    if (mark < s.size()) out.append(percent.conversion(at));
  }
  if (all && !percent.all_used()) throw RenderError("a format has fewer conversions than arguments");
  return out.finish();
}

Text format_braces(Budget& budget, const Text& pattern, const Arguments& args) {
  const std::string_view s = pattern.bytes();
  TextBuilder out(&budget);
  size_t next = 0;
  for (size_t at = 0; at < s.size();) {
    budget.step();
    const size_t brace = std::min(s.find_first_of("{}", at), s.size());
    out.append(pattern, at, brace - at);
    at = brace;
    if (at >= s.size()) break;
    if (at + 1 < s.size() && s[at + 1] == s[at]) {
      out.append(pattern, at, 1);
      at += 2;
      continue;
    }
    const size_t close = s.find('}', at);
    if (s[at] == '}' || close == std::string_view::npos) throw RenderError("a format has a single '{' or '}'");
    out.append(written(budget, s.substr(at + 1, close - at - 1), args, next));
    at = close + 1;
  }
  return out.finish();
}

}  // namespace tenon::jinja
