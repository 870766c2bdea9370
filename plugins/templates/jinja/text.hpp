// Text that remembers which of its bytes the template wrote itself. Only there may control tokens be recognised.
#pragma once

#include "budget.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::jinja {

/// Immutable and shared; valid UTF-8. Its bytes are trusted where the template wrote them (or a vocabulary's own token,
/// or a well-known role of a message), and untrusted where they came from the input.
class Text {
 public:
  /// Bytes up to `end` that the run before does not cover.
  struct Run {
    size_t end;
    bool trusted;
  };

  Text() = default;
  /// Outside of a rendering: not counted.
  Text(std::string_view bytes, bool trusted);

  std::string_view bytes() const { return body_ == nullptr ? std::string_view() : std::string_view(body_->bytes); }
  size_t size() const { return bytes().size(); }
  bool empty() const { return size() == 0; }
  const std::vector<Run>& runs() const;
  /// Written by `safe` or `escape`: `+` escapes what is added to it, as Python's Markup does.
  bool is_markup() const { return body_ != nullptr && body_->markup; }

 private:
  friend class TextBuilder;
  struct Body {
    std::string bytes;
    std::vector<Run> runs;
    bool markup;
    Charge charge;
  };
  std::shared_ptr<const Body> body_;
};

/// Makes texts; what it holds counts against the memory of its budget, what it copies against the steps.
class TextBuilder {
 public:
  explicit TextBuilder(Budget* budget) : charge_(budget, kOverhead) {}

  size_t size() const { return bytes_.size(); }
  void append(std::string_view bytes, bool trusted);
  void append(const Text& text) { append(text, 0, text.size()); }
  /// n bytes of `text` from `first`, with their marks.
  void append(const Text& text, size_t first, size_t n);
  Text finish(bool markup = false);

 private:
  static constexpr size_t kOverhead = 128;  // of a body, its control block and small allocations

  std::string bytes_;
  std::vector<Text::Run> runs_;
  Charge charge_;
};

Text part(Budget& budget, const Text& text, size_t first, size_t n);
inline Text text_of(Budget& budget, std::string_view bytes, bool trusted) {
  TextBuilder out(&budget);
  out.append(bytes, trusted);
  return out.finish();
}
Text joined(Budget& budget, const Text& a, const Text& b);

/// Byte offset of the first occurrence of `part` at or after `from`, or npos. Linear in the size of `text`, always.
size_t find_bytes(Budget& budget, std::string_view text, std::string_view part, size_t from);
/// Offsets of the occurrences of `part` that do not overlap, taken from the left or from the right; at most `most` of
/// them where `most` is not negative. Ascending. `part` is not empty.
std::vector<size_t> occurrences(Budget& budget, std::string_view text, std::string_view part, int64_t most,
                                bool from_right);

}  // namespace tenon::jinja
