// Which files there are, and what their notes say. Private to the registry.
#pragma once

#include <tenon/registry/note.hpp>
#include <tenon/registry/registry.hpp>

#include <vector>

namespace tenon {

/// One file with what is known of it before loading.
struct Found {
  PluginState state;
  std::optional<PluginNote> note;
};

/// *.so of the folders, in order of folder and name. Files that leave the folder by a symlink (PLUGIN_PATH_ESCAPE), are
/// writable by everyone or owned by strangers (PLUGIN_INSECURE_PATH) get a fault and are not read.
std::vector<Found> scan(std::span<const std::filesystem::path> folders, uint64_t host_isa);

/// One file, taken as spelled.
Found examine(const std::filesystem::path& path, uint64_t host_isa);

/// PLUGIN_DUPLICATE_ID on the later of two different files that both could be used under one id; the same inode twice
/// is one plug-in and is dropped from the list.
void mark_duplicates(std::vector<Found>& found);

}  // namespace tenon
