// The input of a rendering: JSON to values, with the marks of what may hold control tokens.
#pragma once

#include "value.hpp"

namespace tenon::jinja {

/// Strings of the input are untrusted but for two kinds: `bos_token` and `eos_token`, which the host takes from the
/// vocabulary, and the `role` of a message where it is one of a closed list of words (system, developer, user,
/// assistant, tool). The latter makes '<|' ~ role ~ '|>' the template's own token; no other text of a message can
/// become one. Throws RenderError for what is no JSON object, or nests too deep.
Dict read_input(std::string_view json);

}  // namespace tenon::jinja
