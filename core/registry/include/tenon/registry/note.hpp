// What a plug-in file says about itself, read without running any of its code.
#pragma once

#include <tenon.h>
#include <tenon/registry/fault.hpp>

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace tenon {

struct PluginNote {
  std::string id, version;
  std::vector<std::string> interfaces;  // "tenon.kernel/1"
  uint16_t abi_major = 0, abi_minor = 0;
  uint64_t features_incompatible = 0;
  uint64_t isa = 0;
  uint32_t flags = 0;
  std::string build_id;                   // GNU build-id in hex, empty where the file has none
  std::vector<std::string> dependencies;  // DT_NEEDED sonames
};

/// Reads the ELF headers and the note of owner "Tenon". Every offset is checked against the file's size. Faults:
/// PLUGIN_NOT_FOUND, PLUGIN_NOT_A_FILE, PLUGIN_UNREADABLE, PLUGIN_BAD_FORMAT, PLUGIN_WRONG_ARCH, PLUGIN_NO_ENTRY,
/// PLUGIN_CORRUPT_DESCRIPTOR.
std::variant<PluginNote, Fault> read_note(const std::filesystem::path& path);

/// Whether this host can use what the note describes. Faults: PLUGIN_ABI_MISMATCH, PLUGIN_UNKNOWN_FEATURE,
/// PLUGIN_ISA_UNSUPPORTED.
std::optional<Fault> check_note(const PluginNote& note, const std::filesystem::path& path, uint64_t host_isa);

}  // namespace tenon
