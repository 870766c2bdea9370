// The sections of the config file, each read into its part of Settings.
#pragma once

#include <tenon/config/settings.hpp>

#include "section.hpp"

namespace tenon {

/// Relative paths of the file stand for `folder` (absolute), those of overrides for the working directory.
std::filesystem::path resolve_path(const Yaml& value, const std::filesystem::path& folder);
/// [a-z0-9_-]+, the form of a plug-in's id.
bool is_plugin_id(std::string_view text);
/// CONFIG_DUPLICATE_KEY with both lines.
Error listed_twice(std::string_view what, std::string_view name, const Place& first, const Place& again);

Result<std::vector<PluginUse>> read_plugins(std::span<const Yaml> items, const std::filesystem::path& folder);
Result<BackendSettings> read_backends(const Yaml* map);
Result<SamplingSettings> read_sampling(const Yaml* map);
Result<RuntimeSettings> read_runtime(const Yaml* map);

}  // namespace tenon
