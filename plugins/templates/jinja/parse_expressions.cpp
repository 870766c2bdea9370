// Expressions, loosest binding first; the grammar is jinja2's.
#include "numbers.hpp"
#include "parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tenon::jinja {

ExpressionPtr Parser::make(Expression::Kind kind, std::string name) const {
  auto e = std::make_unique<Expression>();
  e->kind = kind;
  e->line = peek().place.line;
  e->name = std::move(name);
  return e;
}

ExpressionPtr Parser::make(Expression::Kind kind, ExpressionPtr a, ExpressionPtr b) const {
  ExpressionPtr e = make(kind);
  e->line = a->line;
  e->children.push_back(std::move(a));
  if (b != nullptr) e->children.push_back(std::move(b));
  return grown(std::move(e));
}

/// Notes how high an expression stands over its parts; every kind that has parts goes through here.
ExpressionPtr Parser::grown(ExpressionPtr e) const {
  const auto raise = [&](const ExpressionPtr& part) {
    if (part != nullptr) e->height = std::max(e->height, part->height + 1);
  };
  for (const ExpressionPtr& part : e->children) raise(part);
  for (const auto& [name, part] : e->named) raise(part);
  raise(e->more);
  raise(e->more_named);
  if (e->height > kMostHeight) {
    fail(fmt::format("an expression of the template has more than {} levels", kMostHeight), true);
  }
  return e;
}

ExpressionPtr Parser::literal(Value value) const {
  ExpressionPtr e = make(Expression::Kind::literal);
  e->value = std::move(value);
  return e;
}

ExpressionPtr Parser::expression() {
  const Depth depth(*this);
  ExpressionPtr value = or_expression();
  while (take_name("if")) {
    ExpressionPtr e = make(Expression::Kind::conditional);
    e->children.push_back(or_expression());
    e->children.push_back(std::move(value));
    e->children.push_back(take_name("else") ? expression() : nullptr);
    value = grown(std::move(e));
  }
  return value;
}

ExpressionPtr Parser::tuple(bool conditional, bool in_brackets) {
  const auto one = [&] { return conditional ? expression() : or_expression(); };
  const auto ends = [&] {
    return is_symbol(")") || is_symbol("]") || peek().kind == Kind::close_block || peek().kind == Kind::close_output ||
           is_symbol("=") || is_name("in") || is_name("recursive");
  };
  if (in_brackets && is_symbol(")")) return make(Expression::Kind::tuple);
  ExpressionPtr first = one();
  if (!is_symbol(",")) return first;
  ExpressionPtr all = make(Expression::Kind::tuple);
  all->children.push_back(std::move(first));
  while (take_symbol(",") && !ends()) all->children.push_back(one());
  return grown(std::move(all));
}

ExpressionPtr Parser::or_expression() {
  ExpressionPtr left = and_expression();
  while (take_name("or")) left = make(Expression::Kind::or_, std::move(left), and_expression());
  return left;
}

ExpressionPtr Parser::and_expression() {
  ExpressionPtr left = not_expression();
  while (take_name("and")) left = make(Expression::Kind::and_, std::move(left), not_expression());
  return left;
}

ExpressionPtr Parser::not_expression() {
  if (!take_name("not")) return comparison();
  const Depth depth(*this);
  return make(Expression::Kind::not_, not_expression());
}

std::string Parser::comparison_operator() {
  for (const std::string_view each : {"==", "!=", "<=", ">=", "<", ">"}) {
    if (take_symbol(each)) return std::string(each);
  }
  if (take_name("in")) return "in";
  if (is_name("not") && peek(1).kind == Kind::name && peek(1).text == "in") {
    at_ += 2;
    return "not in";
  }
  return "";
}

/// a < b <= c compares each with the next.
ExpressionPtr Parser::comparison() {
  ExpressionPtr left = sum();
  std::string op = comparison_operator();
  if (op.empty()) return left;
  ExpressionPtr e = make(Expression::Kind::compare, std::move(left));
  for (; !op.empty(); op = comparison_operator()) {
    e->operators.push_back(op);
    e->children.push_back(sum());
  }
  return grown(std::move(e));
}

