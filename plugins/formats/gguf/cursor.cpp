#include "cursor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tenon::gguf {
namespace {

constexpr uint64_t kBufferBytes = 256 * 1024;

}  // namespace

Result<void> Cursor::refill() {
  buffer_.resize(static_cast<size_t>(std::min(kBufferBytes, left())));
  used_ = 0;
  return file_.read(position_, buffer_);
}

Result<void> Cursor::bytes(std::span<std::byte> destination) {
  if (destination.size() > left()) {
    return invalid(fmt::format("the file ends inside its header, at byte {}: {} bytes were expected, {} are present",
                               file_.size(), destination.size(), left()));
  }
  while (!destination.empty()) {
    if (used_ == buffer_.size()) {
      auto filled = refill();
      if (!filled) return filled;
    }
    const size_t n = std::min(destination.size(), buffer_.size() - used_);
    std::memcpy(destination.data(), buffer_.data() + used_, n);
    used_ += n;
    position_ += n;
    destination = destination.subspan(n);
  }
  return {};
}

Result<void> Cursor::fits(std::string_view what, uint64_t count, uint64_t min_bytes) const {
  if (count <= left() / min_bytes) return {};
  return invalid(fmt::format("{} {}: length exceeds {} bytes left", what, count, left()));
}

Result<std::string_view> Cursor::string(Arena& arena, uint64_t max_bytes) {
  auto length = number<uint64_t>();
  if (!length) return length.error();
  auto fit = fits("string length", *length, 1);
  if (!fit) return fit.error();
  if (*length > max_bytes) {
    return invalid(fmt::format("string length {}: at most {} bytes are taken", *length, max_bytes));
  }
  auto text = arena.allocate<char>(*length);
  if (!text) return text.error();
  auto read = bytes(std::as_writable_bytes(*text));
  if (!read) return read.error();
  return std::string_view(text->data(), text->size());
}

}  // namespace tenon::gguf
