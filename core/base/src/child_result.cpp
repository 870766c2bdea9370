// The child's side: small, and without a library, so that a program that is no host can have it.
#include <tenon/base/child.hpp>

#include <unistd.h>

#include <cerrno>

namespace tenon {

bool write_result(std::string_view bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t n = ::write(kChildResult, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

}  // namespace tenon
