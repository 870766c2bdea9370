// Memory that tells when it is left: marks before it and in the gap behind it, and pages on both sides that cannot be
// touched, so that an access past the end is a fault at once.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace tenon::conformance {

class GuardedBuffer {
 public:
  GuardedBuffer() = default;
  /// `bytes` at a multiple of `alignment` (a power of two), their end as near to the page behind as that allows, filled
  /// with `fill`. `name` is what it is called where it is left. Throws std::bad_alloc.
  GuardedBuffer(size_t bytes, std::byte fill, const std::string& name, size_t alignment = 64);
  GuardedBuffer(GuardedBuffer&& other) noexcept { *this = std::move(other); }
  GuardedBuffer& operator=(GuardedBuffer&& other) noexcept;
  ~GuardedBuffer();

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  size_t size() const { return bytes_; }

  /// "" where all marks stand, else what was written over: "it wrote byte 60 of the workspace, which has 60".
  std::string overrun() const;

 private:
  std::byte* mapping_ = nullptr;
  size_t mapped_bytes_ = 0;
  std::byte* data_ = nullptr;
  size_t bytes_ = 0;
  std::string name_;
  int guard_ = -1;  // its place in the table of the fault report
};

}  // namespace tenon::conformance
