// "--set a.b.c=VALUE" on the tree of a config file.
#pragma once

#include <tenon/config/yaml.hpp>

namespace tenon {

/// The source of every value that came from an override is called so.
inline constexpr std::string_view kOverrideName = "--set";

/// Puts VALUE where the path says and makes the maps on the way. Keys are checked later, with the whole config.
Result<void> apply_override(Yaml& config, const std::string& text);

}  // namespace tenon
