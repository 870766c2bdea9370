// One loaded plug-in: the mapped file, its descriptor and its instance. Private to the registry.
#pragma once

#include <tenon/base/log.hpp>
#include <tenon/config/options.hpp>
#include <tenon/registry/note.hpp>
#include <tenon/result.hpp>

#include "identity.hpp"

#include <boost/dll/shared_library.hpp>

#include <memory>
#include <string>
#include <variant>

namespace tenon {

/// No struct of the border is larger; a size above it is a mistake, not a newer version.
inline constexpr uint32_t kMostTableBytes = 1u << 16;

/// Loaded, verified and initialised; shut down by the destructor. The file stays mapped for the life of the process.
class Library {
 public:
  /// Faults: PLUGIN_CHANGED_DURING_LOAD, PLUGIN_MISSING_DEPENDENCY, PLUGIN_UNRESOLVED_SYMBOL, PLUGIN_NO_ENTRY,
  /// PLUGIN_CORRUPT_DESCRIPTOR, PLUGIN_INCOMPLETE, PLUGIN_INIT_FAILED, PLUGIN_CONTRACT, and those of check_options.
  /// `examined`: the file as it was when its note was read.
  static std::variant<Library, Fault> load(const PluginNote& note, const std::filesystem::path& path,
                                           const std::optional<FileIdentity>& examined, const Yaml& options,
                                           const LogFunction& log);

  Library(Library&& other) noexcept;
  Library& operator=(Library&&) = delete;
  ~Library();

  const std::string& id() const { return id_; }
  const std::filesystem::path& path() const { return path_; }
  /// The table of an interface that the note names, as the plug-in gives it: its size is not checked yet.
  std::variant<const void*, Fault> interface(const std::string& name) const;
  /// A fault of this plug-in.
  Fault fault(std::string code, std::string cause, std::string next) const;

 private:
  Library(std::string id, std::filesystem::path path) : id_(std::move(id)), path_(std::move(path)) {}

  std::optional<Fault> check_descriptor(const PluginNote& note, const tenon_plugin& descriptor) const;
  std::optional<Fault> take_options(const tenon_plugin& descriptor, const Yaml& options);
  /// Calls init; from then on the destructor calls shutdown.
  std::optional<Fault> start(const tenon_plugin& descriptor, const LogFunction& log);

  std::string id_;
  std::filesystem::path path_;
  std::unique_ptr<LogFunction> log_;  // the plug-in keeps a pointer to it
  OptionValues options_;
  const tenon_plugin* descriptor_ = nullptr;
  void* instance_ = nullptr;
};

}  // namespace tenon
