// Needs what no host has.
#include "handmade.hpp"

constinit const tenon_plugin tenon_plugin_entry = handmade::descriptor("unknown_feature");
constinit const tenon::detail::NoteSection tenon_plugin_note = [] {
  auto n = handmade::note("unknown_feature");
  n.desc.features_incompatible = 1ull << 40;
  return n;
}();
