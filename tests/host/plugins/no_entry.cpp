// A note without the entry symbol.
#include "handmade.hpp"

constinit const tenon::detail::NoteSection tenon_plugin_note = handmade::note("no_entry");
