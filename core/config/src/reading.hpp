// Typed reading that only this folder needs.
#pragma once

#include <tenon/config/yaml.hpp>

#include <optional>

namespace tenon {

/// "'x'", "a list", "empty": what was found, for messages.
std::string describe(const Yaml& value);
/// "a, b or c".
std::string one_of(std::span<const std::string_view> choices);
/// " (did you mean 'x'?)", or nothing.
std::string hint(std::string_view text, std::span<const std::string_view> candidates);

/// "WHAT is FOUND, expected EXPECTED", with the place.
Error wrong_type(const Yaml& value, std::string_view what, std::string_view expected);
Error wrong_range(const Yaml& value, std::string_view what, std::string_view expected);

/// As as_integer, for the whole range of uint64_t.
Result<uint64_t> as_unsigned(const Yaml& value, std::string_view what);

}  // namespace tenon
