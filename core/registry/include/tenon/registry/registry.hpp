// The plug-ins of one engine: found, checked, loaded, and asked what they offer. Filled once, then frozen.
#pragma once

#include <tenon.h>
#include <tenon/base/log.hpp>
#include <tenon/config/settings.hpp>
#include <tenon/registry/fault.hpp>
#include <tenon/result.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tenon {

/// How far a file came: it is there; its note is in order; it can run on this machine; it was loaded for this engine.
enum class PluginStage { present, loadable, usable, chosen };
std::string_view name_of(PluginStage stage);

struct PluginState {
  std::string id, version;  // empty where the note could not be read
  std::filesystem::path path;
  std::string sha256;    // of the file; only of chosen ones
  std::string build_id;  // GNU build-id
  uint64_t isa = 0;
  std::vector<std::string> interfaces;
  PluginStage stage = PluginStage::present;
  std::optional<Fault> fault;  // why it came no further
};

template <class Api>
struct Offer {
  std::string plugin_id;
  const Api* api;
};

/// Owns the instances: the destructor shuts them down in reverse order of init. Libraries stay mapped.
class Registry {
 public:
  struct Request {
    std::vector<std::filesystem::path> plugin_dirs;  // scanned for *.so
    std::vector<PluginUse> plugins;                  // what to load
    bool plugins_given = false;                      // false: load everything usable that the scan found
  };
  struct ProcessorOffer {
    std::string plugin_id;
    const tenon_processor_api* api;
    uint32_t index;
    const tenon_processor_info* info;
  };

  /// A named plug-in that cannot be used is an error, unless it is optional; what only the scan found is at most a
  /// warning.
  static Result<Registry> open(const Request& request, const LogFunction& log);
  /// Everything that the request could see, nothing loaded: for `tenon plugins list`.
  static std::vector<PluginState> list(const Request& request);

  Registry(Registry&&) noexcept;
  Registry& operator=(Registry&&) noexcept;
  ~Registry();

  /// Loaded and refused ones, by id.
  std::span<const PluginState> plugins() const;
  // What the loaded plug-ins offer, by plug-in id.
  std::span<const Offer<tenon_kernel_api>> backends() const;
  std::span<const Offer<tenon_format_api>> formats() const;
  std::span<const Offer<tenon_tokenizer_api>> tokenizers() const;
  std::span<const Offer<tenon_template_api>> templates() const;
  std::span<const ProcessorOffer> processors() const;

 private:
  struct Contents;
  explicit Registry(std::unique_ptr<Contents> contents);
  std::unique_ptr<Contents> contents_;
};

}  // namespace tenon
