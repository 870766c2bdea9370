#include "values.hpp"

#include <files/message.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

namespace tenon::gguf {

using formats::in_context;
using formats::quoted;
namespace {

constexpr uint64_t kMaxValues = 65536;
constexpr uint64_t kMaxKeyBytes = 65535;  // of the specification

struct TypeInfo {
  std::string_view name;
  uint64_t bytes;  // in the file; of a string its length field, of an array its type and count
};
constexpr std::array<TypeInfo, 13> kTypes{{{"u8", 1},
                                           {"i8", 1},
                                           {"u16", 2},
                                           {"i16", 2},
                                           {"u32", 4},
                                           {"i32", 4},
                                           {"f32", 4},
                                           {"bool", 1},
                                           {"string", 8},
                                           {"array", 12},
                                           {"u64", 8},
                                           {"i64", 8},
                                           {"f64", 8}}};

Error bad_bool(unsigned found) { return invalid(fmt::format("a bool is {}, expected 0 or 1", found)); }

Result<ValueType> read_type(Cursor& cursor) {
  auto number = cursor.number<uint32_t>();
  if (!number) return number.error();
  if (*number >= kTypes.size()) {
    return invalid(fmt::format("value type {}, expected 0 (u8) to 12 (f64)", *number));
  }
  return ValueType{*number};
}

template <class Raw>
Result<void> read_uint(Cursor& cursor, tenon_value& value) {
  auto number = cursor.number<Raw>();
  if (!number) return number.error();
  value.type = TENON_VALUE_UINT;
  value.u = *number;
  return {};
}

template <class Raw>
Result<void> read_int(Cursor& cursor, tenon_value& value) {
  auto number = cursor.number<Raw>();
  if (!number) return number.error();
  value.type = TENON_VALUE_INT;
  value.i = *number;
  return {};
}

template <class Raw>
Result<void> read_float(Cursor& cursor, tenon_value& value) {
  auto number = cursor.number<Raw>();
  if (!number) return number.error();
  value.type = TENON_VALUE_FLOAT;
  value.f = static_cast<double>(*number);
  return {};
}

Result<void> read_bool(Cursor& cursor, tenon_value& value) {
  auto number = cursor.number<uint8_t>();
  if (!number) return number.error();
  if (*number > 1) return bad_bool(*number);
  value.type = TENON_VALUE_BOOL;
  value.u = *number;
  return {};
}

Result<void> read_string(Cursor& cursor, Arena& arena, tenon_value& value) {
  auto text = cursor.string(arena);
  if (!text) return text.error();
  value.type = TENON_VALUE_STRING;
  value.s = str(*text);
  return {};
}

/// Elements of Raw, widened to Wide: int64_t, uint64_t or double.
template <class Raw, class Wide>
Result<void> read_numbers(Cursor& cursor, Arena& arena, uint32_t element_type, tenon_value& value) {
  auto wide = arena.allocate<Wide>(value.count);
  if (!wide) return wide.error();
  std::array<Raw, 1024> raw;
  for (size_t done = 0; done < wide->size();) {
    const size_t n = std::min(raw.size(), wide->size() - done);
    auto read = cursor.bytes(std::as_writable_bytes(std::span(raw).first(n)));
    if (!read) return read.error();
    std::copy_n(raw.begin(), n, wide->begin() + static_cast<std::ptrdiff_t>(done));
    done += n;
  }
  value.element_type = element_type;
  value.numbers = wide->data();
  return {};
}

Result<void> read_bools(Cursor& cursor, Arena& arena, tenon_value& value) {
  auto read = read_numbers<uint8_t, uint64_t>(cursor, arena, TENON_VALUE_BOOL, value);
  if (!read) return read.error();
  const std::span numbers(static_cast<const uint64_t*>(value.numbers), static_cast<size_t>(value.count));
  const auto bad = std::find_if(numbers.begin(), numbers.end(), [](uint64_t n) { return n > 1; });
  if (bad != numbers.end()) return bad_bool(static_cast<unsigned>(*bad));
  return {};
}

Result<void> read_strings(Cursor& cursor, Arena& arena, tenon_value& value) {
  auto strings = arena.allocate<tenon_str>(value.count);
  if (!strings) return strings.error();
  for (size_t i = 0; i < strings->size(); ++i) {
    auto text = cursor.string(arena);
    if (!text) return in_context(fmt::format("element {}", i), text.error());
    (*strings)[i] = str(*text);
  }
  value.element_type = TENON_VALUE_STRING;
  value.strings = strings->data();
  return {};
}

Result<void> read_array(Cursor& cursor, Arena& arena, tenon_value& value) {
  auto element = read_type(cursor);
  if (!element) return in_context("array", element.error());
  auto count = cursor.number<uint64_t>();
  if (!count) return count.error();
  if (*element == ValueType::array) return invalid("an array of arrays, expected an array of numbers or strings");
  auto fit = cursor.fits(fmt::format("array of {}, count", name_of(*element)), *count,
                         kTypes[static_cast<size_t>(*element)].bytes);
  if (!fit) return fit;
  value.type = TENON_VALUE_ARRAY;
  value.count = *count;
  switch (*element) {
    case ValueType::u8: return read_numbers<uint8_t, uint64_t>(cursor, arena, TENON_VALUE_UINT, value);
    case ValueType::i8: return read_numbers<int8_t, int64_t>(cursor, arena, TENON_VALUE_INT, value);
    case ValueType::u16: return read_numbers<uint16_t, uint64_t>(cursor, arena, TENON_VALUE_UINT, value);
    case ValueType::i16: return read_numbers<int16_t, int64_t>(cursor, arena, TENON_VALUE_INT, value);
    case ValueType::u32: return read_numbers<uint32_t, uint64_t>(cursor, arena, TENON_VALUE_UINT, value);
    case ValueType::i32: return read_numbers<int32_t, int64_t>(cursor, arena, TENON_VALUE_INT, value);
    case ValueType::u64: return read_numbers<uint64_t, uint64_t>(cursor, arena, TENON_VALUE_UINT, value);
    case ValueType::i64: return read_numbers<int64_t, int64_t>(cursor, arena, TENON_VALUE_INT, value);
    case ValueType::f32: return read_numbers<float, double>(cursor, arena, TENON_VALUE_FLOAT, value);
    case ValueType::f64: return read_numbers<double, double>(cursor, arena, TENON_VALUE_FLOAT, value);
    case ValueType::boolean: return read_bools(cursor, arena, value);
    case ValueType::string: return read_strings(cursor, arena, value);
    case ValueType::array: break;
  }
  return Error{TENON_INTERNAL, "unhandled array type"};
}

Result<void> read_value(Cursor& cursor, Arena& arena, ValueType type, tenon_value& value) {
  switch (type) {
    case ValueType::u8: return read_uint<uint8_t>(cursor, value);
    case ValueType::i8: return read_int<int8_t>(cursor, value);
    case ValueType::u16: return read_uint<uint16_t>(cursor, value);
    case ValueType::i16: return read_int<int16_t>(cursor, value);
    case ValueType::u32: return read_uint<uint32_t>(cursor, value);
    case ValueType::i32: return read_int<int32_t>(cursor, value);
    case ValueType::u64: return read_uint<uint64_t>(cursor, value);
    case ValueType::i64: return read_int<int64_t>(cursor, value);
    case ValueType::f32: return read_float<float>(cursor, value);
    case ValueType::f64: return read_float<double>(cursor, value);
    case ValueType::boolean: return read_bool(cursor, value);
    case ValueType::string: return read_string(cursor, arena, value);
    case ValueType::array: return read_array(cursor, arena, value);
  }
  return Error{TENON_INTERNAL, "unhandled value type"};
}

Result<std::string_view> read_key(Cursor& cursor, Arena& arena) {
  auto key = cursor.string(arena, kMaxKeyBytes);
  if (!key) return key.error();
  if (key->empty()) return invalid("an empty key");
  const auto printable = [](char c) { return c >= 0x20 && c < 0x7f; };
  if (!std::all_of(key->begin(), key->end(), printable)) {
    return invalid(fmt::format("{} is no key: keys are printable ASCII", quoted(*key)));
  }
  return *key;
}

}  // namespace

std::string_view name_of(ValueType type) { return kTypes[static_cast<size_t>(type)].name; }

Result<std::vector<KeyValue>> read_values(Cursor& cursor, uint64_t count, Arena& arena) {
  auto fit = cursor.fits("number of keys", count, kMinKeyValueBytes);
  if (!fit) return fit.error();
  if (count > kMaxValues) {
    return invalid(fmt::format("number of keys {}: at most {} are taken", count, kMaxValues));
  }
  std::vector<KeyValue> values;
  values.reserve(static_cast<size_t>(count));
  std::unordered_map<std::string_view, uint64_t> seen;
  for (uint64_t i = 0; i < count; ++i) {
    auto key = read_key(cursor, arena);
    if (!key) return in_context(fmt::format("key number {}", i), key.error());
    const auto [first, is_new] = seen.emplace(*key, i);
    if (!is_new) {
      return invalid(
          fmt::format("key {} appears twice: as number {} and as number {}", quoted(*key), first->second, i));
    }
    auto type = read_type(cursor);
    if (!type) return in_context(fmt::format("key {}", quoted(*key)), type.error());
    KeyValue& pair = values.emplace_back(KeyValue{*key, *type, {}});
    auto read = read_value(cursor, arena, *type, pair.value);
    if (!read) return in_context(fmt::format("key {}", quoted(*key)), read.error());
  }
  return values;
}

const KeyValue* find_value(std::span<const KeyValue> values, std::string_view key) {
  const auto found = std::find_if(values.begin(), values.end(), [&](const KeyValue& v) { return v.key == key; });
  return found == values.end() ? nullptr : &*found;
}

std::string describe(const KeyValue& value) {
  const tenon_value& v = value.value;
  switch (v.type) {
    case TENON_VALUE_BOOL: return fmt::format("bool {}", v.u != 0);
    case TENON_VALUE_UINT: return fmt::format("{} {}", name_of(value.type), v.u);
    case TENON_VALUE_INT: return fmt::format("{} {}", name_of(value.type), v.i);
    case TENON_VALUE_FLOAT: return fmt::format("{} {}", name_of(value.type), v.f);
    case TENON_VALUE_STRING: return fmt::format("string {}", quoted(view(v.s)));
    default: return fmt::format("array of {} elements", v.count);
  }
}

}  // namespace tenon::gguf
