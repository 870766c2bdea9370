// Which file a path names, to notice when it is another one. Private to the registry.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace tenon {

/// Device and inode say which file, size and time of writing say whether it was written since.
struct FileIdentity {
  uint64_t device = 0, inode = 0, bytes = 0;
  int64_t seconds = 0, nanoseconds = 0;

  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
  bool is_same_file(const FileIdentity& other) const { return device == other.device && inode == other.inode; }
};

/// Nothing where the path leads nowhere. Follows links.
std::optional<FileIdentity> identity_of(const std::filesystem::path& path);

}  // namespace tenon
