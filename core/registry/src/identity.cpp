#include "identity.hpp"

#include <sys/stat.h>

namespace tenon {

std::optional<FileIdentity> identity_of(const std::filesystem::path& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  return FileIdentity{info.st_dev, info.st_ino, static_cast<uint64_t>(info.st_size), info.st_mtim.tv_sec,
                      info.st_mtim.tv_nsec};
}

}  // namespace tenon
