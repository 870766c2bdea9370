// Built for a later ABI of the same major.
#include "handmade.hpp"

constinit const tenon_plugin tenon_plugin_entry = handmade::descriptor("newer_abi");
constinit const tenon::detail::NoteSection tenon_plugin_note = [] {
  auto n = handmade::note("newer_abi");
  n.desc.abi_minor = 99;
  return n;
}();
