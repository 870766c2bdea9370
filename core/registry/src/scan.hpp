// Which files there are, and what their notes say. Private to the registry.
#pragma once

#include <tenon/registry/note.hpp>
#include <tenon/registry/registry.hpp>

#include "identity.hpp"

#include <vector>

namespace tenon {

/// One file with what is known of it before loading.
struct Found {
  PluginState state;
  std::optional<PluginNote> note;
  std::optional<FileIdentity> identity;  // as it was when the note was read
};

/// *.so of the folders, in order of folder and name. Files that leave the folder by a symlink (PLUGIN_PATH_ESCAPE), are
/// writable by everyone or owned by strangers (PLUGIN_INSECURE_PATH) get a fault and are not read.
std::vector<Found> scan(std::span<const std::filesystem::path> folders, uint64_t host_isa);

/// One file, taken as spelled. PLUGIN_IS_HOST where it is the running executable.
Found examine(const std::filesystem::path& path, uint64_t host_isa);

/// PLUGIN_DUPLICATE_ID for `later`, with both paths and digests.
Fault duplicate_id(const std::string& id, const std::filesystem::path& later, const std::filesystem::path& first);

/// PLUGIN_DUPLICATE_ID on the later of two different files that both could be used under one id; the same inode twice
/// is one plug-in and is dropped from the list.
void mark_duplicates(std::vector<Found>& found);

}  // namespace tenon
