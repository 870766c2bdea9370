#include "unicode.hpp"

#include "unicode_tables.hpp"

#include <algorithm>
#include <array>

namespace tenon::jinja {

namespace {

uint16_t find_properties(char32_t c) {
  const auto runs = property_runs();
  const auto after = std::ranges::upper_bound(runs, static_cast<uint32_t>(c), {}, &PropertyRun::first);
  return std::prev(after)->properties;  // the first run starts at 0
}

}  // namespace

uint16_t properties(char32_t c) {
  // Most text is ASCII, and the runs take a search.
  static const auto ascii = [] {
    std::array<uint16_t, 128> table{};
    for (char32_t i = 0; i < table.size(); ++i) table[i] = find_properties(i);
    return table;
  }();
  return c < ascii.size() ? ascii[c] : find_properties(c);
}

char32_t character_at(std::string_view bytes, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(bytes[at + i])); };
  switch (character_size(bytes[at])) {
    case 1: return byte(0);
    case 2: return (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
    case 3: return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    default: return (byte(0) & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
  }
}

bool is_valid_utf8(std::string_view bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const auto first = static_cast<unsigned char>(bytes[at]);
    if (first >= 0x80 && (first < 0xC2 || first > 0xF4)) return false;
    const size_t n = character_size(bytes[at]);
    if (n > bytes.size() - at) return false;
    for (size_t i = 1; i < n; ++i) {
      if ((static_cast<unsigned char>(bytes[at + i]) & 0xC0) != 0x80) return false;
    }
    const char32_t c = character_at(bytes, at);
    const bool is_short = (n == 3 && c < 0x800) || (n == 4 && c < 0x10000);
    if (is_short || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return false;
    at += n;
  }
  return true;
}

size_t before(std::string_view bytes, size_t at) {
  do {
    --at;
  } while (at > 0 && (static_cast<unsigned char>(bytes[at]) & 0xC0) == 0x80);
  return at;
}

size_t count_characters(std::string_view bytes) {
  return static_cast<size_t>(
      std::ranges::count_if(bytes, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

void append_utf8(char32_t c, std::string& out) {
  const auto put = [&](char32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6);
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3F));
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

void append_cased(char32_t c, Case to, std::string& out) {
  if (c < 0x80) {
    const bool changes = to == Case::lower ? c >= 'A' && c <= 'Z' : c >= 'a' && c <= 'z';
    out += static_cast<char>(changes ? c ^ 0x20 : c);
    return;
  }
  for (const SpecialCase& each :
       std::ranges::equal_range(special_cases(), static_cast<uint32_t>(c), {}, &SpecialCase::from)) {
    if (each.to != to) continue;
    for (const uint32_t part : each.code_points) {
      if (part != 0) append_utf8(part, out);
    }
    return;
  }
  const auto runs = case_runs(to);
  const auto after = std::ranges::upper_bound(runs, static_cast<uint32_t>(c), {}, &CaseRun::first);
  if (after != runs.begin()) {
    const CaseRun& run = *std::prev(after);
    if (c <= run.last && (c - run.first) % run.stride == 0) {
      return append_utf8(static_cast<char32_t>(static_cast<int64_t>(c) + run.distance), out);
    }
  }
  append_utf8(c, out);
}

}  // namespace tenon::jinja
