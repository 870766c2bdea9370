#include "section.hpp"

#include <fmt/format.h>

#include "reading.hpp"
#include "text_forms.hpp"

namespace tenon {

Section::Section(const Yaml* map, std::string_view name, std::span<const std::string_view> known)
    : map_(map != nullptr && map->is_null() ? nullptr : map), name_(name) {
  if (map_ != nullptr) require(check_keys(*map_, name_.empty() ? "the config" : name_, known));
}

const Yaml* Section::find(std::string_view key) const { return map_ == nullptr || !ok() ? nullptr : map_->find(key); }

std::string Section::path(std::string_view key) const {
  return name_.empty() ? std::string(key) : fmt::format("{}.{}", name_, key);
}

void Section::integer(std::string_view key, int64_t min, int64_t max, int64_t& out) {
  if (const Yaml* value = find(key)) take(as_integer(*value, path(key), min, max), out);
}

void Section::integer_or(std::string_view key, std::string_view word, int64_t min, int64_t max, int64_t& out) {
  const Yaml* value = find(key);
  if (value == nullptr) return;
  if (value->is_scalar() && value->scalar() == word) {
    out = 0;
    return;
  }
  const auto number = as_integer(*value, path(key), min, max);
  if (number) {
    out = *number;
    return;
  }
  const std::string expected = fmt::format("{} or a whole number from {} to {}", word, min, max);
  const bool is_integer = value->is_scalar() && !value->quoted() && parse_integer(value->scalar()).valid;
  fail(is_integer ? wrong_range(*value, path(key), expected) : wrong_type(*value, path(key), expected));
}

void Section::boolean(std::string_view key, bool& out) {
  if (const Yaml* value = find(key)) take(as_bool(*value, path(key)), out);
}

void Section::text(std::string_view key, std::string& out) {
  const Yaml* value = find(key);
  if (value == nullptr) return;
  take(as_text(*value, path(key)), out);
  if (ok() && out.empty()) fail(wrong_range(*value, path(key), "a text that is not empty"));
}

void Section::choice(std::string_view key, std::span<const std::string_view> choices, std::string& out) {
  if (const Yaml* value = find(key)) take(as_choice(*value, path(key), choices), out);
}

std::span<const Yaml> Section::list(std::string_view key, std::string_view expected) {
  const Yaml* value = find(key);
  if (value == nullptr) return {};
  if (value->is_list()) return value->items();
  fail(
      wrong_type(*value, path(key), fmt::format("a list of {}{}", expected, value->is_null() ? " ([] for none)" : "")));
  return {};
}

std::vector<const Yaml*> Section::texts(std::string_view key) {
  std::vector<const Yaml*> texts;
  const Yaml* value = find(key);
  if (value == nullptr) return texts;
  if (value->is_scalar()) return {value};
  for (const Yaml& item : list(key, "texts")) {
    if (!item.is_scalar()) fail(wrong_type(item, path(key) + " item", "a text"));
    texts.push_back(&item);
  }
  return texts;
}

}  // namespace tenon
