// init throws what is no std::exception.
#include "handmade.hpp"

static tenon_code throw_it(const tenon_host*, const tenon_options*, void**, tenon_status*) { throw 42; }

constinit const tenon_plugin tenon_plugin_entry = [] {
  tenon_plugin d = handmade::descriptor("throws_int");
  d.init = throw_it;
  return d;
}();
constinit const tenon::detail::NoteSection tenon_plugin_note = handmade::note("throws_int");
