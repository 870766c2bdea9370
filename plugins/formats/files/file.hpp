// A regular file, read by offset and never mapped: a file that shrinks while it is read gives an error, no SIGBUS.
#pragma once

#include <tenon/result.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tenon::formats {

class File {
 public:
  /// Errors: TENON_IO with errno's text, TENON_INVALID where it is no regular file. The messages leave the path to the
  /// caller, who names it once.
  /// `expected` is what the path should be: "a GGUF file".
  static Result<File> open(const std::string& path, std::string_view expected);

  File(File&& other) noexcept;
  File(const File&) = delete;
  File& operator=(File&&) = delete;
  ~File();

  /// Bytes at the time of opening.
  uint64_t size() const { return size_; }
  /// Fills `destination` whole. Any thread. Errors: TENON_IO, also where the file has become shorter.
  Result<void> read(uint64_t offset, std::span<std::byte> destination) const;

 private:
  File(int descriptor, uint64_t size) : descriptor_(descriptor), size_(size) {}

  int descriptor_;
  uint64_t size_;
};

}  // namespace tenon::formats
