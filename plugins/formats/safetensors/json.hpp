// A JSON text as a tree, checked: valid UTF-8, no key twice in one object, bounded depth and size.
#pragma once

#include <tenon/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon::safetensors {

struct Json {
  enum class Kind { null, boolean, integer, real, text, list, map };

  Kind kind = Kind::null;
  bool flag = false;
  bool is_negative = false;  // integer: the magnitude is -number
  uint64_t number = 0;       // integer: as a two's complement where negative
  double real = 0;           // integer and real
  std::string text;
  std::vector<Json> items;
  std::vector<std::pair<std::string, Json>> entries;  // in the order of the text

  bool is(Kind k) const { return kind == k; }
  /// nullptr where this is no map or has no such key.
  const Json* find(std::string_view key) const;
  /// The text under `key`; empty where there is none.
  std::string_view text_of(std::string_view key) const;
};

/// Errors: TENON_INVALID with the byte where the text goes wrong, or the key that is there twice; TENON_LIMIT.
Result<Json> parse_json(std::string_view text);

}  // namespace tenon::safetensors
