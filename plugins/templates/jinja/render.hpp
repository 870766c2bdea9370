// Runs a parsed template.
#pragma once

#include "ast.hpp"

#include <string>
#include <vector>

namespace tenon::jinja {

struct Rendered {
  std::string text;
  std::vector<std::pair<size_t, size_t>> trusted;  // byte ranges, ascending, apart from each other
};

/// Throws RenderError, whose message begins with the line. Any thread: nothing of the template or input is changed.
Rendered render(const Template& parsed, const Dict& input);

}  // namespace tenon::jinja
