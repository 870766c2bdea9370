#include "lexer.hpp"

#include "unicode.hpp"

#include <algorithm>

namespace tenon::jinja {
namespace {

constexpr size_t kNone = std::string_view::npos;

/// With "\n" for every line end and without one at the very end (keep_trailing_newline is off).
std::string normalized(std::string_view source) {
  std::string out;
  for (size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '\r' && i + 1 < source.size() && source[i + 1] == '\n') continue;
    out += source[i] == '\r' ? '\n' : source[i];
  }
  if (out.ends_with('\n')) out.pop_back();
  return out;
}

class Lexer {
 public:
  explicit Lexer(std::string_view source) : text_(normalized(source)), source_(text_) {}

  std::vector<Token> run() {
    while (at_ < source_.size()) text_until_tag();
    push(Token::Kind::end, "");
    return std::move(tokens_);
  }

 private:
  void push(Token::Kind kind, std::string text) { tokens_.push_back({kind, std::move(text), place_}); }

  void skip_to(size_t end) {
    for (; at_ < end; at_ += character_size(source_[at_])) {
      if (source_[at_] == '\n') {
        ++place_.line;
        place_.column = 1;
      } else {
        ++place_.column;
      }
    }
  }
  bool is_space(size_t at) const {
    return at < source_.size() && (properties(character_at(source_, at)) & kSpace) != 0;
  }
  void skip_spaces() {
    size_t end = at_;
    while (is_space(end)) end += character_size(source_[end]);
    skip_to(end);
  }

  size_t find_tag(size_t from) const {
    for (size_t tag = from; (tag = source_.find('{', tag)) != kNone; ++tag) {
      if (tag + 1 < source_.size() && std::string_view("{%#").find(source_[tag + 1]) != kNone) return tag;
    }
    return source_.size();
  }

  void text_until_tag() {
    const size_t tag = find_tag(at_);
    const char kind = tag < source_.size() ? source_[tag + 1] : '\0';
    push_text(tag, kind == '\0' ? '+' : mark_at(tag), kind != '{');
    if (kind == '#')
      comment();
    else if (kind == '%' && !raw())
      take_tag(true);
    else if (kind == '{')
      take_tag(false);
  }

  char mark_at(size_t tag) const { return tag + 2 < source_.size() ? source_[tag + 2] : '\0'; }

  /// The text up to `end`, where a tag with this mark stands: "-" takes all blanks before it, "+" none, and a block or
  /// comment those of its own line if nothing else stands before it there (lstrip_blocks).
  void push_text(size_t end, char mark, bool is_block) {
    std::string_view text = source_.substr(at_, end - at_);
    const auto ends_with_space = [&](std::string_view t) {
      return !t.empty() && (properties(character_at(t, before(t, t.size()))) & kSpace) != 0;
    };
    if (mark == '-') {
      while (ends_with_space(text)) text = text.substr(0, before(text, text.size()));
    } else if (mark != '+' && is_block) {
      std::string_view kept = text;
      while (ends_with_space(kept) && kept.back() != '\n') kept = kept.substr(0, before(kept, kept.size()));
      const bool line_start = kept.empty() ? (at_ == 0 || source_[at_ - 1] == '\n') : kept.back() == '\n';
      if (line_start) text = kept;
    }
    if (!text.empty()) push(Token::Kind::text, std::string(text));
    skip_to(end);
  }

  /// Behind the closing of a tag that begins at `close` with an optional mark: takes blanks after "-" and, for blocks
  /// and comments, one newline (trim_blocks) unless "+" stands there.
  void after_close(char mark, bool trims) {
    if (mark == '-')
      skip_spaces();
    else if (mark != '+' && trims && at_ < source_.size() && source_[at_] == '\n')
      skip_to(at_ + 1);
  }

  void comment() {
    const size_t close = source_.find("#}", at_ + 2);
    if (close == kNone) throw SyntaxError{place_, "a comment is not closed with '#}'"};
    const char mark = close > at_ + 2 ? source_[close - 1] : '\0';
    skip_to(close + 2);
    after_close(mark, true);
  }

  /// The end of `{% name %}` with marks at `at`, or npos. `mark` becomes the one before "%}".
  size_t plain_tag(size_t at, std::string_view name, char& mark) const {
    if (!source_.substr(at).starts_with("{%")) return kNone;
    at += 2;
    if (at < source_.size() && (source_[at] == '-' || source_[at] == '+')) ++at;
    while (is_space(at)) at += character_size(source_[at]);
    if (!source_.substr(at).starts_with(name)) return kNone;
    at += name.size();
    while (is_space(at)) at += character_size(source_[at]);
    mark = at < source_.size() ? source_[at] : '\0';
    if (mark == '-' || mark == '+') ++at;
    return source_.substr(at).starts_with("%}") ? at + 2 : kNone;
  }

  /// {% raw %} ... {% endraw %}: text with nothing to execute in it.
  bool raw() {
    char mark = '\0';
    const size_t open_end = plain_tag(at_, "raw", mark);
    if (open_end == kNone || mark == '+') return false;
    const Place start = place_;
    skip_to(open_end);
    after_close(mark, false);
    for (size_t tag = at_; (tag = source_.find("{%", tag)) != kNone; tag += 2) {
      const size_t close_end = plain_tag(tag, "endraw", mark);
      if (close_end == kNone) continue;
      push_text(tag, mark_at(tag), true);
      skip_to(close_end);
      after_close(mark, true);
      return true;
    }
    throw SyntaxError{start, "'raw' is not closed with '{% endraw %}'"};
  }

  void take_tag(bool is_block) {
    const Place start = place_;
    push(is_block ? Token::Kind::open_block : Token::Kind::open_output, "");
    const char mark = mark_at(at_);
    skip_to(at_ + (mark == '-' || (is_block && mark == '+') ? 3 : 2));
    const std::string_view close = is_block ? "%}" : "}}";
    std::string open;  // brackets; inside of them a tag does not end
    for (;;) {
      skip_spaces();
      if (at_ >= source_.size()) throw SyntaxError{start, "a tag is not closed with '" + std::string(close) + "'"};
      const std::string_view rest = source_.substr(at_);
      const bool marked = (rest[0] == '-' || (is_block && rest[0] == '+')) && rest.substr(1).starts_with(close);
      if (open.empty() && (marked || rest.starts_with(close))) {
        push(is_block ? Token::Kind::close_block : Token::Kind::close_output, "");
        skip_to(at_ + (marked ? 3 : 2));
        return after_close(marked ? rest[0] : '\0', is_block);
      }
      size_t end = at_;
      Token word = take_word(source_, end, place_);
      if (word.kind == Token::Kind::symbol) balance(open, word.text[0]);
      tokens_.push_back(std::move(word));
      skip_to(end);
    }
  }

  void balance(std::string& open, char c) const {
    constexpr std::string_view kOpen = "([{", kClose = ")]}";
    if (kOpen.find(c) != kNone) open += c;
    const size_t which = kClose.find(c);
    if (which == kNone) return;
    if (open.empty() || open.back() != kOpen[which]) throw SyntaxError{place_, std::string("unexpected '") + c + "'"};
    open.pop_back();
  }

  const std::string text_;
  std::string_view source_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  Place place_;
};

}  // namespace

std::vector<Token> tokenize(std::string_view source) { return Lexer(source).run(); }

}  // namespace tenon::jinja
