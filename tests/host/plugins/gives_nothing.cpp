// init says OK and gives no instance.
#include "handmade.hpp"

static tenon_code say_ok(const tenon_host*, const tenon_options*, void**, tenon_status*) { return TENON_OK; }

constinit const tenon_plugin tenon_plugin_entry = [] {
  tenon_plugin d = handmade::descriptor("gives_nothing");
  d.init = say_ok;
  return d;
}();
constinit const tenon::detail::NoteSection tenon_plugin_note = handmade::note("gives_nothing");
