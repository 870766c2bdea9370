#include "ast.hpp"
#include "lexer.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace tenon::jinja {
namespace {

constexpr int kMostDepth = 200;   // of nested expressions and blocks: keeps the stack small
constexpr int kMostHeight = 500;  // of one expression, where a chain such as 1 + 1 + ... nests without brackets

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  Body run() {
    Body body = parse_body({});
    if (peek().kind != Token::Kind::end) fail("unexpected '" + peek_block_name() + "'");
    return body;
  }

 private:
  using Kind = Token::Kind;

  [[noreturn]] void fail(const std::string& message) const { throw SyntaxError{peek().line, message}; }
  const Token& peek(size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  const Token& next() { return tokens_[std::min(at_++, tokens_.size() - 1)]; }
  bool is_symbol(std::string_view s) const { return peek().kind == Kind::symbol && peek().text == s; }
  bool is_name(std::string_view s) const { return peek().kind == Kind::name && peek().text == s; }
  bool take_symbol(std::string_view s) { return is_symbol(s) ? (++at_, true) : false; }
  bool take_name(std::string_view s) { return is_name(s) ? (++at_, true) : false; }
  void expect_symbol(std::string_view s) {
    if (!take_symbol(s)) fail("expected '" + std::string(s) + "', found '" + peek().text + "'");
  }
  std::string expect_name() {
    if (peek().kind != Kind::name) fail("expected a name, found '" + peek().text + "'");
    return next().text;
  }
  void close_block() {
    if (peek().kind != Kind::close_block) fail("expected the end of the tag, found '" + peek().text + "'");
    ++at_;
  }
  std::string peek_block_name() const { return peek().kind == Kind::open_block ? peek(1).text : peek().text; }

  struct Depth {
    explicit Depth(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kMostDepth)
        parser_.fail("nested more than " + std::to_string(kMostDepth) + " levels deep");
    }
    ~Depth() { --parser_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    Parser& parser_;
  };

  // ---- statements

  /// Until a block whose name is in `ends`, which is left for the caller.
  Body parse_body(std::vector<std::string_view> ends) {
    const Depth depth(*this);
    Body body;
    for (;;) {
      if (peek().kind == Kind::end) {
        if (!ends.empty()) fail("expected '" + std::string(ends.back()) + "' before the end of the template");
        return body;
      }
      if (peek().kind == Kind::text) {
        Statement s{Statement::Kind::text, peek().line, peek().text, {}, {}, {}};
        ++at_;
        body.push_back(std::move(s));
      } else if (peek().kind == Kind::open_output) {
        Statement s{Statement::Kind::output, next().line, "", {}, {}, {}};
        s.expressions.push_back(expression());
        if (peek().kind != Kind::close_output) fail("expected '}}', found '" + peek().text + "'");
        ++at_;
        body.push_back(std::move(s));
      } else {
        for (const std::string_view end : ends) {
          if (peek(1).text == end) return body;
        }
        ++at_;
        statement(body);
      }
    }
  }

  /// Takes `{% name`, which parse_body left.
  std::string open_end() {
    ++at_;
    return expect_name();
  }

  void statement(Body& body) {
    const int line = peek().line;
    const std::string name = expect_name();
    if (name == "if") return body.push_back(if_statement(line));
    if (name == "for") return body.push_back(for_statement(line));
    if (name == "set") return body.push_back(set_statement(line));
    if (name == "macro") return body.push_back(macro_statement(line));
    if (name == "generation") {  // marks the model's own words for training; its content is written as it stands
      close_block();
      Body inner = parse_body({"endgeneration"});
      open_end();
      close_block();
      for (Statement& s : inner) body.push_back(std::move(s));
      return;
    }
    if (name == "break" || name == "continue") {
      close_block();
      body.push_back({name == "break" ? Statement::Kind::break_ : Statement::Kind::continue_, line, "", {}, {}, {}});
      return;
    }
    --at_;
    fail("the tag '" + name + "' is not known here");
  }

  Statement if_statement(int line) {
    Statement s{Statement::Kind::if_, line, "", {}, {}, {}};
    s.expressions.push_back(expression());
    close_block();
    for (;;) {
      s.bodies.push_back(parse_body({"elif", "else", "endif"}));
      const std::string end = open_end();
      if (end == "elif") {
        s.expressions.push_back(expression());
        close_block();
      } else if (end == "else") {
        close_block();
        s.bodies.push_back(parse_body({"endif"}));
        open_end();
        close_block();
        return s;
      } else {
        close_block();
        return s;
      }
    }
  }

  Statement for_statement(int line) {
    Statement s{Statement::Kind::for_, line, "", {}, {}, {}};
    do {
      s.names.push_back(expect_name());
    } while (take_symbol(","));
    if (!take_name("in")) fail("expected 'in', found '" + peek().text + "'");
    s.expressions.push_back(or_expression());
    s.expressions.push_back(take_name("if") ? expression() : nullptr);
    close_block();
    s.bodies.push_back(parse_body({"else", "endfor"}));
    const bool has_else = open_end() == "else";
    close_block();
    if (has_else) {
      s.bodies.push_back(parse_body({"endfor"}));
      open_end();
      close_block();
    }
    return s;
  }

  Statement set_statement(int line) {
    Statement s{Statement::Kind::set, line, "", {}, {}, {}};
    s.names.push_back(expect_name());
    if (take_symbol(".")) {
      s.text = s.names.front();
      s.names.front() = expect_name();
    }
    while (take_symbol(",")) s.names.push_back(expect_name());
    if (take_symbol("=")) {
      s.expressions.push_back(expression());
      close_block();
      return s;
    }
    s.kind = Statement::Kind::set_block;
    close_block();
    s.bodies.push_back(parse_body({"endset"}));
    open_end();
    close_block();
    return s;
  }

  Statement macro_statement(int line) {
    Statement s{Statement::Kind::macro, line, expect_name(), {}, {}, {}};
    expect_symbol("(");
    while (!take_symbol(")")) {
      s.names.push_back(expect_name());
      s.expressions.push_back(take_symbol("=") ? expression() : nullptr);
      if (!is_symbol(")")) expect_symbol(",");
    }
    close_block();
    s.bodies.push_back(parse_body({"endmacro"}));
    open_end();
    close_block();
    return s;
  }

  // ---- expressions, loosest binding first

  ExpressionPtr make(Expression::Kind kind, std::string name = "") const {
    auto e = std::make_unique<Expression>();
    e->kind = kind;
    e->line = peek().line;
    e->name = std::move(name);
    return e;
  }
  /// Notes how high an expression stands over its parts; every kind that has parts goes through here.
  ExpressionPtr grown(ExpressionPtr e) const {
    const auto raise = [&](const ExpressionPtr& part) {
      if (part != nullptr) e->height = std::max(e->height, part->height + 1);
    };
    for (const ExpressionPtr& part : e->children) raise(part);
    for (const auto& [name, part] : e->named) raise(part);
    if (e->height > kMostHeight) fail("an expression has more than " + std::to_string(kMostHeight) + " levels");
    return e;
  }
  ExpressionPtr binary(std::string op, ExpressionPtr a, ExpressionPtr b) const {
    auto e = make(Expression::Kind::binary, std::move(op));
    e->children.push_back(std::move(a));
    e->children.push_back(std::move(b));
    return grown(std::move(e));
  }

  ExpressionPtr expression() {
    const Depth depth(*this);
    ExpressionPtr value = or_expression();
    while (take_name("if")) {
      auto e = make(Expression::Kind::conditional);
      e->children.push_back(or_expression());
      e->children.push_back(std::move(value));
      e->children.push_back(take_name("else") ? expression() : nullptr);
      value = grown(std::move(e));
    }
    return value;
  }
  ExpressionPtr or_expression() {
    ExpressionPtr left = and_expression();
    while (take_name("or")) left = binary("or", std::move(left), and_expression());
    return left;
  }
  ExpressionPtr and_expression() {
    ExpressionPtr left = not_expression();
    while (take_name("and")) left = binary("and", std::move(left), not_expression());
    return left;
  }
  ExpressionPtr not_expression() {
    const Depth depth(*this);
    if (!take_name("not")) return comparison();
    auto e = make(Expression::Kind::unary, "not");
    e->children.push_back(not_expression());
    return grown(std::move(e));
  }
  ExpressionPtr comparison() {
    ExpressionPtr left = sum();
    for (;;) {
      constexpr std::array<std::string_view, 6> kOperators{"==", "!=", "<=", ">=", "<", ">"};
      std::string op;
      for (const std::string_view each : kOperators) {
        if (op.empty() && take_symbol(each)) op = each;
      }
      if (op.empty() && take_name("in")) op = "in";
      if (op.empty() && is_name("not") && peek(1).text == "in") {
        at_ += 2;
        op = "not in";
      }
      if (op.empty()) return left;
      left = binary(op, std::move(left), sum());
    }
  }
  ExpressionPtr sum() {
    ExpressionPtr left = product();
    for (;;) {
      if (take_symbol("+"))
        left = binary("+", std::move(left), product());
      else if (take_symbol("-"))
        left = binary("-", std::move(left), product());
      else if (take_symbol("~"))
        left = binary("~", std::move(left), product());
      else
        return left;
    }
  }
  ExpressionPtr product() {
    ExpressionPtr left = unary();
    for (;;) {
      std::string op;
      for (const std::string_view each : {"*", "//", "/", "%"}) {
        if (op.empty() && take_symbol(each)) op = each;
      }
      if (op.empty()) return left;
      left = binary(op, std::move(left), unary());
    }
  }
  ExpressionPtr unary() {
    const Depth depth(*this);
    if (take_symbol("-")) {
      auto e = make(Expression::Kind::unary, "-");
      e->children.push_back(unary());
      return grown(std::move(e));
    }
    if (take_symbol("+")) return unary();
    return postfix(primary());
  }

  ExpressionPtr postfix(ExpressionPtr value) {
    for (;;) {
      if (take_symbol(".")) {
        auto e = make(Expression::Kind::attribute, peek().kind == Kind::integer ? next().text : expect_name());
        e->children.push_back(std::move(value));
        value = grown(std::move(e));
      } else if (take_symbol("[")) {
        value = index(std::move(value));
      } else if (take_symbol("(")) {
        auto e = make(Expression::Kind::call);
        e->children.push_back(std::move(value));
        arguments(*e);
        value = grown(std::move(e));
      } else if (take_symbol("|")) {
        auto e = make(Expression::Kind::filter, expect_name());
        e->children.push_back(std::move(value));
        if (take_symbol("(")) arguments(*e);
        value = grown(std::move(e));
      } else if (take_name("is")) {
        const bool negated = take_name("not");
        auto e = make(Expression::Kind::test, expect_name());
        e->negated = negated;
        e->children.push_back(std::move(value));
        if (take_symbol("(")) {
          arguments(*e);
        } else if (peek().kind == Kind::string || peek().kind == Kind::integer) {
          e->children.push_back(primary());
        }
        value = grown(std::move(e));
      } else {
        return value;
      }
    }
  }

  ExpressionPtr index(ExpressionPtr object) {
    std::vector<ExpressionPtr> parts;
    bool is_slice = false;
    parts.push_back(is_symbol(":") || is_symbol("]") ? nullptr : expression());
    while (take_symbol(":")) {
      is_slice = true;
      parts.push_back(is_symbol(":") || is_symbol("]") ? nullptr : expression());
    }
    expect_symbol("]");
    if (!is_slice && parts.front() == nullptr) fail("an index is empty");
    auto e = make(is_slice ? Expression::Kind::slice : Expression::Kind::index);
    e->children.push_back(std::move(object));
    for (ExpressionPtr& part : parts) e->children.push_back(std::move(part));
    return grown(std::move(e));
  }

  void arguments(Expression& e) {
    while (!take_symbol(")")) {
      if (peek().kind == Kind::name && peek(1).kind == Kind::symbol && peek(1).text == "=") {
        std::string name = expect_name();
        ++at_;
        e.named.emplace_back(std::move(name), expression());
      } else {
        e.children.push_back(expression());
      }
      if (!is_symbol(")")) expect_symbol(",");
    }
  }

  ExpressionPtr literal(Value value) const {
    auto e = make(Expression::Kind::literal);
    e->value = std::move(value);
    return e;
  }

  ExpressionPtr primary() {
    const Depth depth(*this);
    if (peek().kind == Kind::string) {
      std::string text = next().text;
      while (peek().kind == Kind::string) text += next().text;
      return literal(text_value(text, true));
    }
    if (peek().kind == Kind::integer || peek().kind == Kind::real) return number();
    if (peek().kind == Kind::name) {
      const std::string& name = peek().text;
      Value value;
      bool known = true;
      if (name == "true" || name == "True")
        value = Value(true);
      else if (name == "false" || name == "False")
        value = Value(false);
      else if (name == "none" || name == "None")
        value = Value(None{});
      else
        known = false;
      if (known) {
        ++at_;
        return literal(std::move(value));
      }
      auto e = make(Expression::Kind::name, name);
      ++at_;
      return e;
    }
    if (take_symbol("(")) {
      ExpressionPtr first = expression();
      if (take_symbol(")")) return first;
      auto e = make(Expression::Kind::list);  // a tuple reads as a list
      e->children.push_back(std::move(first));
      while (take_symbol(",")) {
        if (!is_symbol(")")) e->children.push_back(expression());
      }
      expect_symbol(")");
      return grown(std::move(e));
    }
    if (take_symbol("[")) {
      auto e = make(Expression::Kind::list);
      while (!take_symbol("]")) {
        e->children.push_back(expression());
        if (!is_symbol("]")) expect_symbol(",");
      }
      return grown(std::move(e));
    }
    if (take_symbol("{")) {
      auto e = make(Expression::Kind::dict);
      while (!take_symbol("}")) {
        if (peek().kind != Kind::string) fail("the keys of a dict are strings here");
        std::string key = next().text;
        expect_symbol(":");
        e->named.emplace_back(std::move(key), expression());
        if (!is_symbol("}")) expect_symbol(",");
      }
      return grown(std::move(e));
    }
    fail("expected a value, found '" + peek().text + "'");
  }

  ExpressionPtr number() {
    const Token& token = next();
    const char* end = token.text.data() + token.text.size();
    if (token.kind == Kind::real) {
      double value = 0;
      std::from_chars(token.text.data(), end, value);
      return literal(Value(value));
    }
    int64_t value = 0;
    if (std::from_chars(token.text.data(), end, value).ec != std::errc())
      fail("the number " + token.text + " is too large");
    return literal(Value(value));
  }

  std::vector<Token> tokens_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Body parse(std::string_view source) { return Parser(tokenize(source)).run(); }

}  // namespace tenon::jinja
