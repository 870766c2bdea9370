#include "header.hpp"

#include <files/message.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace tenon::safetensors {
namespace {

using formats::in_context;

static_assert(std::endian::native == std::endian::little, "numbers are read as they lie");

constexpr uint64_t kLengthBytes = 8;
constexpr uint64_t kMaxHeaderBytes = 100'000'000;  // of the format's own reader
constexpr std::string_view kMetadata = "__metadata__";

constexpr auto kTypes = std::to_array<ElementType>({
    {"F32", 4, TENON_F32},
    {"F16", 2, TENON_F16},
    {"BF16", 2, TENON_BF16},
    {"I32", 4, TENON_I32},
    {"I64", 8, TENON_I64},
    {"U8", 1, -1},
});

/// What a wrong download often is; empty where it may be a safetensors file.
std::string_view explain(std::string_view first) {
  if (first.starts_with("version https://git-lfs.github.com/spec/")) {
    return "a Git-LFS pointer, not the model itself: download it again, with `git lfs pull` or from the file's "
           "download "
           "link";
  }
  const size_t begin = first.find_first_not_of(" \t\r\n");
  if (begin != std::string_view::npos && first[begin] == '<') {
    return "an HTML page, not a model (a login or error page was saved in its place): download it again";
  }
  if (first.starts_with("GGUF")) return "a GGUF file: give it the ending .gguf";
  return {};
}

Result<std::string> read_text(const formats::File& file) {
  std::string first(static_cast<size_t>(std::min<uint64_t>(file.size(), 64)), '\0');
  auto read = file.read(0, std::as_writable_bytes(std::span(first)));
  if (!read) return read.error();
  if (const std::string_view what = explain(first); !what.empty()) return invalid(std::string(what));
  if (file.size() < kLengthBytes + 2) {
    return invalid(fmt::format("too small to be a model: {} bytes; download it again", file.size()));
  }
  uint64_t length = 0;
  std::memcpy(&length, first.data(), sizeof length);
  if (length > kMaxHeaderBytes) {
    return invalid(fmt::format("the header's length is {} bytes, at most {} are taken: no safetensors file, or damaged",
                               length, kMaxHeaderBytes));
  }
  if (length > file.size() - kLengthBytes) {
    return invalid(fmt::format("the header's length is {} bytes, the file has {} left; download it again", length,
                               file.size() - kLengthBytes));
  }
  std::string text(static_cast<size_t>(length), '\0');
  read = file.read(kLengthBytes, std::as_writable_bytes(std::span(text)));
  if (!read) return read.error();
  if (!text.starts_with('{'))
    return invalid(fmt::format("the header starts with {}, expected '{{'", formats::quoted(text.substr(0, 4))));
  return text;
}

Result<uint64_t> whole_number(const Json& value, std::string_view what) {
  if (value.is(Json::Kind::integer) && !value.is_negative) return value.number;
  return invalid(fmt::format("{} must be whole numbers from 0 on", what));
}

Result<std::vector<uint64_t>> read_shape(const Json& value, uint64_t element_bytes, uint64_t& bytes) {
  std::vector<uint64_t> shape;
  bytes = element_bytes;
  for (const Json& item : value.items) {
    auto dim = whole_number(item, "the dimensions of 'shape'");
    if (!dim) return dim.error();
    if (*dim == 0) return invalid("a dimension is 0");
    if (__builtin_mul_overflow(bytes, *dim, &bytes) || bytes > uint64_t{1} << 62) {
      return invalid("the product of the dimensions passes 2^62 bytes");
    }
    shape.push_back(*dim);
  }
  if (shape.size() > TENON_MAX_RANK) {
    return invalid(fmt::format("{} dimensions, expected at most {}", shape.size(), +TENON_MAX_RANK));
  }
  return shape;
}

/// `data_start`: what offsets count from; `data_bytes`: how many follow.
Result<Entry> read_entry(const std::string& name, const Json& value, uint64_t data_start, uint64_t data_bytes) {
  const Json *dtype = value.find("dtype"), *shape = value.find("shape"), *offsets = value.find("data_offsets");
  if (dtype == nullptr || !dtype->is(Json::Kind::text) || shape == nullptr || !shape->is(Json::Kind::list) ||
      offsets == nullptr || !offsets->is(Json::Kind::list) || offsets->items.size() != 2 || value.entries.size() != 3) {
    return invalid("expected a map of 'dtype' (text), 'shape' (list) and 'data_offsets' (two numbers)");
  }
  Entry entry{name, find_element_type(dtype->text), {}, 0, 0};
  if (entry.type == nullptr) {
    std::string names;
    for (const ElementType& type : kTypes) names += (names.empty() ? "" : ", ") + std::string(type.name);
    return unsupported(fmt::format("dtype {} is not supported; supported: {}", formats::quoted(dtype->text), names));
  }
  uint64_t bytes = 0;
  auto dims = read_shape(*shape, entry.type->bytes, bytes);
  if (!dims) return dims.error();
  entry.shape = *std::move(dims);
  auto begin = whole_number(offsets->items[0], "the numbers of 'data_offsets'");
  if (!begin) return begin.error();
  auto end = whole_number(offsets->items[1], "the numbers of 'data_offsets'");
  if (!end) return end.error();
  if (*begin > *end) return invalid(fmt::format("its data ends at {}, before its begin at {}", *end, *begin));
  if (*end > data_bytes) {
    return invalid(
        fmt::format("its data ends at {}, the file has {} bytes of data; download it again", *end, data_bytes));
  }
  if (*end - *begin != bytes) {
    return invalid(fmt::format("{} of shape [{}] takes {} bytes, its offsets {} and {} hold {}", entry.type->name,
                               fmt::join(entry.shape, ", "), bytes, *begin, *end, *end - *begin));
  }
  entry.begin = data_start + *begin;
  entry.end = data_start + *end;
  return entry;
}

/// One behind the other from the first byte of the data to the last.
Result<void> check_layout(const std::vector<Entry>& entries, uint64_t data_start, uint64_t file_bytes) {
  uint64_t expected = data_start;
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    const uint64_t offset = entry.begin - data_start;
    if (entry.begin < expected) {
      return invalid(fmt::format("tensor {} at offset {} overlaps tensor {}, which ends at {}",
                                 formats::quoted(entry.name), offset, formats::quoted(entries[i - 1].name),
                                 expected - data_start));
    }
    if (entry.begin > expected) {
      return invalid(
          fmt::format("a hole of {} bytes before tensor {} at offset {}: every byte of data must belong to a "
                      "tensor",
                      entry.begin - expected, formats::quoted(entry.name), offset));
    }
    expected = entry.end;
  }
  if (expected == file_bytes) return {};
  return invalid(fmt::format("{} bytes behind the last tensor: {} bytes expected, {} present", file_bytes - expected,
                             expected, file_bytes));
}

