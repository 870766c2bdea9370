// Template source to tokens: text between tags, and the words of each tag. Applies trim_blocks, lstrip_blocks and "-".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenon::jinja {

struct Token {
  enum class Kind {
    text,
    open_output,
    close_output,
    open_block,
    close_block,
    name,
    string,
    integer,
    real,
    symbol,
    end
  } kind;
  std::string text;
  int line;
};

/// A mistake in the template: its line and what is wrong.
struct SyntaxError {
  int line;
  std::string message;
};

/// Throws SyntaxError.
std::vector<Token> tokenize(std::string_view source);

}  // namespace tenon::jinja
