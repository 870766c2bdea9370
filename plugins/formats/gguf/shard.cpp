#include "shard.hpp"

#include <files/message.hpp>
#include "sniff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace tenon::gguf {
namespace {

constexpr uint64_t kMagicBytes = 4;
constexpr uint64_t kHeaderBytes = 24;  // magic, version, number of tensors, number of keys
constexpr uint32_t kDefaultAlignment = 32;
constexpr std::string_view kAlignmentKey = "general.alignment";

Result<void> check_magic(const File& file) {
  std::string first(static_cast<size_t>(std::min<uint64_t>(file.size(), 256)), '\0');
  auto read = file.read(0, std::as_writable_bytes(std::span(first)));
  if (!read) return read;
  if (file.size() < kMagicBytes || (first.starts_with("GGUF") && file.size() < kHeaderBytes)) {
    return invalid(fmt::format("too small to be a model: {} bytes, the GGUF header alone has {}; download it again",
                               file.size(), kHeaderBytes));
  }
  if (!first.starts_with("GGUF")) return invalid(explain_no_gguf(first));
  return {};
}

Result<void> check_version(uint32_t version) {
  constexpr std::string_view kSupported = "supported: 2, 3; convert the model again";
  if (version == 2 || version == 3) return {};
  const uint32_t swapped = __builtin_bswap32(version);
  if (swapped >= 1 && swapped <= 3) {
    return unsupported(fmt::format("byte-swapped (big-endian) GGUF version {}; only little-endian files are read, {}",
                                   swapped, kSupported));
  }
  return unsupported(fmt::format("GGUF version {}; {}", version, kSupported));
}

Result<uint32_t> alignment_of(std::span<const KeyValue> values) {
  const KeyValue* value = find_value(values, kAlignmentKey);
  if (value == nullptr) return kDefaultAlignment;
  if (value->type != ValueType::u32 || !std::has_single_bit(value->value.u)) {
    return invalid(
        fmt::format("key '{}' is {}, expected a u32 that is a power of two", kAlignmentKey, describe(*value)));
  }
  return static_cast<uint32_t>(value->value.u);
}

}  // namespace

Result<Shard> read_shard(const std::string& path, Arena& arena) {
  auto file = File::open(path, "a GGUF file");
  if (!file) return file.error();
  auto magic = check_magic(*file);
  if (!magic) return magic.error();

  Cursor cursor(*file);
  auto skipped = cursor.number<uint32_t>();
  if (!skipped) return skipped.error();
  auto version = cursor.number<uint32_t>();
  if (!version) return version.error();
  auto known = check_version(*version);
  if (!known) return known.error();
  auto n_tensors = cursor.number<uint64_t>();
  if (!n_tensors) return n_tensors.error();
  auto n_values = cursor.number<uint64_t>();
  if (!n_values) return n_values.error();

  auto values = read_values(cursor, *n_values, arena);
  if (!values) return values.error();
  auto alignment = alignment_of(*values);
  if (!alignment) return alignment.error();
  auto tensors = read_tensors(cursor, *n_tensors, arena);
  if (!tensors) return tensors.error();
  auto data_start = check_layout(*tensors, cursor.position(), *alignment, *file);
  if (!data_start) return data_start.error();
  return Shard{*std::move(file), *std::move(values), *std::move(tensors), *data_start};
}

}  // namespace tenon::gguf
