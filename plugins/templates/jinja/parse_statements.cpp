#include "parser.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tenon::jinja {

Parser::Depth::Depth(Parser& parser) : parser_(parser) {
  if (parser.depth_ >= kMostNesting) {
    parser.fail(fmt::format("the template nests brackets or blocks more than {} levels deep", kMostNesting), true);
  }
  ++parser.depth_;
}

void Parser::fail(const std::string& message, bool limit) const { throw SyntaxError{peek().place, message, limit}; }

std::string Parser::found() const {
  switch (peek().kind) {
    case Kind::end: return "the end of the template";
    case Kind::close_block: return "'%}'";
    case Kind::close_output: return "'}}'";
    case Kind::open_block: return "'{%'";
    case Kind::open_output: return "'{{'";
    default: return "'" + peek().text + "'";
  }
}

void Parser::expect_symbol(std::string_view s) {
  if (!take_symbol(s)) expected(fmt::format("'{}'", s));
}

std::string Parser::expect_name() {
  if (peek().kind != Kind::name) expected("a name");
  return next().text;
}

Symbol Parser::symbol(const std::string& name) {
  const auto [entry, added] = symbols_.emplace(name, static_cast<Symbol>(names_.size()));
  if (added) names_.push_back(name);
  return entry->second;
}

Template Parser::run() {
  Template parsed;
  parsed.body = parse_body({});
  parsed.names = std::move(names_);
  return parsed;
}

void Parser::close_block() {
  if (peek().kind != Kind::close_block) expected("'%}'");
  ++at_;
}

Body Parser::parse_body(Ends ends, std::string* end) {
  const Depth depth(*this);
  Body body;
  for (;;) {
    const Token& token = peek();
    if (token.kind == Kind::end) {
      if (ends.size() > 0) expected(fmt::format("'{}'", *std::prev(ends.end())));
      return body;
    }
    Statement s{};
    s.line = token.place.line;
    if (token.kind == Kind::text) {
      s.kind = Statement::Kind::text;
      s.text = Text(next().text, true);
    } else if (token.kind == Kind::open_output) {
      ++at_;
      s.kind = Statement::Kind::output;
      s.expressions.push_back(tuple(true));
      if (peek().kind != Kind::close_output) expected("'}}'");
      ++at_;
    } else {
      ++at_;
      if (std::ranges::find(ends, peek().text) != ends.end() && peek().kind == Kind::name) {
        std::string name = next().text;
        if (end != nullptr) *end = std::move(name);
        return body;
      }
      s = statement();
    }
    body.push_back(std::move(s));
  }
}

Body Parser::block(std::string_view end) {
  Body body = parse_body({end});
  close_block();
  return body;
}

Statement Parser::statement() {
  const int line = peek().place.line;
  const std::string name = expect_name();
  if (name == "if") return if_statement(line);
  if (name == "for") return for_statement(line);
  if (name == "set") return set_statement(line);
  if (name == "with") return with_statement(line);
  if (name == "macro") return macro_statement(line);
  if (name == "call") return call_statement(line);
  if (name == "filter") return filter_statement(line);
  if (name == "generation") return generation_statement(line);
  if (name == "break" || name == "continue") {
    --at_;
    if (loops_ == 0) fail("'" + name + "' stands outside of a loop");
    ++at_;
    close_block();
    Statement s{};
    s.kind = name == "break" ? Statement::Kind::break_ : Statement::Kind::continue_;
    s.line = line;
    return s;
  }
  --at_;
  fail("the tag '" + name +
       "' is not known here; known are if, for, set, with, macro, call, filter, raw, generation, break and continue");
}

Statement Parser::if_statement(int line) {
  Statement s{};
  s.kind = Statement::Kind::if_;
  s.line = line;
  std::string end = "elif";
  while (end == "elif") {
    s.expressions.push_back(tuple(false));
    close_block();
    s.bodies.push_back(parse_body({"elif", "else", "endif"}, &end));
  }
  close_block();
  if (end == "else") s.bodies.push_back(block("endif"));
  return s;
}

Statement Parser::for_statement(int line) {
  Statement s{};
  s.kind = Statement::Kind::for_;
  s.line = line;
  s.symbol = symbol("loop");
  s.targets.push_back(target());
  if (!take_name("in")) expected("'in'");
  s.expressions.push_back(tuple(false));
  s.expressions.push_back(take_name("if") ? expression() : nullptr);
  s.recursive = take_name("recursive");
  close_block();
  std::string end;
  ++loops_;
  s.bodies.push_back(parse_body({"else", "endfor"}, &end));
  --loops_;
  close_block();
  if (end == "else") s.bodies.push_back(block("endfor"));
  return s;
}

