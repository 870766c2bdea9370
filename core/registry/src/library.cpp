#include "library.hpp"

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
  const size_t end = message.find_first_of(" ,\n", first);
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

bool is_host(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::equivalent(path, "/proc/self/exe", error) && !error;
}

}  // namespace

Fault Library::fault(std::string code, std::string cause, std::string next) const {
  return {std::move(code), id_, path_, std::move(cause), std::move(next), std::nullopt};
}

std::variant<Library, Fault> Library::load(const PluginNote& note, const std::filesystem::path& path,
                                           const Yaml& options, const LogFunction& log) {
  Library library(note.id, path);
  if (is_host(path)) {
    return library.fault("PLUGIN_IS_HOST", "this is the host executable itself", "name a plug-in's .so");
  }
  namespace dll = boost::dll;
  dll::shared_library mapped;
  try {
    // NODELETE: closing the handle leaves the file mapped, since what it left in the process may still point into it.
    const auto stay = static_cast<dll::load_mode::type>(RTLD_NODELETE);
    mapped.load(boost::filesystem::path(path.string()), dll::load_mode::rtld_now | dll::load_mode::rtld_local | stay);
  } catch (const boost::system::system_error& e) {
    return dlopen_fault(note.id, path, e.what());
  }
  if (!mapped.has(TENON_PLUGIN_SYMBOL)) {
    return library.fault("PLUGIN_NO_ENTRY", fmt::format("it does not export '{}'", TENON_PLUGIN_SYMBOL),
                         "export it with TENON_PLUGIN");
  }
  library.descriptor_ = &mapped.get<const tenon_plugin>(TENON_PLUGIN_SYMBOL);
  const tenon_plugin& d = *library.descriptor_;
  if (d.magic != TENON_PLUGIN_MAGIC || d.size < sizeof(tenon_plugin) || d.size > (1u << 16)) {
    const std::string cause = fmt::format("its descriptor has magic {:#x} and size {}, expected {:#x} and {} or more",
                                          d.magic, d.size, TENON_PLUGIN_MAGIC, sizeof(tenon_plugin));
    library.descriptor_ = nullptr;
    return library.fault("PLUGIN_CORRUPT_DESCRIPTOR", cause, "build it again with this version's headers");
  }
  const auto refuse = [&](const char* code, std::string cause, const char* next) {
    library.descriptor_ = nullptr;
    return library.fault(code, std::move(cause), next);
  };
  if (d.id == nullptr || note.id != d.id || d.abi_major != note.abi_major || d.abi_minor != note.abi_minor) {
    return refuse("PLUGIN_CORRUPT_DESCRIPTOR", "its note and its descriptor disagree on the id or the ABI",
                  "build it again");
  }
  for (const auto& [slot, name] : {std::pair{reinterpret_cast<const void*>(d.init), "init"},
                                   {reinterpret_cast<const void*>(d.get_interface), "get_interface"},
                                   {reinterpret_cast<const void*>(d.shutdown), "shutdown"}}) {
    if (slot == nullptr)
      return refuse("PLUGIN_INCOMPLETE", fmt::format("the required slot '{}' is NULL", name), "fill it");
  }
  if (d.n_option_specs > 0 && d.option_specs == nullptr) {
    return refuse("PLUGIN_CORRUPT_DESCRIPTOR", "it has options and no table of them", "build it again");
  }
  auto values = check_options({d.option_specs, d.n_option_specs}, options, fmt::format("plug-in '{}'", note.id));
  if (!values) {
    const Error error = values.error();
    library.descriptor_ = nullptr;
    const size_t colon = error.message.find(": ");
    return Fault{error.message.substr(0, colon),
                 note.id,
                 path,
                 error.message.substr(colon == std::string::npos ? 0 : colon + 2),
                 "",
                 std::nullopt};
  }
  library.options_ = std::move(*values);
  library.log_ = std::make_unique<LogFunction>(log);
  tenon_host host{};
  host.size = sizeof host;
  host.abi_major = TENON_ABI_MAJOR;
  host.abi_minor = TENON_ABI_MINOR;
  host.self = library.log_.get();
  host.log = [](void* self, int32_t level, tenon_str text) {
    const int32_t known = level < 0 ? 0 : level > 3 ? 3 : level;
    (*static_cast<LogFunction*>(self))(static_cast<LogLevel>(known), view(text));
  };
  const tenon_options given = library.options_.view();
  tenon_status status = empty_status();
  const tenon_code code = d.init(&host, &given, &library.instance_, &status);
  if (code != TENON_OK) {
    library.instance_ = nullptr;
    return library.fault("PLUGIN_INIT_FAILED", from_status(code, status).error().message,
                         "see the plug-in's own documentation");
  }
  if (library.instance_ == nullptr) {
    return library.fault("PLUGIN_CONTRACT", "init succeeded and gave no instance", "report it to the plug-in's author");
  }
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

std::variant<const void*, Fault> Library::interface(const std::string& name, size_t least_bytes) const {
  const void* table = nullptr;
  tenon_status status = empty_status();
  const tenon_code code = descriptor_->get_interface(instance_, name.c_str(), &table, &status);
  if (code != TENON_OK || table == nullptr) {
    return fault("PLUGIN_CONTRACT", fmt::format("its note offers '{}', get_interface does not give it", name),
                 "report it to the plug-in's author");
  }
  uint32_t size = 0;
  std::memcpy(&size, table, sizeof size);
  if (size < least_bytes || size > (1u << 16)) {
    return fault("PLUGIN_INCOMPLETE",
                 fmt::format("its table of '{}' has {} bytes, at least {} are needed", name, size, least_bytes),
                 "build it again with this version's headers");
  }
  return table;
}

}  // namespace tenon
