// Owns what is kept of the metadata: texts, widened arrays, lists of strings. Addresses are stable; freed as a whole.
#pragma once

#include <tenon/result.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tenon::formats {

class Arena {
 public:
  /// At most `limit` bytes are handed out; a request past it is a TENON_LIMIT error.
  explicit Arena(uint64_t limit) : left_(limit) {}

  /// `count` uninitialized elements of a trivial type.
  template <class T>
  Result<std::span<T>> allocate(uint64_t count) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));
    if (count > left_ / sizeof(T)) {
      return Error{TENON_LIMIT, "the metadata takes more memory than the 1073741824 bytes that are allowed"};
    }
    const size_t bytes = static_cast<size_t>(count) * sizeof(T);
    left_ -= bytes;
    return std::span<T>(reinterpret_cast<T*>(take(bytes, alignof(T))), static_cast<size_t>(count));
  }

 private:
  static constexpr size_t kChunkBytes = 256 * 1024;

  std::byte* take(size_t bytes, size_t alignment) {
    const size_t begin = (used_ + alignment - 1) / alignment * alignment;
    if (chunk_ != nullptr && begin <= kChunkBytes && bytes <= kChunkBytes - begin) {
      used_ = begin + bytes;
      return chunk_ + begin;
    }
    // What would waste much of a chunk gets memory of its own, and the chunk stays in use.
    const bool own = bytes > kChunkBytes / 4;
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(own ? bytes : kChunkBytes));
    if (own) return blocks_.back().get();
    chunk_ = blocks_.back().get();
    used_ = bytes;
    return chunk_;
  }

  uint64_t left_;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* chunk_ = nullptr;
  size_t used_ = 0;
};

}  // namespace tenon::formats
