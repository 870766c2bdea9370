// Methods of strings: Python's str.
#include "access.hpp"
#include "format.hpp"
#include "given.hpp"
#include "letters.hpp"
#include "print.hpp"
#include "unicode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace tenon::jinja {
namespace {

using Method = Value (*)(Budget&, const Text&, const Given&);

struct Named {
  std::string_view name;
  Parameters parameters;
  Method run;
};

Value list_of(Budget& budget, const std::vector<Text>& parts, List::Kind kind = List::Kind::list) {
  ListMaker out(&budget);
  for (const Text& each : parts) out.add(Value(each));
  return out.finish(kind);
}

const Text* set_text(const Given& given, size_t parameter) {
  return given.set(parameter) == nullptr ? nullptr : &given.text(parameter);
}

Value split_method(Budget& budget, const Text& text, const Given& given, bool from_right) {
  const Text* separator = set_text(given, 0);
  if (separator != nullptr && separator->empty()) throw RenderError("split needs a separator that is not empty");
  return list_of(budget, split(budget, text, separator, given.integer(1, -1), from_right));
}

/// Of the characters first..last, the byte range; as Python reads the limits of find and startswith.
std::pair<size_t, size_t> byte_range(Budget& budget, const Text& text, const Given& given) {
  if (given.set(1) == nullptr && given.set(2) == nullptr) return {0, text.size()};
  const auto n = static_cast<int64_t>(count_characters(text.bytes()));
  budget.work(2 * text.size());
  const auto bounded = [&](size_t parameter, int64_t fallback) {
    const int64_t i = given.set(parameter) == nullptr ? fallback : given.integer(parameter, fallback);
    return i < 0 ? std::max<int64_t>(i + n, 0) : i;
  };
  const int64_t first = bounded(1, 0), last = std::min(bounded(2, n), n);
  if (first > last) return {text.size(), 0};  // no place at all, not even for an empty part
  const auto offset = [&](int64_t count) {
    size_t at = 0;
    while (count-- > 0) at += character_size(text.bytes()[at]);
    return at;
  };
  return {offset(first), offset(last)};
}

Value find_method(Budget& budget, const Text& text, const Given& given, bool from_right) {
  const auto [first, last] = byte_range(budget, text, given);
  if (first > last) return Value(int64_t{-1});
  const std::string_view searched = text.bytes().substr(0, last), part = given.text(0).bytes();
  size_t hit = std::string_view::npos;
  if (!from_right) {
    hit = find_bytes(budget, searched, part, first);
  } else if (part.empty()) {
    hit = last;
  } else if (const auto hits = occurrences(budget, searched.substr(first), part, 1, true); !hits.empty()) {
    hit = hits[0] + first;
  }
  if (hit == std::string_view::npos) return Value(int64_t{-1});
  budget.work(hit);
  return Value(static_cast<int64_t>(count_characters(text.bytes().substr(0, hit))));
}

Value index_method(Budget& budget, const Text& text, const Given& given, bool from_right) {
  Value at = find_method(budget, text, given, from_right);
  if (*at.as<int64_t>() < 0) throw RenderError(fmt::format("{}: the part is not in the string", given.function()));
  return at;
}

Value count_method(Budget& budget, const Text& text, const Given& given) {
  const auto [first, last] = byte_range(budget, text, given);
  if (first > last) return Value(int64_t{0});
  const std::string_view searched = text.bytes().substr(first, last - first);
  if (given.text(0).empty()) return Value(static_cast<int64_t>(count_characters(searched) + 1));
  return Value(static_cast<int64_t>(occurrences(budget, searched, given.text(0).bytes(), -1, false).size()));
}

/// startswith and endswith: of one part or of any of a tuple.
Value affix_method(Budget& budget, const Text& text, const Given& given, bool at_end) {
  const auto [first, last] = byte_range(budget, text, given);
  if (first > last) return Value(false);
  const std::string_view s = text.bytes().substr(first, last - first);
  const auto has = [&](const Text& part) {
    budget.work(part.size());
    return at_end ? s.ends_with(part.bytes()) : s.starts_with(part.bytes());
  };
  const List* parts = given.at(0).list();
  if (parts == nullptr || !parts->is_tuple()) return Value(has(given.text(0)));
  for (const Value& part : parts->items) {
    budget.step();
    if (part.text() == nullptr) throw RenderError(fmt::format("{} needs strings", given.function()));
    if (has(*part.text())) return Value(true);
  }
  return Value(false);
}

Value partition_method(Budget& budget, const Text& text, const Given& given, bool from_right) {
  const Text& separator = given.text(0);
  if (separator.empty()) throw RenderError("partition needs a separator that is not empty");
  const std::vector<size_t> hits = occurrences(budget, text.bytes(), separator.bytes(), 1, from_right);
  if (hits.empty() && from_right) return list_of(budget, {{}, {}, text}, List::Kind::tuple);
  if (hits.empty()) return list_of(budget, {text, {}, {}}, List::Kind::tuple);
  const size_t end = hits[0] + separator.size();
  return list_of(budget, {part(budget, text, 0, hits[0]), separator, part(budget, text, end, text.size() - end)},
                 List::Kind::tuple);
}

Value join_method(Budget& budget, const Text& text, const Given& given) {
  TextBuilder out(&budget);
  bool first = true;
  each(budget, given.at(0), [&](const Value& item) {
    if (item.text() == nullptr) throw RenderError(fmt::format("join needs strings, found {}", type_name(item)));
    if (!std::exchange(first, false)) out.append(text);
    out.append(*item.text());
    return true;
  });
  return Value(out.finish());
}

Value pad_method(Budget& budget, const Text& text, const Given& given, Align align) {
  const std::string_view fill = given.find(1) == nullptr ? " " : given.text(1).bytes();
  if (count_characters(fill) != 1) throw RenderError(fmt::format("{} fills with one character", given.function()));
  return Value(padded(budget, text, given.integer(0, 0), align, fill));
}

Value zero_fill(Budget& budget, const Text& text, const Given& given) {
  const bool has_sign = text.bytes().starts_with('+') || text.bytes().starts_with('-');
  const size_t sign = has_sign ? 1 : 0;
  const int64_t width = std::max<int64_t>(given.integer(0, 0), 0);
  const Text digits = part(budget, text, sign, text.size() - sign);
  const Text filled = padded(budget, digits, width - static_cast<int64_t>(sign), Align::right, "0");
  return Value(joined(budget, part(budget, text, 0, sign), filled));
}

Value without_affix(Budget& budget, const Text& text, const Given& given, bool at_end) {
  const std::string_view affix = given.text(0).bytes();
  budget.work(affix.size());
  if (!(at_end ? text.bytes().ends_with(affix) : text.bytes().starts_with(affix))) return Value(text);
  return Value(part(budget, text, at_end ? 0 : affix.size(), text.size() - affix.size()));
}

Value replace_method(Budget& budget, const Text& text, const Given& given) {
  return Value(replace(budget, text, given.text(0), given.text(1), given.integer(2, -1)));
}

using B = Budget&;
using T = const Text&;
using G = const Given&;

constexpr Named kMethods[] = {
    {"capitalize", {}, [](B b, T t, G) { return Value(capitalize(b, t)); }},
    {"center", {"width fillchar", 1}, [](B b, T t, G g) { return pad_method(b, t, g, Align::center); }},
    {"count", {"sub start end", 1}, count_method},
    {"endswith", {"suffix start end", 1}, [](B b, T t, G g) { return affix_method(b, t, g, true); }},
    {"find", {"sub start end", 1}, [](B b, T t, G g) { return find_method(b, t, g, false); }},
    {"index", {"sub start end", 1}, [](B b, T t, G g) { return index_method(b, t, g, false); }},
    {"join", {"iterable", 1}, join_method},
    {"ljust", {"width fillchar", 1}, [](B b, T t, G g) { return pad_method(b, t, g, Align::left); }},
    {"lower", {}, [](B b, T t, G) { return Value(lower(b, t)); }},
    {"lstrip", {"chars", 0}, [](B b, T t, G g) { return Value(strip(b, t, set_text(g, 0), true, false)); }},
    {"partition", {"sep", 1}, [](B b, T t, G g) { return partition_method(b, t, g, false); }},
    {"removeprefix", {"prefix", 1}, [](B b, T t, G g) { return without_affix(b, t, g, false); }},
    {"removesuffix", {"suffix", 1}, [](B b, T t, G g) { return without_affix(b, t, g, true); }},
    {"replace", {"old new count", 2}, replace_method},
    {"rfind", {"sub start end", 1}, [](B b, T t, G g) { return find_method(b, t, g, true); }},
    {"rindex", {"sub start end", 1}, [](B b, T t, G g) { return index_method(b, t, g, true); }},
    {"rjust", {"width fillchar", 1}, [](B b, T t, G g) { return pad_method(b, t, g, Align::right); }},
    {"rpartition", {"sep", 1}, [](B b, T t, G g) { return partition_method(b, t, g, true); }},
    {"rsplit", {"sep maxsplit", 0}, [](B b, T t, G g) { return split_method(b, t, g, true); }},
    {"rstrip", {"chars", 0}, [](B b, T t, G g) { return Value(strip(b, t, set_text(g, 0), false, true)); }},
    {"split", {"sep maxsplit", 0}, [](B b, T t, G g) { return split_method(b, t, g, false); }},
    {"splitlines", {"keepends", 0}, [](B b, T t, G g) { return list_of(b, split_lines(b, t, g.flag(0, false))); }},
    {"startswith", {"prefix start end", 1}, [](B b, T t, G g) { return affix_method(b, t, g, false); }},
    {"strip", {"chars", 0}, [](B b, T t, G g) { return Value(strip(b, t, set_text(g, 0), true, true)); }},
    {"swapcase", {}, [](B b, T t, G) { return Value(swap_case(b, t)); }},
    {"title", {}, [](B b, T t, G) { return Value(title(b, t)); }},
    {"upper", {}, [](B b, T t, G) { return Value(upper(b, t)); }},
    {"zfill", {"width", 1}, zero_fill},
};
static_assert(std::ranges::is_sorted(kMethods, {}, &Named::name));

}  // namespace

std::optional<Value> text_method(Budget& budget, const Text& text, std::string_view name) {
  const std::string own_name(name);
  if (name == "format") {
    return function_value(own_name,
                          [&budget, text](const Arguments& args) { return Value(format_braces(budget, text, args)); });
  }
  const auto* found = std::ranges::lower_bound(kMethods, name, {}, &Named::name);
  if (found != std::end(kMethods) && found->name == name) {
    return function_value(own_name, [&budget, text, found](const Arguments& args) {
      return found->run(budget, text, Given(found->name, found->parameters, args));
    });
  }
  if (!name.starts_with("is") || !is_of(budget, Text(), name)) return {};
  return function_value(own_name, [&budget, text, own_name](const Arguments& args) {
    const Given given(own_name, {}, args);
    return Value(*is_of(budget, text, own_name));
  });
}

}  // namespace tenon::jinja