Result<void> check_metadata(const Json& value) {
  const bool is_texts = value.is(Json::Kind::map) && std::ranges::all_of(value.entries, [](const auto& entry) {
                          return entry.second.is(Json::Kind::text);
                        });
  if (is_texts) return {};
  return invalid(fmt::format("'{}' must be a map of texts", kMetadata));
}

}  // namespace

const ElementType* find_element_type(std::string_view name) {
  const auto it = std::ranges::find(kTypes, name, &ElementType::name);
  return it == kTypes.end() ? nullptr : &*it;
}

Result<std::vector<Entry>> read_header(const formats::File& file) {
  auto text = read_text(file);
  if (!text) return text.error();
  auto header = parse_json(*text);
  if (!header) return in_context("the header", header.error());
  const uint64_t data_start = kLengthBytes + text->size();
  std::vector<Entry> entries;
  for (const auto& [name, value] : header->entries) {
    if (name == kMetadata) {
      auto checked = check_metadata(value);
      if (!checked) return checked.error();
      continue;
    }
    auto entry = read_entry(name, value, data_start, file.size() - data_start);
    if (!entry) return in_context(fmt::format("tensor {}", formats::quoted(name)), entry.error());
    entries.push_back(*std::move(entry));
  }
  std::ranges::stable_sort(entries, {}, &Entry::begin);
  auto checked = check_layout(entries, data_start, file.size());
  if (!checked) return checked.error();
  return entries;
}

}  // namespace tenon::safetensors
