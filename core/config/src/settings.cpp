#include <fmt/format.h>

#include <array>

#include "overrides.hpp"
#include "reading.hpp"
#include "settings_sections.hpp"

namespace tenon {
namespace {

Result<std::vector<std::filesystem::path>> read_folders(std::span<const Yaml* const> items, std::string_view what,
                                                        const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> folders;
  for (const Yaml* item : items) {
    if (item->scalar().empty()) return wrong_range(*item, what, "the path of a folder");
    folders.push_back(resolve_path(*item, folder));
  }
  return folders;
}

Result<ModelSettings> read_model(const Yaml* map, const std::filesystem::path& folder) {
  constexpr std::array<std::string_view, 2> kKeys{"path", "dense_cache_mb"};
  ModelSettings model;
  Section section(map, "model", kKeys);
  section.text("path", model.given);
  if (const Yaml* path = section.find("path")) model.path = resolve_path(*path, folder).string();
  section.integer("dense_cache_mb", 0, 1'048'576, model.dense_cache_mb);
  if (!section.ok()) return section.result().error();
  return model;
}

Result<TokenizerSettings> read_tokenizer(const Yaml* map) {
  constexpr std::array<std::string_view, 1> kKeys{"use"};
  TokenizerSettings tokenizer;
  Section section(map, "tokenizer", kKeys);
  section.text("use", tokenizer.use);
  if (const Yaml* use = section.find("use")) tokenizer.place = use->place();
  if (!section.ok()) return section.result().error();
  return tokenizer;
}

Result<Settings> read_settings(const Yaml& config, const std::filesystem::path& folder) {
  constexpr std::array<std::string_view, 8> kKeys{"plugin_dirs", "plugins",   "backends", "model",
                                                  "recipe_dirs", "tokenizer", "sampling", "runtime"};
  Settings settings;
  settings.recipe_dirs = {folder / "models"};
  Section section(&config, "", kKeys);
  if (section.find("plugin_dirs") != nullptr) {
    section.take(read_folders(section.texts("plugin_dirs"), "plugin_dirs", folder), settings.plugin_dirs);
  }
  if (section.find("recipe_dirs") != nullptr) {
    section.take(read_folders(section.texts("recipe_dirs"), "recipe_dirs", folder), settings.recipe_dirs);
  }
  settings.plugins_given = section.find("plugins") != nullptr;
  section.take(read_plugins(section.list("plugins", "plug-in ids, paths or maps"), folder), settings.plugins);
  section.take(read_backends(section.find("backends")), settings.backends);
  section.take(read_model(section.find("model"), folder), settings.model);
  section.take(read_tokenizer(section.find("tokenizer")), settings.tokenizer);
  section.take(read_sampling(section.find("sampling")), settings.sampling);
  section.take(read_runtime(section.find("runtime")), settings.runtime);
  if (!section.ok()) return section.result().error();
  return settings;
}

}  // namespace

std::filesystem::path resolve_path(const Yaml& value, const std::filesystem::path& folder) {
  const bool on_command_line = value.place().source != nullptr && value.place().source->name == kOverrideName;
  std::error_code unknown;  // a working directory that is gone: the path stays relative to it
  const std::filesystem::path base = on_command_line ? std::filesystem::current_path(unknown) : folder;
  return (base / value.scalar()).lexically_normal();
}

Result<Settings> load_settings(const std::filesystem::path& file, std::span<const std::string> overrides) {
  auto config = read_yaml(file);
  if (!config) return config.error();
  if (!config->is_map()) {
    return config_error(
        "CONFIG_SYNTAX", config->place(),
        fmt::format("the file is {}, expected a map of settings such as 'runtime: {{threads: 4}}'", describe(*config)));
  }
  for (const std::string& text : overrides) {
    auto applied = apply_override(*config, text);
    if (!applied) return applied.error();
  }
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::absolute(file, error).parent_path().lexically_normal();
  return read_settings(*config, folder);
}

}  // namespace tenon
