#include "scan.hpp"

#include <tenon/base/sha256.hpp>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <set>

namespace tenon {
namespace fs = std::filesystem;
namespace {

std::optional<Fault> check_escape(const fs::path& folder, const fs::path& path) {
  std::error_code error;
  const fs::path real_folder = fs::canonical(folder, error), real = fs::canonical(path, error);
  if (error) return std::nullopt;  // a dangling link: reading it says so
  const auto [in_folder, unused] = std::mismatch(real_folder.begin(), real_folder.end(), real.begin(), real.end());
  if (in_folder == real_folder.end()) return std::nullopt;
  return Fault{"PLUGIN_PATH_ESCAPE",
               path.stem().string(),
               path,
               fmt::format("it is a link to {}, outside the plug-in folder", real.string()),
               "copy the file, or name that path under 'plugins'",
               std::nullopt};
}

std::optional<Fault> check_secure(const fs::path& path) {
  for (const fs::path& each : {path, path.parent_path()}) {
    struct stat info {};
    if (::stat(each.c_str(), &info) != 0) return std::nullopt;
    const bool anyone_writes = (info.st_mode & S_IWOTH) != 0 && (info.st_mode & S_ISVTX) == 0;
    const bool strangers = info.st_uid != 0 && info.st_uid != ::geteuid();
    if (!anyone_writes && !strangers) continue;
    return Fault{
        "PLUGIN_INSECURE_PATH",
        path.stem().string(),
        path,
        fmt::format("{} {}", each.string(),
                    anyone_writes ? "can be written by everyone" : fmt::format("belongs to user {}", info.st_uid)),
        "mend its owner and mode, or name the path under 'plugins'",
        std::nullopt};
  }
  return std::nullopt;
}

}  // namespace

Found examine(const fs::path& path, uint64_t host_isa) {
  Found found;
  found.state.path = path;
  found.identity = identity_of(path);
  if (const auto host = identity_of("/proc/self/exe"); host && found.identity && host->is_same_file(*found.identity)) {
    found.state.fault = Fault{"PLUGIN_IS_HOST",       path.stem().string(), path, "this is the host executable itself",
                              "name a plug-in's .so", std::nullopt};
    return found;
  }
  auto read = read_note(path);
  if (auto* fault = std::get_if<Fault>(&read)) {
    found.state.fault = *fault;
    return found;
  }
  const auto& note = std::get<PluginNote>(read);
  found.state.id = note.id;
  found.state.version = note.version;
  found.state.build_id = note.build_id;
  found.state.isa = note.isa;
  found.state.interfaces = note.interfaces;
  found.state.stage = PluginStage::loadable;
  found.state.fault = check_note(note, path, host_isa);
  if (!found.state.fault) found.state.stage = PluginStage::usable;
  found.note = note;
  return found;
}

std::vector<Found> scan(std::span<const fs::path> folders, uint64_t host_isa) {
  std::vector<Found> found;
  for (const fs::path& folder : folders) {
    std::vector<fs::path> files;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
      if (entry.path().extension() == ".so") files.push_back(fs::absolute(entry.path()));
    }
    std::ranges::sort(files);
    for (const fs::path& file : files) {
      auto fault = check_escape(folder, file);
      if (!fault) fault = check_secure(file);
      if (fault) {
        Found refused;
        refused.state.path = file;
        refused.state.fault = std::move(fault);
        found.push_back(std::move(refused));
      } else {
        found.push_back(examine(file, host_isa));
      }
    }
  }
  return found;
}

Fault duplicate_id(const std::string& id, const fs::path& later, const fs::path& first) {
  const auto digest = [](const fs::path& path) {
    auto sha = sha256_file(path);
    return sha ? to_hex(*sha).substr(0, 16) : std::string("unreadable");
  };
  return {
      "PLUGIN_DUPLICATE_ID",
      id,
      later,
      fmt::format("its id is also that of {} (SHA-256 {}... and {}...)", first.string(), digest(later), digest(first)),
      "remove one of them, or name only one, by its path, under 'plugins'",
      std::nullopt};
}

void mark_duplicates(std::vector<Found>& found) {
  std::set<std::pair<uint64_t, uint64_t>> inodes;
  std::erase_if(found, [&](const Found& each) {
    const auto identity = identity_of(each.state.path);
    return identity && !inodes.emplace(identity->device, identity->inode).second;
  });
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i].state.stage != PluginStage::usable) continue;
    for (size_t j = 0; j < i; ++j) {
      if (found[j].state.stage != PluginStage::usable || found[j].state.id != found[i].state.id) continue;
      found[i].state.stage = PluginStage::loadable;
      found[i].state.fault = duplicate_id(found[i].state.id, found[i].state.path, found[j].state.path);
      break;
    }
  }
}

}  // namespace tenon
