#include "file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace tenon::formats {
namespace {

Error io_error(std::string_view what, int number) {
  return {TENON_IO, fmt::format("{}: {}", what, std::generic_category().message(number))};
}

}  // namespace

Result<File> File::open(const std::string& path, std::string_view expected) {
  // O_NONBLOCK: opening a FIFO must not wait for a writer.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return io_error("cannot open", errno);
  struct stat info {};
  if (::fstat(descriptor, &info) != 0) {
    const int number = errno;
    ::close(descriptor);
    return io_error("cannot examine", number);
  }
  if (!S_ISREG(info.st_mode)) {
    ::close(descriptor);
    return invalid(fmt::format("is {}, expected {}", S_ISDIR(info.st_mode) ? "a directory" : "a device, pipe or socket",
                               expected));
  }
  return File(descriptor, static_cast<uint64_t>(info.st_size));
}

File::File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> File::read(uint64_t offset, std::span<std::byte> destination) const {
  size_t done = 0;
  while (done < destination.size()) {
    const ssize_t n =
        ::pread(descriptor_, destination.data() + done, destination.size() - done, static_cast<off_t>(offset + done));
    if (n > 0) {
      done += static_cast<size_t>(n);
    } else if (n == 0) {
      return Error{TENON_IO, fmt::format("the file became shorter while it was read: it ends at byte {} or before, {} "
                                         "more bytes were expected there",
                                         offset + done, destination.size() - done)};
    } else if (errno != EINTR) {
      return io_error(fmt::format("cannot read at byte {}", offset + done), errno);
    }
  }
  return {};
}

}  // namespace tenon::formats
