#include "split.hpp"

#include <files/message.hpp>

#include <fmt/format.h>

namespace tenon::gguf {

using formats::quoted;
namespace {

constexpr uint64_t kMaxShards = 65535;  // split.count is a u16

std::string suffix(uint64_t number, uint64_t count) { return fmt::format("-{:05}-of-{:05}.gguf", number + 1, count); }

/// A whole number of any width from 0 to `max`; `fallback` where the key is absent.
Result<uint64_t> whole_number(std::span<const KeyValue> values, std::string_view key, uint64_t max, uint64_t fallback) {
  const KeyValue* value = find_value(values, key);
  if (value == nullptr) return fallback;
  const tenon_value& v = value->value;
  const bool is_whole = v.type == TENON_VALUE_UINT || (v.type == TENON_VALUE_INT && v.i >= 0);
  const uint64_t number = v.type == TENON_VALUE_UINT ? v.u : static_cast<uint64_t>(v.i);
  if (!is_whole || number > max) {
    return invalid(fmt::format("key '{}' is {}, expected a whole number from 0 to {}", key, describe(*value), max));
  }
  return number;
}

}  // namespace

Result<Split> split_of(std::span<const KeyValue> values) {
  auto count = whole_number(values, "split.count", kMaxShards, 1);
  if (!count) return count.error();
  if (*count <= 1) return Split{};
  auto number = whole_number(values, "split.no", kMaxShards, 0);
  if (!number) return number.error();
  auto n_tensors = whole_number(values, "split.tensors.count", INT32_MAX, 0);
  if (!n_tensors) return n_tensors.error();
  if (*number >= *count) {
    return invalid(fmt::format("key 'split.no' is {}, expected less than 'split.count', which is {}", *number, *count));
  }
  return Split{*number, *count, *n_tensors};
}

Result<std::string> shard_path(std::string_view path, const Split& split, uint64_t number) {
  const std::string ending = suffix(split.number, split.count);
  if (!path.ends_with(ending)) {
    return invalid(
        fmt::format("file {} of {} of a split model by its key 'split.no', but its name does not end in {}: "
                    "give the files their names back",
                    split.number + 1, split.count, quoted(ending)));
  }
  return std::string(path.substr(0, path.size() - ending.size())) + suffix(number, split.count);
}

std::string_view file_name(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace tenon::gguf
