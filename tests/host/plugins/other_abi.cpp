// Built for another ABI.
#include "handmade.hpp"

constinit const tenon_plugin tenon_plugin_entry = handmade::descriptor("other_abi");
constinit const tenon::detail::NoteSection tenon_plugin_note = [] {
  auto n = handmade::note("other_abi");
  n.desc.abi_major = 9;
  return n;
}();
