// Template source to tokens: text between tags, and the words of each tag. Applies trim_blocks, lstrip_blocks, "-" and
// "+".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenon::jinja {

struct Place {
  int line = 1;    // from 1
  int column = 1;  // in characters, from 1
};

struct Token {
  enum class Kind {
    text,
    open_output,
    close_output,
    open_block,
    close_block,
    name,
    string,
    integer,  // digits with prefix, without underscores
    real,
    symbol,
    end
  } kind;
  std::string text;
  Place place;
};

/// A mistake in the template, or a limit that it exceeds.
struct SyntaxError {
  Place place;
  std::string message;
  bool limit = false;
};

/// `source` is valid UTF-8. Throws SyntaxError.
std::vector<Token> tokenize(std::string_view source);

/// The words of a tag's inside, one at a time; `at` moves behind the word. Throws SyntaxError.
Token take_word(std::string_view source, size_t& at, Place place);

}  // namespace tenon::jinja
