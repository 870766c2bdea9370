#include "utf8.hpp"

#include <algorithm>
#include <array>

namespace tenon {
namespace {

struct CodeRange {
  char32_t first, last;
};

// Coarse blocks of Unicode's EastAsianWidth.txt (W and F) and of its combining marks: a caret that is off by one under
// a rare script is harmless.
constexpr std::array<CodeRange, 10> kWide{{{0x1100, 0x115F},
                                           {0x2E80, 0x303E},
                                           {0x3041, 0xA4CF},
                                           {0xAC00, 0xD7A3},
                                           {0xF900, 0xFAFF},
                                           {0xFE30, 0xFE6F},
                                           {0xFF00, 0xFF60},
                                           {0xFFE0, 0xFFE6},
                                           {0x1F300, 0x1FAFF},
                                           {0x20000, 0x3FFFD}}};
constexpr std::array<CodeRange, 5> kCombining{
    {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}}};

template <size_t N>
bool is_in(const std::array<CodeRange, N>& ranges, char32_t code) {
  return std::ranges::any_of(ranges, [code](CodeRange r) { return r.first <= code && code <= r.last; });
}

}  // namespace

Character character_at(std::string_view text, size_t offset) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[offset + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const size_t n = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4) return {lead, 1, false};
  char32_t code = lead & (0xFFu >> (n + 1));
  for (size_t i = 1; i < n; ++i) {
    if (offset + i >= text.size() || (byte(i) & 0xC0) != 0x80) return {lead, i, false};
    code = (code << 6) | (byte(i) & 0x3Fu);
  }
  constexpr std::array<char32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return {code, n, code >= kLeast[n] && code <= 0x10FFFF && !surrogate};
}

bool is_printable(char32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  if (code >= 0x7F && code < 0xA0) return code == 0x85;
  return code != 0xFFFE && code != 0xFFFF;
}

int terminal_width(char32_t code) {
  if (is_in(kCombining, code)) return 0;
  return is_in(kWide, code) ? 2 : 1;
}

}  // namespace tenon
