// One loaded plug-in: the mapped file, its descriptor and its instance. Private to the registry.
#pragma once

#include <tenon/base/log.hpp>
#include <tenon/config/options.hpp>
#include <tenon/registry/note.hpp>
#include <tenon/result.hpp>

#include <boost/dll/shared_library.hpp>

#include <memory>
#include <string>
#include <variant>

namespace tenon {

/// Loaded, verified and initialised; shut down by the destructor. The file stays mapped for the life of the process.
class Library {
 public:
  /// Faults: PLUGIN_IS_HOST, PLUGIN_MISSING_DEPENDENCY, PLUGIN_UNRESOLVED_SYMBOL, PLUGIN_NO_ENTRY,
  /// PLUGIN_CORRUPT_DESCRIPTOR, PLUGIN_INCOMPLETE, PLUGIN_INIT_FAILED, PLUGIN_CONTRACT, and those of check_options.
  static std::variant<Library, Fault> load(const PluginNote& note, const std::filesystem::path& path,
                                           const Yaml& options, const LogFunction& log);

  Library(Library&& other) noexcept;
  Library& operator=(Library&&) = delete;
  ~Library();

  const std::string& id() const { return id_; }
  /// The table of an interface that the note names, checked for its size; a fault otherwise.
  std::variant<const void*, Fault> interface(const std::string& name, size_t least_bytes) const;

 private:
  Library(std::string id, std::filesystem::path path) : id_(std::move(id)), path_(std::move(path)) {}
  Fault fault(std::string code, std::string cause, std::string next) const;

  std::string id_;
  std::filesystem::path path_;
  std::unique_ptr<LogFunction> log_;  // the plug-in keeps a pointer to it
  OptionValues options_;
  const tenon_plugin* descriptor_ = nullptr;
  void* instance_ = nullptr;
};

}  // namespace tenon
