// A backend whose table says 4 GiB.
#include "handmade.hpp"

static const uint32_t kTable[2] = {0xFFFFFFFF, 0};
static tenon_code give_table(void*, const char*, const void** table, tenon_status*) {
  *table = kTable;
  return TENON_OK;
}

constinit const tenon_plugin tenon_plugin_entry = [] {
  tenon_plugin d = handmade::descriptor("huge_table");
  d.get_interface = give_table;
  return d;
}();
constinit const tenon::detail::NoteSection tenon_plugin_note = handmade::note("huge_table", "tenon.kernel/1");
