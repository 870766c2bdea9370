// Calls a function that nobody defines.
#include "handmade.hpp"

namespace acme {
int frobnicate(int);
}
static void call_it(void*) { acme::frobnicate(7); }

constinit const tenon_plugin tenon_plugin_entry = [] {
  tenon_plugin d = handmade::descriptor("undefined_symbol");
  d.shutdown = call_it;
  return d;
}();
constinit const tenon::detail::NoteSection tenon_plugin_note = handmade::note("undefined_symbol");