ExpressionPtr Parser::sum() {
  ExpressionPtr left = concat();
  while (is_symbol("+") || is_symbol("-")) {
    const std::string op = next().text;
    left = make(Expression::Kind::arithmetic, std::move(left), concat());
    left->name = op;
  }
  return left;
}

ExpressionPtr Parser::concat() {
  ExpressionPtr first = product();
  if (!is_symbol("~")) return first;
  ExpressionPtr e = make(Expression::Kind::concat, std::move(first));
  while (take_symbol("~")) e->children.push_back(product());
  return grown(std::move(e));
}

ExpressionPtr Parser::product() {
  ExpressionPtr left = power();
  while (is_symbol("*") || is_symbol("/") || is_symbol("//") || is_symbol("%")) {
    const std::string op = next().text;
    left = make(Expression::Kind::arithmetic, std::move(left), power());
    left->name = op;
  }
  return left;
}

ExpressionPtr Parser::power() {
  ExpressionPtr left = unary(true);
  while (take_symbol("**")) {
    left = make(Expression::Kind::arithmetic, std::move(left), unary(true));
    left->name = "**";
  }
  return left;
}

ExpressionPtr Parser::unary(bool with_filters) {
  ExpressionPtr value;
  if (is_symbol("-") || is_symbol("+")) {
    const Depth depth(*this);
    const auto kind = next().text == "-" ? Expression::Kind::negative : Expression::Kind::positive;
    value = make(kind, unary(false));
  } else {
    value = primary();
  }
  value = postfix(std::move(value));
  return with_filters ? filters(std::move(value)) : std::move(value);
}

ExpressionPtr Parser::postfix(ExpressionPtr value) {
  for (;;) {
    if (take_symbol("."))
      if (peek().kind == Kind::integer)
        value = make(Expression::Kind::index, std::move(value), number());
      else
        (value = make(Expression::Kind::attribute, std::move(value)))->name = expect_name();
    else if (take_symbol("["))
      value = subscript(std::move(value));
    else if (take_symbol("("))
      value = call(std::move(value));
    else
      return value;
  }
}

ExpressionPtr Parser::filters(ExpressionPtr value) {
  for (;;) {
    if (take_symbol("|"))
      value = filter(std::move(value));
    else if (take_name("is"))
      value = test(std::move(value));
    else if (take_symbol("("))  // a call may follow a filter too
      value = call(std::move(value));
    else
      return value;
  }
}

ExpressionPtr Parser::filter(ExpressionPtr value) {
  ExpressionPtr e = make(Expression::Kind::filter, std::move(value));
  e->line = peek().place.line;
  e->name = expect_name();
  while (take_symbol(".")) e->name += "." + expect_name();
  if (take_symbol("(")) arguments(*e);
  return grown(std::move(e));
}

ExpressionPtr Parser::test(ExpressionPtr value) {
  const bool negated = take_name("not");
  ExpressionPtr e = make(Expression::Kind::test, std::move(value));
  e->name = expect_name();
  while (take_symbol(".")) e->name += "." + expect_name();
  const Kind kind = peek().kind;
  const bool is_word = kind == Kind::name && !is_name("else") && !is_name("or") && !is_name("and");
  if (take_symbol("(")) {
    arguments(*e);
  } else if (is_name("is")) {
    fail("a test cannot follow a test; join them with 'and'");
  } else if (is_word || kind == Kind::string || kind == Kind::integer || kind == Kind::real || is_symbol("[") ||
             is_symbol("{")) {
    e->children.push_back(postfix(primary()));
  }
  e = grown(std::move(e));
  return negated ? make(Expression::Kind::not_, std::move(e)) : std::move(e);
}

ExpressionPtr Parser::call(ExpressionPtr function) {
  ExpressionPtr e = make(Expression::Kind::call, std::move(function));
  e->line = peek().place.line;
  arguments(*e);
  return grown(std::move(e));
}

