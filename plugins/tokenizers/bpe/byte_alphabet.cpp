#include "byte_alphabet.hpp"

#include <array>
#include <cstdint>

namespace tenon::bpe {
namespace {

constexpr int16_t kNone = -1;

/// By code point: printable Latin-1 stands for itself, the other 68 bytes, ascending, are U+0100 to U+0143.
constexpr std::array<int16_t, 0x144> make_alphabet() {
  std::array<int16_t, 0x144> byte_of{};
  byte_of.fill(kNone);
  size_t next = 0x100;
  for (size_t b = 0; b < 256; ++b) {
    const bool printable = (b >= 0x21 && b <= 0x7E) || (b >= 0xA1 && b <= 0xAC) || b >= 0xAE;
    byte_of[printable ? b : next++] = static_cast<int16_t>(b);
  }
  return byte_of;
}

constexpr std::array<int16_t, 0x144> kAlphabet = make_alphabet();

}  // namespace

void append_raw_bytes(std::string_view written, std::string& bytes) {
  const size_t before = bytes.size();
  for (size_t i = 0; i < written.size(); ++i) {
    size_t code = static_cast<uint8_t>(written[i]);
    if (code >= 0x80) {
      const bool two = (code & 0xE0) == 0xC0 && i + 1 < written.size();
      const auto tail = two ? static_cast<uint8_t>(written[++i]) : uint8_t{0};
      code = (tail & 0xC0) == 0x80 ? (code & 0x1F) << 6 | (tail & 0x3FU) : kAlphabet.size();
    }
    if (code >= kAlphabet.size() || kAlphabet[code] == kNone) {
      bytes.resize(before);
      bytes += written;
      return;
    }
    bytes += static_cast<char>(kAlphabet[code]);
  }
}

}  // namespace tenon::bpe
