#include "lexer.hpp"

#include <algorithm>
#include <array>

namespace tenon::jinja {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {
    // One newline at the very end is not part of a template (keep_trailing_newline is off).
    if (source_.ends_with('\n')) source_.remove_suffix(1);
    if (source_.ends_with('\r')) source_.remove_suffix(1);
  }

  std::vector<Token> run() {
    while (at_ < source_.size()) text_until_tag();
    push(Token::Kind::end, "");
    return std::move(tokens_);
  }

 private:
  void push(Token::Kind kind, std::string text) { tokens_.push_back({kind, std::move(text), line_}); }

  void skip(size_t n) {
    line_ += static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         source_.begin() + static_cast<std::ptrdiff_t>(at_ + n), '\n'));
    at_ += n;
  }

  void text_until_tag() {
    size_t tag = at_;
    for (;; ++tag) {
      tag = source_.find('{', tag);
      if (tag == std::string_view::npos || tag + 1 >= source_.size()) {
        tag = source_.size();
        break;
      }
      const char c = source_[tag + 1];
      if (c == '{' || c == '%' || c == '#') break;
    }
    std::string text(source_.substr(at_, tag - at_));
    if (strip_next_) text.erase(0, std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    strip_next_ = false;
    const bool is_tag = tag < source_.size();
    if (is_tag) {
      const char kind = source_[tag + 1];
      const char mark = tag + 2 < source_.size() ? source_[tag + 2] : ' ';
      if (mark == '-') {
        while (!text.empty() && is_space(text.back())) text.pop_back();
      } else if (kind != '{' && mark != '+') {
        strip_line_start(text);  // lstrip_blocks
      }
    }
    if (!text.empty()) push(Token::Kind::text, text);
    skip(tag - at_);
    if (is_tag) take_tag();
  }

  /// Blanks before a block tag go if nothing else stands on its line.
  void strip_line_start(std::string& text) const {
    size_t keep = text.size();
    while (keep > 0 && (text[keep - 1] == ' ' || text[keep - 1] == '\t')) --keep;
    const bool line_start = keep > 0 ? text[keep - 1] == '\n' : (at_ == 0 || source_[at_ - 1] == '\n');
    if (line_start) text.resize(keep);
  }

  void take_tag() {
    const char kind = source_[at_ + 1];
    const int start = line_;
    if (kind == '#') {
      const size_t close = source_.find("#}", at_ + 2);
      if (close == std::string_view::npos) throw SyntaxError{start, "a comment is not closed with '#}'"};
      strip_next_ = source_[close - 1] == '-';
      skip(close + 2 - at_);
      trim_newline();
      return;
    }
    const bool is_block = kind == '%';
    skip(2);
    if (at_ < source_.size() && (source_[at_] == '-' || source_[at_] == '+')) skip(1);
    push(is_block ? Token::Kind::open_block : Token::Kind::open_output, "");
    const std::string_view close = is_block ? "%}" : "}}";
    int depth = 0;
    for (;;) {
      while (at_ < source_.size() && is_space(source_[at_])) skip(1);
      if (at_ >= source_.size())
        throw SyntaxError{start, std::string("a tag is not closed with '") + std::string(close) + "'"};
      const std::string_view rest = source_.substr(at_);
      const bool minus = rest[0] == '-' && rest.substr(1).starts_with(close);
      if (minus || (rest.starts_with(close) && depth <= 0)) {
        strip_next_ = minus;
        skip(minus ? 3 : 2);
        break;
      }
      if (rest[0] == '{') ++depth;
      if (rest[0] == '}') --depth;
      take_word();
    }
    push(is_block ? Token::Kind::close_block : Token::Kind::close_output, "");
    if (is_block) trim_newline();
  }

  void trim_newline() {  // trim_blocks
    if (strip_next_) return;
    if (source_.substr(at_).starts_with("\r\n"))
      skip(2);
    else if (at_ < source_.size() && source_[at_] == '\n')
      skip(1);
  }

  void take_word() {
    const char c = source_[at_];
    if (c == '\'' || c == '"') return take_string(c);
    size_t n = 1;
    if (is_digit(c)) {
      while (at_ + n < source_.size() && is_digit(source_[at_ + n])) ++n;
      const bool real = at_ + n + 1 < source_.size() && source_[at_ + n] == '.' && is_digit(source_[at_ + n + 1]);
      if (real) {
        ++n;
        while (at_ + n < source_.size() && is_digit(source_[at_ + n])) ++n;
      }
      push(real ? Token::Kind::real : Token::Kind::integer, std::string(source_.substr(at_, n)));
    } else if (is_word(c)) {
      while (at_ + n < source_.size() && is_word(source_[at_ + n])) ++n;
      push(Token::Kind::name, std::string(source_.substr(at_, n)));
    } else {
      constexpr std::array<std::string_view, 6> kPairs{"==", "!=", "<=", ">=", "//", "**"};
      for (const std::string_view pair : kPairs) {
        if (source_.substr(at_).starts_with(pair)) n = 2;
      }
      if (n == 1 && std::string_view("+-*/%~|.,:()[]{}=<>").find(c) == std::string_view::npos) {
        throw SyntaxError{line_, std::string("unexpected character '") + c + "'"};
      }
      push(Token::Kind::symbol, std::string(source_.substr(at_, n)));
    }
    skip(n);
  }

  void take_string(char quote) {
    std::string text;
    size_t n = 1;
    for (;; ++n) {
      if (at_ + n >= source_.size()) throw SyntaxError{line_, "a string is not closed"};
      char c = source_[at_ + n];
      if (c == quote) break;
      if (c == '\\' && at_ + n + 1 < source_.size()) {
        c = source_[at_ + ++n];
        if (c == 'n')
          c = '\n';
        else if (c == 't')
          c = '\t';
        else if (c == 'r')
          c = '\r';
        else if (c != '\\' && c != '\'' && c != '"')
          text += '\\';
      }
      text += c;
    }
    push(Token::Kind::string, std::move(text));
    skip(n + 1);
  }

  std::string_view source_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  int line_ = 1;
  bool strip_next_ = false;
};

}  // namespace

std::vector<Token> tokenize(std::string_view source) { return Lexer(source).run(); }

}  // namespace tenon::jinja
