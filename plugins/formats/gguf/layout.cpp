// check_layout of tensors.hpp: where tensor data lies in the file.
#include <files/message.hpp>
#include "tensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tenon::gguf {

using formats::quoted;
namespace {

/// `alignment` is a power of two; the sum must not wrap.
uint64_t aligned(uint64_t n, uint64_t alignment) { return (n + alignment - 1) & ~(alignment - 1); }

/// `tensor` is not at `expected`, the aligned end of all `before` it: says which rule that breaks.
Error misplaced(const TensorEntry& tensor, std::span<const TensorEntry> before, uint64_t expected,
                uint64_t data_bytes) {
  const std::string what = fmt::format("tensor {}: offset {}", quoted(tensor.name), tensor.offset);
  if (tensor.offset < expected) {
    // The last that starts at or before it: those before lie in ascending order without gaps.
    const auto next = std::upper_bound(before.begin(), before.end(), tensor.offset,
                                       [](uint64_t offset, const TensorEntry& t) { return offset < t.offset; });
    const TensorEntry& hit = *(next - 1);
    return invalid(fmt::format("{} overlaps tensor {} ({} bytes at offset {}), expected {}", what, quoted(hit.name),
                               hit.bytes, hit.offset, expected));
  }
  const std::string place =
      before.empty() ? std::string("it comes first") : fmt::format("the end of tensor {}", quoted(before.back().name));
  uint64_t end = 0;
  if (__builtin_add_overflow(tensor.offset, tensor.bytes, &end)) {
    return invalid(
        fmt::format("{} + {} bytes wraps past 2^64, expected offset {} ({})", what, tensor.bytes, expected, place));
  }
  if (end > data_bytes) {
    return invalid(
        fmt::format("{} + {} bytes is past the end of the file, which has {} bytes of tensor data; expected "
                    "offset {} ({})",
                    what, tensor.bytes, data_bytes, expected, place));
  }
  return invalid(
      fmt::format("{} leaves a gap of {} bytes, expected {} ({})", what, tensor.offset - expected, expected, place));
}

/// The end of the last tensor, from the start of the tensor data.
Result<uint64_t> check_offsets(std::span<const TensorEntry> tensors, uint64_t alignment, uint64_t data_bytes) {
  uint64_t expected = 0, end = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const TensorEntry& tensor = tensors[i];
    if (tensor.offset % alignment != 0) {
      return invalid(fmt::format("tensor {}: offset {} is no multiple of the alignment {}", quoted(tensor.name),
                                 tensor.offset, alignment));
    }
    if (tensor.offset != expected) return misplaced(tensor, tensors.first(i), expected, data_bytes);
    // 2^63 leaves room for the header and for padding.
    if (__builtin_add_overflow(tensor.offset, tensor.bytes, &end) || end > uint64_t{1} << 63) {
      return invalid(
          fmt::format("tensor {}: the sizes of the tensors up to this one sum past 2^63 bytes", quoted(tensor.name)));
    }
    expected = aligned(end, alignment);
  }
  return end;
}

Result<void> check_end(uint64_t end, uint64_t alignment, const File& file) {
  const uint64_t extra = file.size() - end;
  if (extra >= alignment) {
    return invalid(fmt::format("{} extra bytes at the end: {} bytes expected, {} present", extra, end, file.size()));
  }
  std::array<std::byte, 4096> buffer;
  for (uint64_t at = end; at < file.size();) {
    const auto part = std::span(buffer).first(static_cast<size_t>(std::min<uint64_t>(buffer.size(), file.size() - at)));
    auto read = file.read(at, part);
    if (!read) return read;
    if (std::any_of(part.begin(), part.end(), [](std::byte b) { return b != std::byte{0}; })) {
      return invalid(fmt::format("{} extra bytes at the end that are no zero padding: {} bytes expected, {} present",
                                 extra, end, file.size()));
    }
    at += part.size();
  }
  return {};
}

}  // namespace

Result<uint64_t> check_layout(std::span<const TensorEntry> tensors, uint64_t header_bytes, uint64_t alignment,
                              const File& file) {
  const uint64_t data_start = aligned(header_bytes, alignment);
  const uint64_t data_bytes = file.size() > data_start ? file.size() - data_start : 0;
  auto data_end = check_offsets(tensors, alignment, data_bytes);
  if (!data_end) return data_end.error();
  const uint64_t end = tensors.empty() ? header_bytes : data_start + *data_end;
  if (end > file.size()) {
    const auto cut = std::find_if(tensors.begin(), tensors.end(),
                                  [&](const TensorEntry& t) { return t.offset + t.bytes > data_bytes; });
    return invalid(
        fmt::format("the file is cut: {} bytes expected, {} present; the first incomplete tensor is {}; "
                    "download it again",
                    end, file.size(), quoted(cut->name)));
  }
  auto checked = check_end(end, alignment, file);
  if (!checked) return checked.error();
  return data_start;
}

}  // namespace tenon::gguf
