// UTF-8 and what Python's str knows of characters: case, blanks, letters, digits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tenon::jinja {

enum class Case { upper, lower, title };

/// Bits of properties(), named after Python's str methods; cased is upper | lower | title.
enum Property : uint16_t {
  kSpace = 1,
  kUpper = 2,
  kLower = 4,
  kTitle = 8,
  kCased = kUpper | kLower | kTitle,
  kCaseIgnorable = 16,
  kAlpha = 32,
  kDecimal = 64,
  kDigit = 128,
  kNumeric = 256,
  kAlphanumeric = kAlpha | kDecimal | kDigit | kNumeric,
  kPrintable = 512
};
uint16_t properties(char32_t c);

bool is_valid_utf8(std::string_view bytes);
/// Bytes of the character that starts with this byte, in valid UTF-8.
inline size_t character_size(char first) {
  const auto c = static_cast<unsigned char>(first);
  return c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
}
/// The character at a byte offset of valid UTF-8.
char32_t character_at(std::string_view bytes, size_t at);
/// The offset where the character before `at` begins; at > 0.
size_t before(std::string_view bytes, size_t at);
size_t count_characters(std::string_view bytes);
void append_utf8(char32_t c, std::string& out);

/// c in another case, as UTF-8: up to three characters (without the rule of the final sigma).
void append_cased(char32_t c, Case to, std::string& out);

}  // namespace tenon::jinja
