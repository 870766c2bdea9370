#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reading.hpp"
#include "settings_sections.hpp"

namespace tenon {
namespace {

Result<std::string> read_digest(const Yaml& value, std::string_view what) {
  std::string digest = value.is_scalar() ? value.scalar() : "";
  for (char& c : digest) c = c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
  const bool hex = digest.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (digest.size() != 64 || !hex) return wrong_type(value, what, "64 hexadecimal digits, as sha256sum prints them");
  return digest;
}

Result<std::string> read_use(const Yaml& value, std::string_view what, const std::filesystem::path& folder) {
  auto text = as_text(value, what);
  if (!text) return text;
  if (text->find('/') != std::string::npos) return resolve_path(value, folder).string();
  if (!is_plugin_id(*text)) {
    return wrong_range(value, what,
                       "a plug-in's id (letters a-z, digits, '_', '-') or a path with a '/', e.g. ./my_kernels.so");
  }
  return text;
}

Result<PluginUse> read_plugin(const Yaml& item, const std::string& name, const std::filesystem::path& folder) {
  PluginUse plugin;
  plugin.place = item.place();
  if (item.is_scalar()) {
    auto use = read_use(item, name, folder);
    if (!use) return use.error();
    plugin.use = std::move(*use);
    return plugin;
  }
  if (!item.is_map()) return wrong_type(item, name, "an id, a path, or a map such as {use: ID, options: {...}}");
  constexpr std::array<std::string_view, 5> kKeys{"use", "sha256", "options", "optional", "allow_threads"};
  Section section(&item, name, kKeys);
  if (const Yaml* use = section.find("use")) {
    plugin.place = use->place();
    section.take(read_use(*use, section.path("use"), folder), plugin.use);
  } else {
    section.fail(wrong_type(item, name, "the key 'use' with an id or path in it"));
  }
  if (const Yaml* digest = section.find("sha256"))
    section.take(read_digest(*digest, section.path("sha256")), plugin.sha256);
  section.boolean("optional", plugin.optional);
  section.boolean("allow_threads", plugin.allow_threads);
  if (const Yaml* options = section.find("options"); options != nullptr && !options->is_null()) {
    if (!options->is_map()) section.fail(wrong_type(*options, section.path("options"), "a map of options"));
    plugin.options = *options;
    plugin.has_options = true;
  }
  if (!section.ok()) return section.result().error();
  return plugin;
}

}  // namespace

bool is_plugin_id(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

Error listed_twice(std::string_view what, std::string_view name, const Place& first, const Place& again) {
  return config_error(
      "CONFIG_DUPLICATE_KEY", again,
      fmt::format("{} lists '{}' in line {} and again in line {}; remove one", what, name, first.line, again.line));
}

Result<std::vector<PluginUse>> read_plugins(std::span<const Yaml> items, const std::filesystem::path& folder) {
  std::vector<PluginUse> plugins;
  for (size_t i = 0; i < items.size(); ++i) {
    auto plugin = read_plugin(items[i], fmt::format("plugins.{}", i), folder);
    if (!plugin) return plugin.error();
    const auto same = std::ranges::find(plugins, plugin->use, &PluginUse::use);
    if (same != plugins.end()) return listed_twice("plugins", plugin->use, same->place, plugin->place);
    plugins.push_back(std::move(*plugin));
  }
  return plugins;
}

}  // namespace tenon
