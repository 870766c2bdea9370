#include "reading.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "text_forms.hpp"

namespace tenon {
namespace {

/// Quoted text is never a number or boolean: what to change, else nothing.
std::string number_hint(const Yaml& value) { return value.is_scalar() && value.quoted() ? " without quotes" : ""; }

std::string range_text(int64_t min, int64_t max) {
  constexpr auto kLimits = std::numeric_limits<int64_t>();
  if (min == kLimits.min() && max == kLimits.max()) return "a whole number of 64 bits";
  if (max == kLimits.max()) return fmt::format("a whole number of at least {}", min);
  return fmt::format("a whole number from {} to {}", min, max);
}

std::string range_text(double min, double max) {
  const bool has_min = std::isfinite(min), has_max = std::isfinite(max);
  if (has_min && has_max) return fmt::format("a number from {} to {}", min, max);
  if (has_min) return fmt::format("a number of at least {}", min);
  if (has_max) return fmt::format("a number of at most {}", max);
  return "a finite number";
}

/// The value as int64_t where one can hold it.
std::optional<int64_t> signed_value(const IntegerText& text) {
  constexpr uint64_t kMax = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  if (text.overflow || text.magnitude > kMax + (text.negative ? 1u : 0u)) return std::nullopt;
  return static_cast<int64_t>(text.negative ? ~text.magnitude + 1u : text.magnitude);
}

}  // namespace

std::string describe(const Yaml& value) {
  switch (value.kind()) {
    case Yaml::Kind::null: return "empty";
    case Yaml::Kind::list: return "a list";
    case Yaml::Kind::map: return "a map";
    case Yaml::Kind::scalar: break;
  }
  const bool like_number = parse_number(value.scalar()).valid;
  if (like_number && !value.quoted() && value.scalar().size() <= 40) return value.scalar();
  const bool misleading = value.quoted() && (like_number || is_boolean(value.scalar()));
  return (misleading ? "the text " : "") + in_quotes(value.scalar());
}

std::string one_of(std::span<const std::string_view> choices) {
  std::string text;
  for (size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) text += i + 1 == choices.size() ? " or " : ", ";
    text += choices[i];
  }
  return text;
}

Error wrong_type(const Yaml& value, std::string_view what, std::string_view expected) {
  return config_error("CONFIG_TYPE", value.place(),
                      fmt::format("{} is {}, expected {}", what, describe(value), expected));
}

Error wrong_range(const Yaml& value, std::string_view what, std::string_view expected) {
  return config_error("CONFIG_RANGE", value.place(),
                      fmt::format("{} is {}, expected {}", what, describe(value), expected));
}

Result<int64_t> as_integer(const Yaml& value, std::string_view what, int64_t min, int64_t max) {
  const IntegerText text = value.is_scalar() && !value.quoted() ? parse_integer(value.scalar()) : IntegerText{};
  if (!text.valid) return wrong_type(value, what, range_text(min, max) + number_hint(value));
  const auto number = signed_value(text);
  if (!number || *number < min || *number > max) return wrong_range(value, what, range_text(min, max));
  return *number;
}

Result<uint64_t> as_unsigned(const Yaml& value, std::string_view what) {
  const IntegerText text = value.is_scalar() && !value.quoted() ? parse_integer(value.scalar()) : IntegerText{};
  constexpr std::string_view kExpected = "a whole number from 0 to 18446744073709551615";
  if (!text.valid) return wrong_type(value, what, std::string(kExpected) + number_hint(value));
  if (text.overflow || (text.negative && text.magnitude != 0)) return wrong_range(value, what, kExpected);
  return text.magnitude;
}

Result<double> as_number(const Yaml& value, std::string_view what, double min, double max) {
  const NumberText text = value.is_scalar() && !value.quoted() ? parse_number(value.scalar()) : NumberText{};
  if (!text.valid) return wrong_type(value, what, range_text(min, max) + number_hint(value));
  // Written so that NaN fails; an infinity is no setting even where the range is open.
  const bool fits = text.value >= min && text.value <= max && std::isfinite(text.value);
  if (text.out_of_range || !fits) return wrong_range(value, what, range_text(min, max));
  return text.value;
}

Result<bool> as_bool(const Yaml& value, std::string_view what) {
  if (!value.is_scalar() || value.quoted() || !is_boolean(value.scalar())) {
    return wrong_type(value, what, "true or false" + number_hint(value));
  }
  return is_true(value.scalar());
}

Result<std::string> as_text(const Yaml& value, std::string_view what) {
  if (!value.is_scalar()) return wrong_type(value, what, "a text");
  return value.scalar();
}

Result<std::string> as_choice(const Yaml& value, std::string_view what, std::span<const std::string_view> choices) {
  if (!value.is_scalar()) return wrong_type(value, what, one_of(choices));
  for (const std::string_view choice : choices) {
    if (value.scalar() == choice) return value.scalar();
  }
  return wrong_range(value, what, one_of(choices) + hint(value.scalar(), choices));
}

Result<void> check_keys(const Yaml& map, std::string_view what, std::span<const std::string_view> known) {
  if (!map.is_map()) return wrong_type(map, what, fmt::format("a map of {}", fmt::join(known, ", ")));
  for (const YamlEntry& entry : map.entries()) {
    bool is_known = false;
    for (const std::string_view key : known) is_known = is_known || entry.key == key;
    if (!is_known) {
      return config_error("CONFIG_UNKNOWN_KEY", entry.key_place,
                          fmt::format("unknown key {} in {}{}; known: {}", in_quotes(entry.key), what,
                                      hint(entry.key, known), fmt::join(known, ", ")));
    }
  }
  return {};
}

}  // namespace tenon
