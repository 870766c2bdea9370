// Runs a parsed template.
#pragma once

#include "ast.hpp"

namespace tenon::jinja {

/// Throws RenderError; its limit flag is set where steps, output or depth ran out.
Text render(const Body& body, const Dict& input);

}  // namespace tenon::jinja
