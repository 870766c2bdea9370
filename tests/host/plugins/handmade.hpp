// For plug-ins that are wrong on purpose: the note and the descriptor of a sound one, to be changed before export. A
// source that includes this defines both constants; a slot may be replaced by one that misbehaves.
#pragma once

#include <tenon/plugin.hpp>

extern "C" {
extern __attribute__((visibility("default"))) const tenon_plugin tenon_plugin_entry;
extern __attribute__((visibility("hidden"), section(".note.tenon"), aligned(4)))
const tenon::detail::NoteSection tenon_plugin_note;
}

namespace handmade {

inline tenon_code init(const tenon_host*, const tenon_options*, void** instance, tenon_status*) {
  static int object = 0;
  *instance = &object;
  return TENON_OK;
}
inline tenon_code get_interface(void*, const char*, const void**, tenon_status*) { return TENON_UNSUPPORTED; }
inline void shutdown(void*) {}

constexpr tenon_plugin descriptor(const char* id) {
  return {TENON_PLUGIN_MAGIC,
          sizeof(tenon_plugin),
          TENON_ABI_MAJOR,
          TENON_ABI_MINOR,
          0,
          0,
          id,
          "1.0",
          nullptr,
          0,
          0,
          init,
          get_interface,
          shutdown};
}

consteval tenon::detail::NoteSection note(const char* id, const char* interfaces = "") {
  return tenon::detail::make_note({.id = id, .version = "1.0", .interfaces = interfaces});
}

}  // namespace handmade
