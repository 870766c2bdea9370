// Owned, aligned memory for weights, workspaces and pages.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace tenon {

/// 64-byte aligned bytes, not zeroed. Throws std::bad_alloc; large sizes start on a 2 MiB boundary so that the kernel
/// may back them with huge pages.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(size_t bytes) : bytes_(bytes) {
    constexpr size_t kHuge = size_t{2} << 20;
    const size_t alignment = bytes >= kHuge ? kHuge : 64;
    const size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    data_.reset(static_cast<std::byte*>(std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded)));
    if (data_ == nullptr) throw std::bad_alloc();
  }

  std::byte* data() { return data_.get(); }
  const std::byte* data() const { return data_.get(); }
  size_t size() const { return bytes_; }

 private:
  struct Free {
    void operator()(std::byte* p) const { std::free(p); }
  };
  std::unique_ptr<std::byte, Free> data_;
  size_t bytes_ = 0;
};

}  // namespace tenon
