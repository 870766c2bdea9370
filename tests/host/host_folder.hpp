// What the tests of the plug-in host share: a temporary folder, and the registry opened on one file or folder.
#pragma once

#include <catch2/catch.hpp>
#include <tenon/base/file.hpp>
#include <tenon/registry/registry.hpp>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace host {

namespace fs = std::filesystem;

/// One of the plug-ins of tests/host/plugins.
inline fs::path built(const std::string& name) { return fs::path(HOST_PLUGINS) / (name + ".so"); }

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "tenon-host-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder like " + name);
    path_ = fs::canonical(name);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const fs::path& path() const { return path_; }
  fs::path operator/(const std::string& name) const { return path_ / name; }
  fs::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }
  fs::path copy(const std::string& plugin, const std::string& as = "") const {
    const fs::path to = path_ / (as.empty() ? plugin + ".so" : as);
    fs::copy_file(built(plugin), to);
    return to;
  }

 private:
  fs::path path_;
};

inline std::string bytes_of(const fs::path& path) {
  auto text = tenon::read_text(path, 1u << 28);
  if (!text) throw std::runtime_error(text.error().message);
  return *text;
}

struct Said {
  tenon::LogLevel level;
  std::string text;
};

inline tenon::LogFunction into(std::vector<Said>& log) {
  return [&log](tenon::LogLevel level, std::string_view text) { log.push_back({level, std::string(text)}); };
}

inline tenon::PluginUse use_of(const std::string& name_or_path) {
  tenon::PluginUse use;
  use.use = name_or_path;
  return use;
}

inline tenon::Registry::Request request_for(const std::vector<std::string>& uses,
                                            const std::vector<fs::path>& folders = {}) {
  tenon::Registry::Request request;
  request.plugin_dirs = folders;
  request.plugins_given = true;
  for (const std::string& use : uses) request.plugins.push_back(use_of(use));
  return request;
}

/// The fault of a file that the config names but does not insist on, so that the state keeps it.
inline tenon::Fault fault_of(const fs::path& path) {
  tenon::Registry::Request request = request_for({path.string()});
  request.plugins.front().optional = true;
  auto registry = tenon::Registry::open(request, tenon::silent_log());
  if (!registry) throw std::runtime_error("an optional plug-in ended the load: " + registry.error().message);
  if (registry->plugins().size() != 1 || !registry->plugins().front().fault)
    throw std::runtime_error(path.string() + " was loaded");
  return *registry->plugins().front().fault;
}

/// Everything that a fault must carry: code, id, absolute path, cause and next step; and naming it ends the load.
inline void check_fault(const fs::path& path, const std::string& code, const std::string& id,
                        const std::string& cause) {
  INFO(path.string());
  const tenon::Fault fault = fault_of(path);
  INFO(fault.cause);
  CHECK(fault.code == code);
  CHECK(fault.plugin == id);
  CHECK(fault.path == path);
  CHECK(fault.cause.find(cause) != std::string::npos);
  CHECK_FALSE(fault.next.empty());
  const auto pinned = tenon::Registry::open(request_for({path.string()}), tenon::silent_log());
  REQUIRE_FALSE(pinned);
  CHECK(pinned.error().message ==
        code + ": plug-in '" + id + "' (" + path.string() + "): " + fault.cause + "; " + fault.next);
}

}  // namespace host
