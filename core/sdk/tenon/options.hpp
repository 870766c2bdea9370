// Options: declared as data, checked by the host, read by name.
#pragma once

#include <tenon/result.hpp>

#include <span>
#include <stdexcept>
#include <string_view>

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

/// The values that the host handed over. Asking for an undeclared name is a bug of the plug-in.
class Options {
 public:
  explicit Options(const tenon_options* options)
      : items_(options == nullptr ? std::span<const tenon_option>{} : std::span{options->items, options->count}) {}

  double number(std::string_view name) const { return find(name).number; }
  int64_t integer(std::string_view name) const { return static_cast<int64_t>(find(name).number); }
  bool flag(std::string_view name) const { return find(name).number != 0; }
  std::string_view text(std::string_view name) const { return view(find(name).string); }
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
