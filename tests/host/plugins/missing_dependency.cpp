// Needs a library that is not installed.
#include "handmade.hpp"

extern "C" int tenon_test_gone();
static void call_it(void*) { tenon_test_gone(); }

constinit const tenon_plugin tenon_plugin_entry = [] {
  tenon_plugin d = handmade::descriptor("missing_dependency");
  d.shutdown = call_it;
  return d;
}();
constinit const tenon::detail::NoteSection tenon_plugin_note = handmade::note("missing_dependency");
