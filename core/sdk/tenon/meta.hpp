// Typed reading of model metadata, as the host lends it to tokenizers.
#pragma once

#include <tenon/result.hpp>

#include <optional>
#include <string_view>

namespace tenon {

/// Absent keys and keys of another type give nullopt; use find() to tell them apart.
class Meta {
 public:
  explicit Meta(const tenon_meta& meta) : meta_(meta) {}

  std::optional<tenon_value> find(std::string_view key) const {
    tenon_value value{};
    if (meta_.find(meta_.self, str(key), &value) != TENON_OK) return std::nullopt;
    return value;
  }

  std::optional<std::string_view> text(std::string_view key) const {
    const auto value = find(key);
    if (!value || value->type != TENON_VALUE_STRING) return std::nullopt;
    return view(value->s);
  }

  std::optional<int64_t> integer(std::string_view key) const {
    const auto value = find(key);
    if (!value) return std::nullopt;
    if (value->type == TENON_VALUE_INT) return value->i;
    if (value->type == TENON_VALUE_UINT && value->u <= INT64_MAX) return static_cast<int64_t>(value->u);
    return std::nullopt;
  }

  std::optional<bool> flag(std::string_view key) const {
    const auto value = find(key);
    if (!value || value->type != TENON_VALUE_BOOL) return std::nullopt;
    return value->u != 0;
  }

  /// An array of `element_type` (TENON_VALUE_*).
  std::optional<tenon_value> array(std::string_view key, uint32_t element_type) const {
    const auto value = find(key);
    if (!value || value->type != TENON_VALUE_ARRAY || value->element_type != element_type) return std::nullopt;
    return value;
  }

 private:
  const tenon_meta& meta_;
};

}  // namespace tenon
