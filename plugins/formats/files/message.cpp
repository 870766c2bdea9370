#include "message.hpp"

#include <fmt/format.h>

namespace tenon::formats {

std::string quoted(std::string_view name) {
  constexpr size_t kMax = 80;
  std::string text = "'";
  for (const char c : name.substr(0, kMax)) {
    if (c >= 0x20 && c < 0x7f) {
      text += c;
    } else {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  text += name.size() > kMax ? "...'" : "'";
  return text;
}

std::string shown(std::string_view path) {
  constexpr size_t kMax = 160;
  if (path.size() <= kMax) return std::string(path);
  size_t begin = path.size() - kMax;
  while (begin < path.size() && (static_cast<unsigned char>(path[begin]) & 0xC0) == 0x80) ++begin;
  return fmt::format("...{}", path.substr(begin));
}

Error in_context(std::string_view context, const Error& error) {
  return {error.code, fmt::format("{}: {}", context, error.message)};
}

}  // namespace tenon::formats
