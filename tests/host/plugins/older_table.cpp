// A set of processors built when tables ended before commit and clone; what stands behind its table is not part of it.
#include "handmade.hpp"

#include <cstddef>

static const tenon_processor_info kInfo{
    sizeof(tenon_processor_info), TENON_PROCESSOR_FILTER, "quiet", "does nothing", nullptr, 0, 0};
static tenon_processor_api make_table() {
  tenon_processor_api table{};
  table.size = offsetof(tenon_processor_api, commit);
  table.n_processors = 1;
  table.info = [](void*, uint32_t) { return &kInfo; };
  table.create = [](void*, uint32_t, const tenon_options*, int32_t, void** made, tenon_status*) -> tenon_code {
    static int object = 0;
    *made = &object;
    return TENON_OK;
  };
  table.destroy = [](void*) {};
  table.apply = [](void*, tenon_candidates*, tenon_status*) -> tenon_code { return TENON_OK; };
  table.choose = [](void*, tenon_candidates*, int32_t*, tenon_status*) -> tenon_code { return TENON_UNSUPPORTED; };
  table.commit = [](void*, int32_t, tenon_status*) -> tenon_code { return TENON_INTERNAL; };  // beyond `size`
  return table;
}
static const tenon_processor_api kTable = make_table();
static tenon_code give_table(void*, const char*, const void** table, tenon_status*) {
  *table = &kTable;
  return TENON_OK;
}

constinit const tenon_plugin tenon_plugin_entry = [] {
  tenon_plugin d = handmade::descriptor("older_table");
  d.get_interface = give_table;
  return d;
}();
constinit const tenon::detail::NoteSection tenon_plugin_note = handmade::note("older_table", "tenon.processor/1");
