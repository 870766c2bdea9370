// A required slot of the descriptor is NULL.
#include "handmade.hpp"

constinit const tenon_plugin tenon_plugin_entry = [] {
  tenon_plugin d = handmade::descriptor("null_init");
  d.init = nullptr;
  return d;
}();
constinit const tenon::detail::NoteSection tenon_plugin_note = handmade::note("null_init");
