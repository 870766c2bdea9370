#include <fmt/format.h>
#include <tenon/config/options.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "reading.hpp"

namespace tenon {
namespace {

// A whole number beyond this may not be a double, which is how values cross the border.
constexpr double kMaxWhole = 9007199254740992.0;  // 2^53

std::vector<std::string_view> split_choices(std::string_view text) {
  std::vector<std::string_view> choices;
  for (size_t end = text.find('|'); end != std::string_view::npos; end = text.find('|')) {
    choices.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  choices.push_back(text);
  return choices;
}

/// What is wrong with a spec, or nothing. `min <= x <= max` is written so that NaN fails.
std::string spec_fault(const tenon_option_spec& spec) {
  const double value = spec.default_number;
  const bool in_range = spec.min <= value && value <= spec.max;
  switch (spec.type) {
    case TENON_OPTION_BOOL: return value == 0 || value == 1 ? "" : fmt::format("default {} is no boolean", value);
    case TENON_OPTION_INT:
      if (std::abs(value) > kMaxWhole || value != std::trunc(value)) {
        return fmt::format("default {} is no whole number", value);
      }
      [[fallthrough]];
    case TENON_OPTION_FLOAT:
      if (!(spec.min <= spec.max)) return fmt::format("min {} is not below max {}", spec.min, spec.max);
      return in_range ? "" : fmt::format("default {} is outside {} to {}", value, spec.min, spec.max);
    case TENON_OPTION_STRING: {
      if (spec.choices == nullptr) return "";
      const std::string_view text = spec.default_string == nullptr ? "" : spec.default_string;
      const auto choices = split_choices(spec.choices);
      const bool known = std::ranges::find(choices, text) != choices.end();
      return known ? "" : fmt::format("default '{}' is none of {}", text, spec.choices);
    }
    case TENON_OPTION_MAP:
      return spec.min <= spec.max ? "" : fmt::format("min {} is not below max {}", spec.min, spec.max);
    default: return fmt::format("unknown type {}", spec.type);
  }
}

bool is_text(const tenon_option_spec& spec) {
  return spec.type == TENON_OPTION_STRING || spec.type == TENON_OPTION_MAP;
}

Error malformed(std::string_view what, std::string_view option, std::string_view fault) {
  return invalid(fmt::format("PLUGIN_CONTRACT: {}: its schema is malformed at {}: {}; the plug-in must be mended", what,
                             option, fault));
}

Result<void> check_schema(std::span<const tenon_option_spec> specs, std::string_view what) {
  for (size_t i = 0; i < specs.size(); ++i) {
    const tenon_option_spec& spec = specs[i];
    const std::string number = fmt::format("option {}", i);
    if (spec.size < sizeof(tenon_option_spec)) {
      return malformed(what, number, fmt::format("size {}, expected {}", spec.size, sizeof(tenon_option_spec)));
    }
    if (spec.name == nullptr || *spec.name == '\0') return malformed(what, number, "no name");
    const std::string_view name = spec.name;
    for (const tenon_option_spec& before : specs.first(i)) {
      if (name == before.name) return malformed(what, number, fmt::format("'{}' is declared twice", name));
    }
    const std::string fault = spec_fault(spec);
    if (!fault.empty()) return malformed(what, fmt::format("option '{}'", name), fault);
  }
  return {};
}

void add_default(const tenon_option_spec& spec, OptionValues& values) {
  if (is_text(spec)) {
    values.add_text(spec.name, spec.type, spec.default_string == nullptr ? "" : spec.default_string, true);
  } else {
    values.add_number(spec.name, spec.type, spec.default_number, true);
  }
}

/// A number, or -inf and inf where the range has them.
Result<double> map_number(const tenon_option_spec& spec, const Yaml& value, std::string_view what) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const auto& [end, sign] : {std::pair{spec.min, -1.0}, {spec.max, 1.0}}) {
    if (end != sign * kInfinity || !value.is_scalar() || value.quoted()) continue;
    const std::string_view text = value.scalar();
    if (text == (sign < 0 ? "-inf" : "inf") || text == (sign < 0 ? "-.inf" : ".inf")) return end;
  }
  return as_number(value, what, spec.min, spec.max);
}

Result<std::string> map_text(const tenon_option_spec& spec, const Yaml& given, std::string_view what) {
  if (!given.is_map() && !given.is_null()) return wrong_type(given, what, "a map of whole numbers to numbers");
  std::string text;
  for (const YamlEntry& entry : given.entries()) {
    int64_t key = 0;
    const char* end = entry.key.data() + entry.key.size();
    const auto [at, error] = std::from_chars(entry.key.data(), end, key);
    if (error != std::errc() || at != end || key < 0) {
      return config_error("CONFIG_TYPE", entry.key_place,
                          fmt::format("{} has the key '{}', expected a whole number from 0 on", what, entry.key));
    }
    auto number = map_number(spec, entry.value, fmt::format("{}.{}", what, entry.key));
    if (!number) return number.error();
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", key, *number);
  }
  return text;
}

Result<void> add_given(const tenon_option_spec& spec, const Yaml& value, std::string_view what, OptionValues& values) {
  if (spec.type == TENON_OPTION_STRING) {
    const auto choices = spec.choices == nullptr ? std::vector<std::string_view>{} : split_choices(spec.choices);
    auto text = spec.choices == nullptr ? as_text(value, what) : as_choice(value, what, choices);
    if (!text) return text.error();
    values.add_text(spec.name, spec.type, *text, false);
    return {};
  }
  if (spec.type == TENON_OPTION_MAP) {
    auto text = map_text(spec, value, what);
    if (!text) return text.error();
    values.add_text(spec.name, spec.type, *text, false);
    return {};
  }
  double number = 0;
  if (spec.type == TENON_OPTION_BOOL) {
    auto flag = as_bool(value, what);
    if (!flag) return flag.error();
    number = *flag ? 1 : 0;
  } else if (spec.type == TENON_OPTION_INT) {
    const auto whole = [](double bound) { return static_cast<int64_t>(std::clamp(bound, -kMaxWhole, kMaxWhole)); };
    auto integer = as_integer(value, what, whole(std::ceil(spec.min)), whole(std::floor(spec.max)));
    if (!integer) return integer.error();
    number = static_cast<double>(*integer);
  } else {
    auto read = as_number(value, what, spec.min, spec.max);
    if (!read) return read.error();
    number = *read;
  }
  values.add_number(spec.name, spec.type, number, false);
  return {};
}

/// {15: -1.5}: the value of the first option, where that is a map. Names of options are no numbers.
bool is_map_of_main(std::span<const tenon_option_spec> specs, const Yaml& given) {
  if (specs.empty() || specs.front().type != TENON_OPTION_MAP || !given.is_map()) return false;
  return std::ranges::none_of(given.entries(), [&](const YamlEntry& entry) {
    return std::ranges::any_of(specs, [&](const tenon_option_spec& spec) { return entry.key == spec.name; });
  });
}

Result<void> check_given(std::span<const tenon_option_spec> specs, const Yaml& given, std::string_view what) {
  if (given.is_null()) return {};
  if (specs.empty() && !(given.is_map() && given.entries().empty())) {
    return config_error("CONFIG_TYPE", given.place(),
                        fmt::format("{} takes no options, found {}", what, describe(given)));
  }
  if (given.is_list()) return wrong_type(given, what, "a value, or a map of options");
  if (!given.is_map() || is_map_of_main(specs, given)) return {};
  std::vector<std::string_view> names;
  for (const tenon_option_spec& spec : specs) names.emplace_back(spec.name);
  return check_keys(given, what, names);
}

}  // namespace

void OptionValues::add_number(std::string_view name, uint32_t type, double value, bool is_default) {
  items_.push_back({keep(name).c_str(), type, is_default ? 1u : 0u, value, {}});
}

void OptionValues::add_text(std::string_view name, uint32_t type, std::string_view value, bool is_default) {
  items_.push_back({keep(name).c_str(), type, is_default ? 1u : 0u, 0, str(keep(value))});
}

Result<OptionValues> check_options(std::span<const tenon_option_spec> specs, const Yaml& given, std::string_view what) {
  auto schema = check_schema(specs, what);
  if (!schema) return schema.error();
  auto usable = check_given(specs, given, what);
  if (!usable) return usable.error();
  OptionValues values;
  for (const tenon_option_spec& spec : specs) {
    const bool is_main = (given.is_scalar() || is_map_of_main(specs, given)) && &spec == specs.data();
    const Yaml* value = is_main ? &given : given.find(spec.name);
    if (value == nullptr) {
      add_default(spec, values);
      continue;
    }
    auto added = add_given(spec, *value, is_main ? std::string(what) : fmt::format("{}.{}", what, spec.name), values);
    if (!added) return added.error();
  }
  return values;
}

}  // namespace tenon
