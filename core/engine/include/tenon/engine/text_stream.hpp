// Bytes of tokens in, whole characters out: UTF-8 is held back until complete, and so is what may become a stop string.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

class TextStream {
 public:
  explicit TextStream(std::vector<std::string> stop_strings) : stop_strings_(std::move(stop_strings)) {}

  /// Takes the bytes of one token and gives the text that is now certain. After a stop string was seen, stopped() is
  /// true and nothing more comes; the stop string itself is not part of the text.
  std::string push(std::string_view bytes);
  /// What was held back, at the end of a text: an incomplete character becomes U+FFFD.
  std::string finish();
  bool stopped() const { return stopped_; }

 private:
  std::string take_certain(bool at_end);

  std::vector<std::string> stop_strings_;
  std::string bytes_;  // not yet known to be whole characters
  std::string held_;   // whole characters that may be the start of a stop string
  bool stopped_ = false;
};

/// Moves the whole characters at the front of `bytes` to the end of `text`; bytes that can be no part of a character
/// become U+FFFD, one for each maximal broken piece (as the WHATWG encoding standard says). An incomplete character at
/// the end stays, unless at_end.
void move_characters(std::string& bytes, std::string& text, bool at_end);

}  // namespace tenon
