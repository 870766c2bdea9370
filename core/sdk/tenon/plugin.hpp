// A plug-in: a constant description, an object made at init, and the one macro that exports both.
#pragma once

#include <tenon/options.hpp>
#include <tenon/result.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

namespace tenon {

/// The host's services, copied at init. Methods may be called from any thread.
class Host {
 public:
  explicit Host(const tenon_host& host) : host_(host) {}
  void log(int32_t level, std::string_view text) const {
    if (host_.log != nullptr) host_.log(host_.self, level, str(text));
  }

 private:
  tenon_host host_;
};

/// The object behind a loaded plug-in: lives from init to shutdown.
class Plugin {
 public:
  virtual ~Plugin() = default;
  /// The *_api table of an interface such as "tenon.kernel/1", or nullptr. Valid as long as the plug-in.
  virtual const void* interface(std::string_view id) noexcept = 0;
};

/// A plug-in that offers one or more interface objects (Backend, TokenizerKind, ...), each with a kInterface name and a
/// table().
template <class... Interfaces>
class PluginOf final : public Plugin {
 public:
  PluginOf(std::unique_ptr<Interfaces>... interfaces) : interfaces_(std::move(interfaces)...) {}

  const void* interface(std::string_view id) noexcept override {
    const void* table = nullptr;
    std::apply(
        [&](auto&... each) {
          ((table = table == nullptr && id == std::decay_t<decltype(*each)>::kInterface ? each->table() : table), ...);
        },
        interfaces_);
    return table;
  }

 private:
  std::tuple<std::unique_ptr<Interfaces>...> interfaces_;
};

/// What the note and the descriptor say. `interfaces`: the ids, separated by spaces.
struct PluginInfo {
  const char* id;
  const char* version;
  const char* interfaces;
  uint64_t isa = 0;
  uint32_t flags = 0;
  std::span<const tenon_option_spec> options = {};
};

using PluginFactory = Result<std::unique_ptr<Plugin>> (*)(const Host& host, const Options& options);

namespace detail {

// Packed: notes are read in steps of four bytes, the descriptor's 64-bit fields must not open a gap before it.
struct __attribute__((packed, aligned(4))) NoteSection {
  uint32_t name_bytes, desc_bytes, type;
  char name[8];
  tenon_note_desc desc;
};

template <size_t N>
constexpr void copy_name(char (&to)[N], const char* from) {
  size_t i = 0;
  for (; from[i] != '\0'; ++i) to[i] = from[i];  // overrun: a compile error, since this is a constant expression
  for (; i < N; ++i) to[i] = '\0';
}

consteval NoteSection make_note(const PluginInfo& info) {
  tenon_note_desc desc{};
  desc.magic = TENON_PLUGIN_MAGIC;
  desc.size = sizeof(tenon_note_desc);
  desc.abi_major = TENON_ABI_MAJOR;
  desc.abi_minor = TENON_ABI_MINOR;
  desc.isa = info.isa;
  desc.flags = info.flags;
  copy_name(desc.id, info.id);
  copy_name(desc.version, info.version);
  copy_name(desc.interfaces, info.interfaces);
  return {6, sizeof(tenon_note_desc), TENON_NOTE_TYPE, {'T', 'e', 'n', 'o', 'n', 0, 0, 0}, desc};
}

template <PluginFactory Make>
tenon_code init(const tenon_host* host, const tenon_options* options, void** instance, tenon_status* status) noexcept {
  return guarded(status, [&]() -> Result<void> {
    Result<std::unique_ptr<Plugin>> plugin = Make(Host(*host), Options(options));
    if (!plugin) return plugin.error();
    *instance = plugin->release();
    return {};
  });
}

inline tenon_code get_interface(void* instance, const char* id, const void** table, tenon_status* status) noexcept {
  *table = static_cast<Plugin*>(instance)->interface(id);
  if (*table != nullptr) return TENON_OK;
  return fill_status(status, TENON_UNSUPPORTED, "the plug-in does not offer this interface");
}

inline void shutdown(void* instance) noexcept { delete static_cast<Plugin*>(instance); }

template <PluginFactory Make>
consteval tenon_plugin make_descriptor(const PluginInfo& info) {
  return {TENON_PLUGIN_MAGIC,
          sizeof(tenon_plugin),
          TENON_ABI_MAJOR,
          TENON_ABI_MINOR,
          0,
          0,
          info.id,
          info.version,
          info.options.data(),
          static_cast<uint32_t>(info.options.size()),
          info.flags,
          init<Make>,
          get_interface,
          shutdown};
}

}  // namespace detail
}  // namespace tenon

/// Exports the plug-in: `info` a constexpr PluginInfo, `make` a PluginFactory. Once a shared object, at global scope.
#define TENON_PLUGIN(info, make)                                                                     \
  extern "C" {                                                                                       \
  extern __attribute__((visibility("default"))) const tenon_plugin tenon_plugin_entry;               \
  constinit const tenon_plugin tenon_plugin_entry = ::tenon::detail::make_descriptor<make>(info);    \
  extern __attribute__((visibility("hidden"))) const ::tenon::detail::NoteSection tenon_plugin_note; \
  __attribute__((section(".note.tenon"), used,                                                       \
                 aligned(4))) constinit const ::tenon::detail::NoteSection tenon_plugin_note =       \
      ::tenon::detail::make_note(info);                                                              \
  }                                                                                                  \
  static_assert(true)