/// Behind "[".
ExpressionPtr Parser::subscript(ExpressionPtr object) {
  std::vector<ExpressionPtr> parts;
  bool is_slice = false;
  const auto part = [&] { return is_symbol(":") || is_symbol("]") ? nullptr : expression(); };
  parts.push_back(part());
  while (parts.size() < 3 && take_symbol(":")) {
    is_slice = true;
    parts.push_back(part());
  }
  if (!is_slice && parts.front() == nullptr) fail("an index is empty");
  if (!is_slice && is_symbol(",")) {
    ExpressionPtr all = make(Expression::Kind::tuple);
    all->children.push_back(std::move(parts.front()));
    while (take_symbol(",") && !is_symbol("]")) all->children.push_back(expression());
    parts.front() = grown(std::move(all));
  }
  expect_symbol("]");
  parts.resize(is_slice ? 3 : 1);
  ExpressionPtr e = make(is_slice ? Expression::Kind::slice : Expression::Kind::index, std::move(object));
  for (ExpressionPtr& each : parts) e->children.push_back(std::move(each));
  return grown(std::move(e));
}

/// Behind "(".
void Parser::arguments(Expression& e) {
  while (!take_symbol(")")) {
    if (take_symbol("**")) {
      if (e.more_named != nullptr) fail("a call has '**' twice");
      e.more_named = expression();
    } else if (take_symbol("*")) {
      if (e.more != nullptr) fail("a call has '*' twice");
      e.more = expression();
    } else if (peek().kind == Kind::name && peek(1).kind == Kind::symbol && peek(1).text == "=") {
      std::string name = expect_name();
      ++at_;
      if (std::ranges::any_of(e.named, [&](const auto& other) { return other.first == name; })) {
        fail("the argument '" + name + "' is given twice");
      }
      e.named.emplace_back(std::move(name), expression());
    } else {
      if (!e.named.empty() || e.more != nullptr || e.more_named != nullptr) {
        fail("an argument without a name stands behind one with a name");
      }
      e.children.push_back(expression());
    }
    if (!is_symbol(")")) expect_symbol(",");
  }
}

ExpressionPtr Parser::primary() {
  if (peek().kind == Kind::string) {
    std::string text = next().text;
    while (peek().kind == Kind::string) text += next().text;
    return literal(Value(Text(text, true)));
  }
  if (peek().kind == Kind::integer || peek().kind == Kind::real) return number();
  if (peek().kind == Kind::name) return constant_or_name();
  if (take_symbol("(")) {
    ExpressionPtr inner = tuple(true, true);
    expect_symbol(")");
    return inner;
  }
  if (take_symbol("[")) return list_literal();
  if (take_symbol("{")) return dict_literal();
  expected("a value");
}

ExpressionPtr Parser::constant_or_name() {
  ExpressionPtr e = make(Expression::Kind::name, next().text);
  const std::string& name = e->name;
  if (name == "true" || name == "True") return literal(Value(true));
  if (name == "false" || name == "False") return literal(Value(false));
  if (name == "none" || name == "None") return literal(Value(None{}));
  e->symbol = symbol(name);
  for (Macro* macro : macros_) {
    macro->takes_more = macro->takes_more || name == "varargs";
    macro->takes_more_named = macro->takes_more_named || name == "kwargs";
  }
  return e;
}

ExpressionPtr Parser::list_literal() {
  ExpressionPtr e = make(Expression::Kind::list);
  while (!take_symbol("]")) {
    e->children.push_back(expression());
    if (!is_symbol("]")) expect_symbol(",");
  }
  return grown(std::move(e));
}

ExpressionPtr Parser::dict_literal() {
  ExpressionPtr e = make(Expression::Kind::dict);
  while (!take_symbol("}")) {
    e->children.push_back(expression());
    expect_symbol(":");
    e->children.push_back(expression());
    if (!is_symbol("}")) expect_symbol(",");
  }
  return grown(std::move(e));
}

ExpressionPtr Parser::number() {
  const std::string& text = peek().text;
  if (peek().kind == Kind::real) {
    const std::optional<double> value = parse_real(text);
    if (!value) expected("a number");
    ++at_;
    return literal(Value(*value));
  }
  const bool prefixed = text.size() > 2 && text[0] == '0' && std::string_view("xob").find(text[1]) != std::string::npos;
  const int base = !prefixed ? 10 : text[1] == 'x' ? 16 : text[1] == 'o' ? 8 : 2;
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + (prefixed ? 2 : 0), end, value, base);
  if (error != std::errc() || stop != end) fail("the number " + text + " is beyond 64 bits");
  ++at_;
  return literal(Value(value));
}

}  // namespace tenon::jinja
