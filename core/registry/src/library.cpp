#include "library.hpp"

#include <tenon/base/border.hpp>

#include <dlfcn.h>
#include <fmt/format.h>
#include <boost/core/demangle.hpp>

#include <cstring>

namespace tenon {
namespace {

/// The symbol name after "undefined symbol: ", readable.
std::string demangled_in(const std::string& message) {
  constexpr std::string_view kMark = "undefined symbol: ";
  const size_t at = message.find(kMark);
  if (at == std::string::npos) return message;
  const size_t first = at + kMark.size();
  const size_t end = message.find_first_of(" ,)\n", first);
  const std::string symbol = message.substr(first, end == std::string::npos ? end : end - first);
  return fmt::format("undefined symbol {}", boost::core::demangle(symbol.c_str()));
}

Fault dlopen_fault(const std::string& id, const std::filesystem::path& path, const std::string& message) {
  const auto make = [&](std::string code, std::string cause, std::string next) {
    return Fault{std::move(code), id, path, std::move(cause), std::move(next), std::nullopt};
  };
  constexpr std::string_view kMissing = ": cannot open shared object file";
  const size_t missing = message.find(kMissing);
  if (missing != std::string::npos) {
    const size_t start = message.rfind(' ', missing);
    const std::string soname = message.substr(start == std::string::npos ? 0 : start + 1,
                                              missing - (start == std::string::npos ? 0 : start + 1));
    const char* search = std::getenv("LD_LIBRARY_PATH");
    return make(
        "PLUGIN_MISSING_DEPENDENCY",
        fmt::format("it needs {}, which is neither beside it by its RUNPATH, nor in LD_LIBRARY_PATH ({}), nor in the "
                    "system's folders",
                    soname, search == nullptr ? "not set" : search),
        fmt::format("install the package that holds {}", soname));
  }
  if (message.find("undefined symbol") != std::string::npos) {
    return make("PLUGIN_UNRESOLVED_SYMBOL", demangled_in(message),
                "link the plug-in with -z defs to find it when building");
  }
  if (message.find("version `") != std::string::npos) {
    return make("PLUGIN_UNRESOLVED_SYMBOL", message, "build the plug-in on this system, its C or C++ library is newer");
  }
  return make("PLUGIN_BAD_FORMAT", message, "build or copy it again");
}

/// The first required slot that is NULL, or "".
std::string_view null_slot(const tenon_plugin& d) {
  if (d.init == nullptr) return "init";
  if (d.get_interface == nullptr) return "get_interface";
  return d.shutdown == nullptr ? "shutdown" : "";
}

constexpr const char* kRebuild = "build it again with this version's headers";
constexpr uint32_t kMostOptions = 1024;

}  // namespace

Fault Library::fault(std::string code, std::string cause, std::string next) const {
  return {std::move(code), id_, path_, std::move(cause), std::move(next), std::nullopt};
}

std::optional<Fault> Library::check_descriptor(const PluginNote& note, const tenon_plugin& d) const {
  if (d.magic != TENON_PLUGIN_MAGIC || d.size < sizeof(tenon_plugin) || d.size > kMostTableBytes) {
    return fault("PLUGIN_CORRUPT_DESCRIPTOR",
                 fmt::format("its descriptor has magic {:#x} and size {}, expected {:#x} and {} or more", d.magic,
                             d.size, TENON_PLUGIN_MAGIC, sizeof(tenon_plugin)),
                 kRebuild);
  }
  if (d.id == nullptr || note.id != d.id || d.abi_major != note.abi_major || d.abi_minor != note.abi_minor) {
    return fault("PLUGIN_CORRUPT_DESCRIPTOR", "its note and its descriptor disagree on the id or the ABI", kRebuild);
  }
  if (const std::string_view slot = null_slot(d); !slot.empty()) {
    return fault("PLUGIN_INCOMPLETE", fmt::format("the required slot '{}' is NULL", slot), "fill it");
  }
  if (d.n_option_specs > kMostOptions || (d.n_option_specs > 0 && d.option_specs == nullptr)) {
    return fault("PLUGIN_CORRUPT_DESCRIPTOR",
                 fmt::format("it has {} options and no table of them, or more than {}", d.n_option_specs, kMostOptions),
                 kRebuild);
  }
  return std::nullopt;
}

std::optional<Fault> Library::take_options(const tenon_plugin& d, const Yaml& options) {
  auto values = check_options({d.option_specs, d.n_option_specs}, options, fmt::format("plug-in '{}'", id_));
  if (values) {
    options_ = std::move(*values);
    return std::nullopt;
  }
  // A message of the config: its code stands first, its place in the text.
  const std::string& message = values.error().message;
  const size_t colon = message.find(": ");
  Fault wrong = fault(message.substr(0, colon), colon == std::string::npos ? "" : message.substr(colon + 2), "");
  wrong.is_config_message = true;
  return wrong;
}

std::optional<Fault> Library::start(const tenon_plugin& d, const LogFunction& log) {
  log_ = std::make_unique<LogFunction>(log);
  tenon_host host{};
  host.size = sizeof host;
  host.abi_major = TENON_ABI_MAJOR;
  host.abi_minor = TENON_ABI_MINOR;
  host.self = log_.get();
  host.log = [](void* self, int32_t level, tenon_str text) {
    const int32_t known = level < 0 ? 0 : level > 3 ? 3 : level;
    (*static_cast<LogFunction*>(self))(static_cast<LogLevel>(known), view(text));
  };
  const tenon_options given = options_.view();
  tenon_status status = empty_status();
  void* instance = nullptr;
  const tenon_code code = call_plugin(status, [&] { return d.init(&host, &given, &instance, &status); });
  if (code != TENON_OK) {
    const std::string message = from_status(code, status).error().message;
    return fault("PLUGIN_INIT_FAILED",
                 message.empty() ? fmt::format("init gave code {} and no message", code) : message,
                 "see the plug-in's own documentation");
  }
  if (instance == nullptr) {
    return fault("PLUGIN_CONTRACT", "init succeeded and gave no instance", "report it to the plug-in's author");
  }
  descriptor_ = &d;
  instance_ = instance;
  return std::nullopt;
}

std::variant<Library, Fault> Library::load(const PluginNote& note, const std::filesystem::path& path,
                                           const std::optional<FileIdentity>& examined, const Yaml& options,
                                           const LogFunction& log) {
  Library library(note.id, path);
  namespace dll = boost::dll;
  dll::shared_library mapped;
  try {
    // NODELETE: closing the handle leaves the file mapped, since what it left in the process may still point into it.
    const auto stay = static_cast<dll::load_mode::type>(RTLD_NODELETE);
    mapped.load(boost::filesystem::path(path.string()), dll::load_mode::rtld_now | dll::load_mode::rtld_local | stay);
  } catch (const boost::system::system_error& e) {
    return dlopen_fault(note.id, path, e.what());
  }
  if (identity_of(path) != examined) {
    return library.fault("PLUGIN_CHANGED_DURING_LOAD", "the file was written or replaced while it was being loaded",
                         "start again when its installation is done");
  }
  if (!mapped.has(TENON_PLUGIN_SYMBOL)) {
    return library.fault("PLUGIN_NO_ENTRY", fmt::format("it does not export '{}'", TENON_PLUGIN_SYMBOL),
                         "export it with TENON_PLUGIN");
  }
  const auto& descriptor = mapped.get<const tenon_plugin>(TENON_PLUGIN_SYMBOL);
  if (auto wrong = library.check_descriptor(note, descriptor)) return *wrong;
  if (auto wrong = library.take_options(descriptor, options)) return *wrong;
  if (auto wrong = library.start(descriptor, log)) return *wrong;
  return library;
}

Library::Library(Library&& other) noexcept
    : id_(std::move(other.id_)),
      path_(std::move(other.path_)),
      log_(std::move(other.log_)),
      options_(std::move(other.options_)),
      descriptor_(std::exchange(other.descriptor_, nullptr)),
      instance_(std::exchange(other.instance_, nullptr)) {}

Library::~Library() {
  if (descriptor_ != nullptr && instance_ != nullptr) descriptor_->shutdown(instance_);
}

std::variant<const void*, Fault> Library::interface(const std::string& name) const {
  const void* table = nullptr;
  tenon_status status = empty_status();
  const tenon_code code =
      call_plugin(status, [&] { return descriptor_->get_interface(instance_, name.c_str(), &table, &status); });
  if (code != TENON_OK || table == nullptr) {
    return fault("PLUGIN_CONTRACT", fmt::format("its note offers '{}', get_interface does not give it", name),
                 "report it to the plug-in's author");
  }
  return table;
}

}  // namespace tenon
