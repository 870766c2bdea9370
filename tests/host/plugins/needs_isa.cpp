// Needs instructions that no processor has.
#include "handmade.hpp"

constinit const tenon_plugin tenon_plugin_entry = handmade::descriptor("needs_isa");
constinit const tenon::detail::NoteSection tenon_plugin_note = [] {
  auto n = handmade::note("needs_isa");
  n.desc.isa = 1ull << 62;
  return n;
}();
