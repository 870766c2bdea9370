// The parser's state, and its two halves: statements (parse_statements.cpp) and expressions (parse_expressions.cpp).
#pragma once

#include "ast.hpp"
#include "lexer.hpp"

#include <initializer_list>
#include <unordered_map>

namespace tenon::jinja {

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}
  Template run();

 private:
  using Kind = Token::Kind;
  using Ends = std::initializer_list<std::string_view>;

  /// One level of nesting.
  class Depth {
   public:
    explicit Depth(Parser& parser);
    ~Depth() { --parser_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;

   private:
    Parser& parser_;
  };

  // Tokens.
  const Token& peek(size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  const Token& next() { return tokens_[std::min(at_++, tokens_.size() - 1)]; }
  bool is_symbol(std::string_view s) const { return peek().kind == Kind::symbol && peek().text == s; }
  bool is_name(std::string_view s) const { return peek().kind == Kind::name && peek().text == s; }
  bool take_symbol(std::string_view s) { return is_symbol(s) ? (++at_, true) : false; }
  bool take_name(std::string_view s) { return is_name(s) ? (++at_, true) : false; }
  void expect_symbol(std::string_view s);
  std::string expect_name();
  std::string found() const;  // the token as messages name it
  [[noreturn]] void fail(const std::string& message, bool limit = false) const;
  [[noreturn]] void expected(const std::string& what) const { fail("expected " + what + ", found " + found()); }
  Symbol symbol(const std::string& name);

  // Statements.
  /// Until a block whose name is in `ends`, whose opening is taken; `end` becomes its name.
  Body parse_body(Ends ends, std::string* end = nullptr);
  void close_block();
  /// A body up to its end tag, closing included.
  Body block(std::string_view end);
  Statement statement();
  Statement if_statement(int line);
  Statement for_statement(int line);
  Statement set_statement(int line);
  Statement with_statement(int line);
  Statement macro_statement(int line);
  Statement call_statement(int line);
  Statement filter_statement(int line);
  Statement generation_statement(int line);
  std::unique_ptr<Macro> signature(std::string name);
  void macro_body(Macro& macro, std::string_view end);
  Target target();
  Target one_target();
  ExpressionPtr captured_filters();

  // Expressions.
  ExpressionPtr make(Expression::Kind kind, std::string name = "") const;
  ExpressionPtr make(Expression::Kind kind, ExpressionPtr a, ExpressionPtr b = nullptr) const;
  ExpressionPtr grown(ExpressionPtr e) const;
  ExpressionPtr literal(Value value) const;
  ExpressionPtr expression();
  ExpressionPtr or_expression();
  ExpressionPtr and_expression();
  ExpressionPtr not_expression();
  ExpressionPtr comparison();
  std::string comparison_operator();
  ExpressionPtr sum();
  ExpressionPtr concat();
  ExpressionPtr product();
  ExpressionPtr power();
  ExpressionPtr unary(bool with_filters);
  ExpressionPtr primary();
  ExpressionPtr constant_or_name();
  ExpressionPtr list_literal();
  ExpressionPtr dict_literal();
  ExpressionPtr number();
  /// One expression, or several with commas: a tuple. `conditional`: whether `a if b` may stand in it.
  ExpressionPtr tuple(bool conditional, bool in_brackets = false);
  ExpressionPtr postfix(ExpressionPtr value);
  ExpressionPtr filters(ExpressionPtr value);
  ExpressionPtr filter(ExpressionPtr value);
  ExpressionPtr test(ExpressionPtr value);
  ExpressionPtr call(ExpressionPtr function);
  ExpressionPtr subscript(ExpressionPtr object);
  void arguments(Expression& e);

  std::vector<Token> tokens_;
  size_t at_ = 0;
  int depth_ = 0;
  int loops_ = 0;               // around the place, inside of its macro
  std::vector<Macro*> macros_;  // around the place
  std::vector<std::string> names_;
  std::unordered_map<std::string, Symbol> symbols_;
};

}  // namespace tenon::jinja
