// Filters of strings; other values are taken as they would be written.
#include "filters.hpp"
#include "letters.hpp"
#include "numbers.hpp"
#include "print.hpp"
#include "unicode.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tenon::jinja {
namespace {

using B = Budget&;
using G = const Given&;

Text value_text(B budget, G given) { return to_text(budget, given.at(0)); }

Value trim(B budget, G given) {
  const Text* set = given.set(1) == nullptr ? nullptr : &given.text(1);
  return Value(strip(budget, value_text(budget, given), set, true, true));
}

Value replace_filter(B budget, G given) {
  const int64_t most = given.set(3) == nullptr ? -1 : given.integer(3, -1);
  return Value(
      replace(budget, value_text(budget, given), to_text(budget, given.at(1)), to_text(budget, given.at(2)), most));
}

Value indent_filter(B budget, G given) {
  Text by;
  if (given.find(1) != nullptr && given.at(1).text() != nullptr)
    by = given.text(1);
  else
    by = padded(budget, {}, given.integer(1, 4), Align::left, " ");
  return Value(indent(budget, given.text(0), by, given.flag(2, false), given.flag(3, false)));
}

Value word_count(B budget, G given) {
  const Text text = value_text(budget, given);
  const std::string_view s = text.bytes();
  budget.work(4 * s.size());
  int64_t n = 0;
  bool inside = false;
  for (size_t i = 0; i < s.size(); i += character_size(s[i])) {
    const bool is_word = s[i] == '_' || (properties(character_at(s, i)) & kAlphanumeric) != 0;
    if (is_word && !inside) ++n;
    inside = is_word;
  }
  return Value(n);
}

Value truncate(B budget, G given) {
  const int64_t most = given.integer(1, 255), leeway = given.set(4) == nullptr ? 5 : given.integer(4, 5);
  const Text end = given.find(3) == nullptr ? Text("...", true) : given.text(3);
  const auto ending = static_cast<int64_t>(count_characters(end.bytes()));
  if (most < ending || leeway < 0) throw RenderError("truncate has a length that its end does not fit into");
  if (length_of(budget, given.at(0)) - most <= leeway) return given.at(0);
  const Text& text = given.text(0);
  Text kept = characters(budget, text, 0, most - ending);
  if (!given.flag(2, false)) {
    const size_t space = kept.bytes().rfind(' ');
    if (space != std::string_view::npos) kept = part(budget, kept, 0, space);
  }
  return Value(joined(budget, kept, end));
}

Value url_encode(B budget, G given) {
  if (given.at(0).list() != nullptr || given.at(0).dict() != nullptr)
    throw RenderError("urlencode is for strings here");
  const Text text = value_text(budget, given);
  TextBuilder out(&budget);
  for (const char c : text.bytes()) {
    const bool kept =
        std::isalnum(static_cast<unsigned char>(c)) || std::string_view("_.-~/").find(c) != std::string_view::npos;
    out.append(kept ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c)), false);
  }
  return Value(out.finish());
}

Value safe(B budget, G given) {
  TextBuilder out(&budget);
  out.append(value_text(budget, given));
  return Value(out.finish(true));
}

constexpr Filter kFilters[] = {
    {"capitalize", {"s", 1}, [](B b, G g) { return Value(capitalize(b, value_text(b, g))); }},
    {"center",
     {"value width", 1},
     [](B b, G g) { return Value(padded(b, value_text(b, g), g.integer(1, 80), Align::center, " ")); }},
    {"e", {"value", 1}, [](B b, G g) { return Value(escape(b, value_text(b, g))); }},
    {"escape", {"value", 1}, [](B b, G g) { return Value(escape(b, value_text(b, g))); }},
    {"indent", {"s width first blank", 1}, indent_filter},
    {"lower", {"s", 1}, [](B b, G g) { return Value(lower(b, value_text(b, g))); }},
    {"replace", {"s old new count", 3}, replace_filter},
    {"safe", {"value", 1}, safe},
    {"string", {"value", 1}, [](B b, G g) { return Value(value_text(b, g)); }},
    {"title", {"s", 1}, [](B b, G g) { return Value(title_words(b, value_text(b, g))); }},
    {"trim", {"value chars", 1}, trim},
    {"truncate", {"s length killwords end leeway", 1}, truncate},
    {"upper", {"s", 1}, [](B b, G g) { return Value(upper(b, value_text(b, g))); }},
    {"urlencode", {"value", 1}, url_encode},
    {"wordcount", {"s", 1}, word_count},
};

}  // namespace

std::span<const Filter> text_filters() { return kFilters; }

}  // namespace tenon::jinja
