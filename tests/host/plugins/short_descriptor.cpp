// Its descriptor ends before its slots.
#include "handmade.hpp"

constinit const tenon_plugin tenon_plugin_entry = [] {
  tenon_plugin d = handmade::descriptor("short_descriptor");
  d.size = 16;
  return d;
}();
constinit const tenon::detail::NoteSection tenon_plugin_note = handmade::note("short_descriptor");
