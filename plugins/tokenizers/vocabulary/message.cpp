#include "message.hpp"

#include <fmt/format.h>

namespace tenon::vocabulary {

std::string quoted(std::string_view text) {
  constexpr size_t kMax = 60;
  size_t n = text.size();
  if (n > kMax) {
    n = kMax;
    while (n > 0 && (static_cast<unsigned char>(text[n]) & 0xC0) == 0x80) --n;
  }
  std::string out = "\"";
  for (const char c : text.substr(0, n)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + (n < text.size() ? "\"..." : "\"");
}

}  // namespace tenon::vocabulary
