// Has what a host may ignore.
#include "handmade.hpp"

constinit const tenon_plugin tenon_plugin_entry = [] {
  tenon_plugin d = handmade::descriptor("extra_feature");
  d.features_compatible = 1ull << 40;
  return d;
}();
constinit const tenon::detail::NoteSection tenon_plugin_note = [] {
  auto n = handmade::note("extra_feature");
  n.desc.features_compatible = 1ull << 40;
  return n;
}();
