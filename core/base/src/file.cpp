#include <tenon/base/file.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace tenon {
namespace {

Error io_error(std::string_view what, const std::filesystem::path& path, int number) {
  return {TENON_IO, fmt::format("{} {}: {}", what, path.string(), std::generic_category().message(number))};
}

}  // namespace

Result<File> File::open(const std::filesystem::path& path) {
  // O_NONBLOCK: opening a FIFO must not wait for a writer.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return io_error("cannot open", path, errno);
  struct stat info {};
  if (::fstat(descriptor, &info) != 0) {
    const int number = errno;
    ::close(descriptor);
    return io_error("cannot examine", path, number);
  }
  if (!S_ISREG(info.st_mode)) {
    ::close(descriptor);
    return invalid(fmt::format("{} is {}, expected a regular file", path.string(),
                               S_ISDIR(info.st_mode) ? "a directory" : "a device, pipe or socket"));
  }
  return File(descriptor, static_cast<uint64_t>(info.st_size), path);
}

File::File(int descriptor, uint64_t size, std::filesystem::path path)
    : descriptor_(descriptor), size_(size), path_(std::move(path)) {}

File::File(File&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_), path_(std::move(other.path_)) {}

File& File::operator=(File&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  std::swap(path_, other.path_);
  return *this;
}

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
      return Error{TENON_IO, fmt::format("{} ends at byte {}, {} bytes were expected there: the file was cut",
                                         path_.string(), offset + done, destination.size() - done)};
    } else if (errno != EINTR) {
      return io_error("cannot read", path_, errno);
    }
  }
  return {};
}

Result<std::string> read_text(const std::filesystem::path& path, uint64_t limit) {
  auto file = File::open(path);
  if (!file) return file.error();
  if (file->size() > limit) {
    return invalid(fmt::format("{} has {} bytes, at most {} are taken", path.string(), file->size(), limit));
  }
  std::string text(static_cast<size_t>(file->size()), '\0');
  auto read = file->read(0, std::as_writable_bytes(std::span(text)));
  if (!read) return read.error();
  return text;
}

}  // namespace tenon
