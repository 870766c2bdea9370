// Values as text: what `{{ value }}` writes, and JSON.
#pragma once

#include "value.hpp"

namespace tenon::jinja {

/// str(value). Only strings keep their marks: a number, a list or a dict may come from the input.
Text to_text(Budget& budget, const Value& value);
/// repr(value), as it stands inside a list or dict.
Text repr(Budget& budget, const Value& value);

struct JsonStyle {
  bool ascii = false;
  bool sort_keys = false;
  bool indented = false;
  std::string indent;
  std::string item_separator = ", ", key_separator = ": ";
};
/// json.dumps(value). Untrusted.
Text to_json(Budget& budget, const Value& value, const JsonStyle& style);

}  // namespace tenon::jinja
