// Its descriptor says 4 GiB.
#include "handmade.hpp"

constinit const tenon_plugin tenon_plugin_entry = [] {
  tenon_plugin d = handmade::descriptor("absurd_size");
  d.size = 0xFFFFFFFF;
  return d;
}();
constinit const tenon::detail::NoteSection tenon_plugin_note = handmade::note("absurd_size");
