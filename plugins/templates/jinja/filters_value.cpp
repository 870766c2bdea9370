// Filters of single values: numbers, defaults, JSON.
#include "access.hpp"
#include "filters.hpp"
#include "numbers.hpp"
#include "print.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace tenon::jinja {
namespace {

using B = Budget&;
using G = const Given&;

void refuse_undefined(G given) {
  if (given.at(0).is_undefined()) {
    throw RenderError(fmt::format("{} of something that is not defined", given.function()));
  }
}

Value to_integer(B, G given) {
  refuse_undefined(given);
  const Value& value = given.at(0);
  if (value.is_integer()) return Value(integer_of(value));
  if (const double* d = value.as<double>(); d != nullptr && !std::isnan(*d)) return Value(truncated(*d));
  if (const Text* text = value.text()) {
    if (const auto whole = parse_integer(text->bytes(), static_cast<int>(given.integer(2, 10)))) return Value(*whole);
    const auto real = parse_real(text->bytes());
    if (real && std::isfinite(*real)) return Value(truncated(*real));
  }
  return given.find(1) == nullptr ? Value(int64_t{0}) : given.at(1);
}

Value to_real(B, G given) {
  refuse_undefined(given);
  const Value& value = given.at(0);
  if (value.is_number()) return Value(real_of(value));
  if (const Text* text = value.text()) {
    if (const auto real = parse_real(text->bytes())) return Value(*real);
  }
  return given.find(1) == nullptr ? Value(0.0) : given.at(1);
}

Value round_filter(B, G given) {
  const Value& value = given.at(0);
  const std::string_view method = given.find(2) == nullptr ? "common" : given.text(2).bytes();
  const int64_t digits = given.integer(1, 0);
  if (!value.is_number()) throw RenderError(fmt::format("round of {}", type_name(value)));
  if (method == "common") {
    if (value.is_integer() && digits >= 0) return Value(integer_of(value));
    const double result = rounded(real_of(value), digits);
    return value.is_integer() ? Value(truncated(result)) : Value(result);
  }
  if (method != "ceil" && method != "floor") throw RenderError("round has the methods 'common', 'ceil' and 'floor'");
  const double scale = std::pow(10.0, static_cast<double>(digits)), scaled = real_of(value) * scale;
  return Value((method == "ceil" ? std::ceil(scaled) : std::floor(scaled)) / scale);
}

Value default_of(B, G given) {
  const Value& value = given.at(0);
  if (!value.is_undefined() && !(given.flag(2, false) && !truthy(value))) return value;
  return given.find(1) == nullptr ? Value(Text()) : given.at(1);
}

Value json(B budget, G given) {
  JsonStyle style;
  style.ascii = given.flag(1, false);
  if (const Value* indent = given.set(2)) {
    style.indented = true;
    style.item_separator = ",";
    if (indent->text() != nullptr) {
      style.indent = indent->text()->bytes();
    } else {
      const int64_t width = given.integer(2, 0);
      const Charge charge(&budget, static_cast<size_t>(std::max<int64_t>(width, 0)));
      style.indent.assign(static_cast<size_t>(std::max<int64_t>(width, 0)), ' ');
    }
  }
  if (const Value* separators = given.set(3)) {
    const Values pair = elements(budget, *separators);
    if (pair.size() != 2 || pair[0].text() == nullptr || pair[1].text() == nullptr) {
      throw RenderError("tojson needs two strings as 'separators'");
    }
    style.item_separator = pair[0].text()->bytes();
    style.key_separator = pair[1].text()->bytes();
  }
  style.sort_keys = given.flag(4, false);
  return Value(to_json(budget, given.at(0), style));
}

/// The attribute only, never the item of a dict.
Value attribute_filter(B budget, G given) {
  Value found = attribute(budget, given.at(0), given.text(1).bytes());
  const bool is_item = given.at(0).dict() != nullptr && found.to<Function>() == nullptr;
  return is_item ? Value() : found;
}

constexpr Filter kFilters[] = {
    {"abs", {"x", 1}, [](B, G g) { return absolute(g.at(0)); }},
    {"attr", {"obj name", 2}, attribute_filter},
    {"d", {"value default_value boolean", 1}, default_of},
    {"default", {"value default_value boolean", 1}, default_of},
    {"float", {"value default", 1}, to_real},
    {"int", {"value default base", 1}, to_integer},
    {"round", {"value precision method", 1}, round_filter},
    {"tojson", {"x ensure_ascii indent separators sort_keys", 1}, json},
};

}  // namespace

std::span<const Filter> value_filters() { return kFilters; }

}  // namespace tenon::jinja
