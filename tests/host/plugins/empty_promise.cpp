// Its note offers an interface that it does not have.
#include "handmade.hpp"

constinit const tenon_plugin tenon_plugin_entry = handmade::descriptor("empty_promise");
constinit const tenon::detail::NoteSection tenon_plugin_note = handmade::note("empty_promise", "tenon.kernel/1");
