// Its note and its descriptor disagree.
#include "handmade.hpp"

constinit const tenon_plugin tenon_plugin_entry = [] {
  tenon_plugin d = handmade::descriptor("two_names");
  d.id = "somebody_else";
  return d;
}();
constinit const tenon::detail::NoteSection tenon_plugin_note = handmade::note("two_names");
