// The parsed template.
#pragma once

#include "value.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tenon::jinja {

/// A name of the template: an index into Template::names.
using Symbol = int;

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

struct Expression {
  enum class Kind {
    literal,
    name,
    list,
    tuple,
    dict,       // children: key, value, key, value, ...
    attribute,  // object.name
    index,      // object, key
    slice,      // object, from, to, step; nullptr where left out
    call,       // function, arguments
    filter,     // value, arguments
    test,       // value, arguments
    not_,
    negative,
    positive,
    arithmetic,  // two operands, name is the operator
    compare,     // operands with `operators` between them
    concat,
    and_,
    or_,
    conditional  // condition, then, else or nullptr
  } kind;
  int line = 0;
  int height = 0;    // levels of expressions below; bounded, since evaluation and destruction recurse
  std::string name;  // name, attribute, filter, test, operator
  Symbol symbol = 0;
  Value value;  // literal
  std::vector<ExpressionPtr> children;
  std::vector<std::string> operators;                        // of compare
  std::vector<std::pair<std::string, ExpressionPtr>> named;  // arguments by name
  ExpressionPtr more, more_named;                            // *arguments, **arguments
};

/// What `set` and `for` give values to.
struct Target {
  enum class Kind { name, attribute, tuple } kind = Kind::name;
  Symbol symbol = 0;
  std::string attribute;  // of a namespace
  std::vector<Target> parts;
};

struct Statement;
using Body = std::vector<Statement>;

struct Parameter {
  Symbol symbol;
  std::string name;
  ExpressionPtr fallback;  // or nullptr
};

/// A macro, or the body of a call block.
struct Macro {
  std::string name;
  std::vector<Parameter> parameters;
  Body body;
  bool takes_more = false, takes_more_named = false;  // its body uses varargs, kwargs
  Symbol caller = 0, varargs = 0, kwargs = 0;
};

struct Statement {
  enum class Kind {
    text,
    output,
    if_,
    for_,
    set,
    set_block,  // with a chain of filters in expressions[0], or without
    macro,
    call_block,    // expressions[0] is the call; the macro is its `caller`
    filter_block,  // expressions[0] is the chain of filters
    scope,         // with and generation: names set inside stay inside
    break_,
    continue_
  } kind;
  int line = 0;
  Text text;
  std::vector<Target> targets;             // of for, set; of with one an expression
  std::vector<ExpressionPtr> expressions;  // output; conditions of if; iterable and filter of for; value of set
  std::vector<Body> bodies;                // branches of if (the last without condition is else); body and else of for
  std::unique_ptr<Macro> macro;
  bool recursive = false;
  Symbol symbol = 0;  // of the macro's name, of `loop`
};

struct Template {
  Body body;
  std::vector<std::string> names;
};

/// Throws SyntaxError.
Template parse(std::string_view source);

}  // namespace tenon::jinja
