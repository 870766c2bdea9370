#include "config_folder.hpp"

#include <fstream>
#include <stdexcept>

ConfigFolder::ConfigFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "tenon-config-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder like " + name);
  path_ = name;
}

ConfigFolder::~ConfigFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

tenon::Result<tenon::Settings> ConfigFolder::load(std::string_view yaml,
                                                  const std::vector<std::string>& overrides) const {
  std::ofstream(file(), std::ios::binary) << yaml;
  return tenon::load_settings(file(), overrides);
}

std::string ConfigFolder::error(std::string_view yaml, const std::vector<std::string>& overrides) const {
  const auto settings = load(yaml, overrides);
  std::string message = settings ? "" : settings.error().message;
  const std::string shown = file().string();
  for (size_t at = message.find(shown); at != std::string::npos; at = message.find(shown)) {
    message.replace(at, shown.size(), "t.yaml");
  }
  return message;
}
