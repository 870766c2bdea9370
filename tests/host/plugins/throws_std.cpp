// init throws a std::exception.
#include "handmade.hpp"

#include <stdexcept>

static tenon_code throw_it(const tenon_host*, const tenon_options*, void**, tenon_status*) {
  throw std::runtime_error("no licence for tuesdays");
}

constinit const tenon_plugin tenon_plugin_entry = [] {
  tenon_plugin d = handmade::descriptor("throws_std");
  d.init = throw_it;
  return d;
}();
constinit const tenon::detail::NoteSection tenon_plugin_note = handmade::note("throws_std");
