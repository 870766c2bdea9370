// Why a plug-in cannot be used: a stable code, the plug-in, the file, the cause and the next step.
#pragma once

#include <tenon/config/yaml.hpp>
#include <tenon/result.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace tenon {

struct Fault {
  std::string code;    // "PLUGIN_NOT_FOUND", see core/registry/README.md
  std::string plugin;  // id, or as the config names it
  std::filesystem::path path;
  std::string cause;
  std::string next;
  std::optional<Place> place;      // the line of the config that asked for it
  bool is_config_message = false;  // `cause` names plug-in and place itself

  /// "CODE: plug-in 'id' (/path): cause; next", with the place and its line where there is one.
  Error to_error() const;
};

}  // namespace tenon
