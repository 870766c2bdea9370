// Regular files, read by offset. Anything else (folder, FIFO, device) is refused without blocking.
#pragma once

#include <tenon/result.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace tenon {

class File {
 public:
  /// Errors: TENON_IO with the path and errno's text, TENON_INVALID where it is no regular file.
  static Result<File> open(const std::filesystem::path& path);

  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File();

  uint64_t size() const { return size_; }
  /// Fills `destination` whole; a file that became shorter is an error. Any thread.
  Result<void> read(uint64_t offset, std::span<std::byte> destination) const;

 private:
  File(int descriptor, uint64_t size, std::filesystem::path path);

  int descriptor_;
  uint64_t size_;
  std::filesystem::path path_;
};

/// The whole file as text, at most `limit` bytes.
Result<std::string> read_text(const std::filesystem::path& path, uint64_t limit);

}  // namespace tenon
