// The metadata of a GGUF file: unique keys with scalars, strings or flat arrays.
#pragma once

#include "cursor.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::gguf {

/// The value types of the file format (gguf_metadata_value_type of the GGUF specification).
enum class ValueType : uint32_t {
  u8 = 0,
  i8 = 1,
  u16 = 2,
  i16 = 3,
  u32 = 4,
  i32 = 5,
  f32 = 6,
  boolean = 7,
  string = 8,
  array = 9,
  u64 = 10,
  i64 = 11,
  f64 = 12,
};

/// "u32", "string" ...
std::string_view name_of(ValueType type);

/// One key with its value; what they point at belongs to the arena they were read into.
struct KeyValue {
  std::string_view key;
  ValueType type;  // as the file has it; `value` is widened
  tenon_value value;
};

/// Smallest key-value pair: length and one byte of key, type, one byte of value.
inline constexpr uint64_t kMinKeyValueBytes = 14;

/// Reads `count` pairs. Errors name the key: an empty, repeated or non-ASCII key, an unknown type, a nested array, a
/// length past the end.
Result<std::vector<KeyValue>> read_values(Cursor& cursor, uint64_t count, Arena& arena);

/// nullptr where the key is absent.
const KeyValue* find_value(std::span<const KeyValue> values, std::string_view key);

/// For messages: "u32 3", "string 'abc'", "array of 4 f32".
std::string describe(const KeyValue& value);

}  // namespace tenon::gguf
