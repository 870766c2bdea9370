// Options: declared as data, checked by the host, read by name.
#pragma once

#include <tenon/result.hpp>

#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon {

constexpr tenon_option_spec bool_option(const char* name, bool value, const char* doc) {
  return {sizeof(tenon_option_spec), TENON_OPTION_BOOL, name, doc, 0, 1, value ? 1.0 : 0.0, nullptr, nullptr};
}
constexpr tenon_option_spec int_option(const char* name, double value, double min, double max, const char* doc) {
  return {sizeof(tenon_option_spec), TENON_OPTION_INT, name, doc, min, max, value, nullptr, nullptr};
}
constexpr tenon_option_spec float_option(const char* name, double value, double min, double max, const char* doc) {
  return {sizeof(tenon_option_spec), TENON_OPTION_FLOAT, name, doc, min, max, value, nullptr, nullptr};
}
constexpr tenon_option_spec string_option(const char* name, const char* value, const char* choices, const char* doc) {
  return {sizeof(tenon_option_spec), TENON_OPTION_STRING, name, doc, 0, 0, 0, value, choices};
}

/// Whole numbers to numbers from `min` to `max`: {15: -1.5, 42: 2}. Empty by default.
constexpr tenon_option_spec map_option(const char* name, double min, double max, const char* doc) {
  return {sizeof(tenon_option_spec), TENON_OPTION_MAP, name, doc, min, max, 0, nullptr, nullptr};
}

/// The values that the host handed over. Asking for an undeclared name is a bug of the plug-in.
class Options {
 public:
  explicit Options(const tenon_options* options)
      : items_(options == nullptr ? std::span<const tenon_option>{} : std::span{options->items, options->count}) {}

  double number(std::string_view name) const { return find(name).number; }
  int64_t integer(std::string_view name) const { return static_cast<int64_t>(find(name).number); }
  bool flag(std::string_view name) const { return find(name).number != 0; }
  std::string_view text(std::string_view name) const { return view(find(name).string); }
  /// The entries of a map, in the order of the config.
  std::vector<std::pair<int64_t, double>> map(std::string_view name) const {
    std::vector<std::pair<int64_t, double>> entries;
    const std::string written(text(name));
    for (const char* at = written.c_str(); *at != '\0';) {
      char* end = nullptr;
      const int64_t key = std::strtoll(at, &end, 10);
      if (*end != ':') throw std::logic_error("option '" + std::string(name) + "' is no map");
      at = end + 1;
      entries.emplace_back(key, std::strtod(at, &end));
      at = *end == ',' ? end + 1 : end;
    }
    return entries;
  }
  bool is_default(std::string_view name) const { return find(name).is_default != 0; }

 private:
  const tenon_option& find(std::string_view name) const {
    for (const tenon_option& item : items_) {
      if (name == item.name) return item;
    }
    throw std::logic_error("option '" + std::string(name) + "' is not in the plug-in's schema");
  }

  std::span<const tenon_option> items_;
};

}  // namespace tenon
