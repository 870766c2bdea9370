// UTF-8, one character at a time: for checking a file and for putting carets under columns.
#pragma once

#include <cstddef>
#include <string_view>

namespace tenon {

struct Character {
  char32_t code = 0;
  size_t n_bytes = 1;  // also where !valid: the bytes to step over
  bool valid = false;
};

/// The character at `offset` < text.size(). Overlong forms, surrogates and codes above U+10FFFF are invalid.
Character character_at(std::string_view text, size_t offset);

/// Whether a YAML file may hold it (YAML 1.2, production c-printable).
bool is_printable(char32_t code);

/// Columns of a terminal: 0 for combining marks, 2 for wide East Asian characters and pictographs, else 1.
int terminal_width(char32_t code);

}  // namespace tenon
