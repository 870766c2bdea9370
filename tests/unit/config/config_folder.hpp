// A folder of its own for a test's config file, removed at the end.
#pragma once

#include <tenon/config/settings.hpp>

#include <string>
#include <string_view>
#include <vector>

class ConfigFolder {
 public:
  ConfigFolder();
  ~ConfigFolder();
  ConfigFolder(const ConfigFolder&) = delete;
  ConfigFolder& operator=(const ConfigFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file() const { return path_ / "t.yaml"; }
  /// Writes t.yaml and loads it.
  tenon::Result<tenon::Settings> load(std::string_view yaml, const std::vector<std::string>& overrides = {}) const;
  /// The message of the error that loading gives, with "t.yaml" for the file's path; "" where it loads.
  std::string error(std::string_view yaml, const std::vector<std::string>& overrides = {}) const;

 private:
  std::filesystem::path path_;
};
