// The parsed template.
#pragma once

#include "value.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tenon::jinja {

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

struct Expression {
  enum class Kind {
    literal,
    name,
    list,
    dict,
    attribute,
    index,
    slice,
    call,
    filter,
    test,
    unary,
    binary,
    conditional
  } kind;
  int line = 0;
  int height = 0;    // levels of expressions below; bounded, since evaluation and destruction recurse
  std::string name;  // name, attribute, filter, test, operator
  Value value;       // literal
  std::vector<ExpressionPtr> children;  // operands; of slice: object, from, to, step (nullptr where left out)
  std::vector<std::pair<std::string, ExpressionPtr>> named;  // arguments by name; items of a dict by text
  bool negated = false;                                      // test: is not
};

struct Statement;
using Body = std::vector<Statement>;

struct Statement {
  enum class Kind { text, output, if_, for_, set, set_block, macro, break_, continue_ } kind;
  int line = 0;
  std::string text;                // text; name of a macro; object of `set object.attribute`
  std::vector<std::string> names;  // targets of for and set, parameters of a macro
  std::vector<ExpressionPtr>
      expressions;           // output; conditions of if; iterable and filter of for; value of set; defaults
  std::vector<Body> bodies;  // branches of if (the last without condition is else); body and else of for
};

/// Throws SyntaxError.
Body parse(std::string_view source);

}  // namespace tenon::jinja
