// A backend whose table lacks a required slot.
#include "handmade.hpp"

static tenon_kernel_api make_table() {
  tenon_kernel_api table{};
  table.size = sizeof table;
  table.supports = [](void*, const tenon_op*, tenon_support*) {};
  table.create = [](void*, const tenon_op*, void**, tenon_status*) -> tenon_code { return TENON_UNSUPPORTED; };
  table.destroy = [](void*) {};
  return table;  // pack_plan and all after it are NULL
}
static const tenon_kernel_api kTable = make_table();
static tenon_code give_table(void*, const char*, const void** table, tenon_status*) {
  *table = &kTable;
  return TENON_OK;
}

constinit const tenon_plugin tenon_plugin_entry = [] {
  tenon_plugin d = handmade::descriptor("null_slot");
  d.get_interface = give_table;
  return d;
}();
constinit const tenon::detail::NoteSection tenon_plugin_note = handmade::note("null_slot", "tenon.kernel/1");
