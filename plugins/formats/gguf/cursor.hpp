// Reads the header of a GGUF file front to back. Knows how many bytes are left, so that every length is judged before
// anything is allocated for it.
#pragma once

#include <files/arena.hpp>
#include <files/file.hpp>

#include <bit>
#include <vector>

namespace tenon::gguf {

using formats::Arena;
using formats::File;

static_assert(std::endian::native == std::endian::little, "GGUF numbers are read as they lie");

/// Longest string that is taken, in bytes.
inline constexpr uint64_t kMaxStringBytes = uint64_t{1} << 30;

class Cursor {
 public:
  /// `file` must outlive the cursor.
  explicit Cursor(const File& file) : file_(file) {}

  uint64_t position() const { return position_; }
  uint64_t left() const { return file_.size() - position_; }

  /// Errors of all below: TENON_INVALID where the file ends before, TENON_IO.
  Result<void> bytes(std::span<std::byte> destination);

  template <class T>
  Result<T> number() {
    T value{};
    auto read = bytes(std::as_writable_bytes(std::span(&value, 1)));
    if (!read) return read.error();
    return value;
  }

  /// A u64 length, at most `max_bytes`, and as many bytes, copied into `arena`.
  Result<std::string_view> string(Arena& arena, uint64_t max_bytes = kMaxStringBytes);

  /// Refuses `count` things of at least `min_bytes` each where they cannot fit into what is left. `what` names them.
  Result<void> fits(std::string_view what, uint64_t count, uint64_t min_bytes) const;

 private:
  Result<void> refill();

  const File& file_;
  uint64_t position_ = 0;
  std::vector<std::byte> buffer_;  // the file's bytes [position_ - used_, position_ - used_ + buffer_.size())
  size_t used_ = 0;
};

}  // namespace tenon::gguf