Target Parser::one_target() {
  const Depth depth(*this);
  if (take_symbol("(")) {
    Target inner = target();
    expect_symbol(")");
    return inner;
  }
  const std::string name = expect_name();
  for (const std::string_view constant : {"true", "false", "none", "True", "False", "None"}) {
    if (name == constant) fail("'" + name + "' is a constant and cannot be set");
  }
  Target one;
  one.symbol = symbol(name);
  if (take_symbol(".")) {
    one.kind = Target::Kind::attribute;
    one.attribute = expect_name();
  }
  return one;
}

Target Parser::target() {
  Target first = one_target();
  if (!is_symbol(",")) return first;
  Target all;
  all.kind = Target::Kind::tuple;
  all.parts.push_back(std::move(first));
  while (take_symbol(",")) {
    if (is_symbol("=") || is_symbol(")") || is_name("in")) break;
    all.parts.push_back(one_target());
  }
  return all;
}

Statement Parser::set_statement(int line) {
  Statement s{};
  s.line = line;
  s.targets.push_back(target());
  if (take_symbol("=")) {
    s.kind = Statement::Kind::set;
    s.expressions.push_back(tuple(true));
    close_block();
    return s;
  }
  s.kind = Statement::Kind::set_block;
  s.symbol = symbol("");
  s.expressions.push_back(captured_filters());
  close_block();
  s.bodies.push_back(block("endset"));
  return s;
}

/// A chain of filters over the text of a block, which has the name "" there.
ExpressionPtr Parser::captured_filters() {
  if (!is_symbol("|")) return nullptr;
  ExpressionPtr text = make(Expression::Kind::name);
  text->symbol = symbol("");
  return filters(std::move(text));
}

Statement Parser::filter_statement(int line) {
  Statement s{};
  s.kind = Statement::Kind::filter_block;
  s.line = line;
  s.symbol = symbol("");
  ExpressionPtr text = make(Expression::Kind::name);
  text->symbol = s.symbol;
  s.expressions.push_back(filters(filter(std::move(text))));
  close_block();
  s.bodies.push_back(block("endfilter"));
  return s;
}

Statement Parser::with_statement(int line) {
  Statement s{};
  s.kind = Statement::Kind::scope;
  s.line = line;
  while (peek().kind != Kind::close_block) {
    s.targets.push_back(one_target());
    expect_symbol("=");
    s.expressions.push_back(expression());
    if (peek().kind != Kind::close_block) expect_symbol(",");
  }
  close_block();
  s.bodies.push_back(block("endwith"));
  return s;
}

/// `{% generation %}` marks the model's own words for training; its content is written as it stands.
Statement Parser::generation_statement(int line) {
  Statement s{};
  s.kind = Statement::Kind::scope;
  s.line = line;
  close_block();
  s.bodies.push_back(block("endgeneration"));
  return s;
}

std::unique_ptr<Macro> Parser::signature(std::string name) {
  auto macro = std::make_unique<Macro>();
  macro->name = std::move(name);
  macro->caller = symbol("caller");
  macro->varargs = symbol("varargs");
  macro->kwargs = symbol("kwargs");
  if (!take_symbol("(")) return macro;
  while (!take_symbol(")")) {
    std::string parameter = expect_name();
    const Symbol its = symbol(parameter);
    const bool needs_fallback = !macro->parameters.empty() && macro->parameters.back().fallback != nullptr;
    ExpressionPtr fallback = take_symbol("=") ? expression() : nullptr;
    if (needs_fallback && fallback == nullptr) fail("a parameter without a default stands behind one with a default");
    macro->parameters.push_back({its, std::move(parameter), std::move(fallback)});
    if (!is_symbol(")")) expect_symbol(",");
  }
  return macro;
}

void Parser::macro_body(Macro& macro, std::string_view end) {
  macros_.push_back(&macro);
  const int loops = std::exchange(loops_, 0);
  macro.body = block(end);
  loops_ = loops;
  macros_.pop_back();
}

Statement Parser::macro_statement(int line) {
  Statement s{};
  s.kind = Statement::Kind::macro;
  s.line = line;
  std::string name = expect_name();
  s.symbol = symbol(name);
  if (!is_symbol("(")) expected("'('");
  s.macro = signature(std::move(name));
  close_block();
  macro_body(*s.macro, "endmacro");
  return s;
}

Statement Parser::call_statement(int line) {
  Statement s{};
  s.kind = Statement::Kind::call_block;
  s.line = line;
  s.macro = signature("caller");
  s.expressions.push_back(unary(true));
  if (s.expressions[0]->kind != Expression::Kind::call) fail("expected a call such as 'macro(...)' in the tag 'call'");
  close_block();
  macro_body(*s.macro, "endcall");
  return s;
}

Template parse(std::string_view source) { return Parser(tokenize(source)).run(); }

}  // namespace tenon::jinja
