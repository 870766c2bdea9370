#include <tenon/engine/text_stream.hpp>

#include <algorithm>
#include <cstdint>

namespace tenon {
namespace {

struct Character {
  size_t bytes;  // taken from the input
  enum class Kind { whole, broken, incomplete } kind;
};

/// The first character of non-empty `s`, by table 3-7 of the Unicode standard.
Character first_character(std::string_view s) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(s[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return {1, Character::Kind::whole};
  size_t length = 0;
  uint8_t low = 0x80, high = 0xBF;  // of the second byte
  if (lead >= 0xC2 && lead <= 0xDF) length = 2;
  if (lead >= 0xE0 && lead <= 0xEF) length = 3;
  if (lead >= 0xF0 && lead <= 0xF4) length = 4;
  if (length == 0) return {1, Character::Kind::broken};
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED) high = 0x9F;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  for (size_t i = 1; i < length; ++i) {
    if (i == s.size()) return {i, Character::Kind::incomplete};
    if (byte(i) < low || byte(i) > high) return {i, Character::Kind::broken};
    low = 0x80;
    high = 0xBF;
  }
  return {length, Character::Kind::whole};
}

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

}  // namespace

void move_characters(std::string& bytes, std::string& text, bool at_end) {
  size_t at = 0;
  while (at < bytes.size()) {
    const Character c = first_character(std::string_view(bytes).substr(at));
    if (c.kind == Character::Kind::incomplete && !at_end) break;
    if (c.kind == Character::Kind::whole) {
      text.append(bytes, at, c.bytes);
    } else {
      text += kReplacement;
    }
    at += c.bytes;
  }
  bytes.erase(0, at);
}

std::string TextStream::push(std::string_view bytes) {
  if (stopped_) return {};
  bytes_ += bytes;
  return take_certain(false);
}

std::string TextStream::finish() {
  if (stopped_) return {};
  return take_certain(true);
}

std::string TextStream::take_certain(bool at_end) {
  move_characters(bytes_, held_, at_end);
  size_t first_stop = std::string::npos;
  for (const std::string& stop : stop_strings_) first_stop = std::min(first_stop, held_.find(stop));
  if (first_stop != std::string::npos) {
    stopped_ = true;
    std::string text = held_.substr(0, first_stop);
    held_.clear();
    return text;
  }
  // Keep the longest tail that is the beginning of a stop string.
  size_t keep = 0;
  if (!at_end) {
    for (const std::string& stop : stop_strings_) {
      for (size_t n = std::min(stop.size() - 1, held_.size()); n > keep; --n) {
        if (std::string_view(held_).ends_with(std::string_view(stop).substr(0, n))) keep = n;
      }
    }
  }
  // A stop string may begin inside a character of the tail only if it was broken UTF-8: its start is a boundary.
  std::string text = held_.substr(0, held_.size() - keep);
  held_.erase(0, held_.size() - keep);
  return text;
}

}  // namespace tenon
