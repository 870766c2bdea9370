#include <tenon/base/cpu.hpp>
#include <tenon/registry/note.hpp>

#include "elf.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <system_error>

namespace tenon {
namespace {

Fault fault(std::string code, const std::filesystem::path& path, std::string cause, std::string next) {
  return {std::move(code), path.stem().string(), path, std::move(cause), std::move(next), std::nullopt};
}

std::string errno_text(int number) { return std::generic_category().message(number); }

/// The text of a NUL-padded field, or nullopt where it is not terminated.
template <size_t N>
std::optional<std::string> field(const char (&text)[N]) {
  const void* end = std::memchr(text, 0, N);
  if (end == nullptr) return std::nullopt;
  return std::string(text, static_cast<size_t>(static_cast<const char*>(end) - text));
}

bool is_id(const std::string& id) {
  return !id.empty() && std::ranges::all_of(id, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

constexpr const char* kRebuild = "build it again with this version's headers";

std::variant<PluginNote, Fault> parse_desc(const std::vector<std::byte>& desc, const std::filesystem::path& path) {
  const auto corrupt = [&](std::string cause) {
    return fault("PLUGIN_CORRUPT_DESCRIPTOR", path, std::move(cause), kRebuild);
  };
  // The fields up to `reserved` are as old as the note itself; the rest may grow.
  if (desc.size() < sizeof(tenon_note_desc)) {
    return corrupt(fmt::format("its note has {} bytes, expected {}", desc.size(), sizeof(tenon_note_desc)));
  }
  tenon_note_desc note;
  std::memcpy(&note, desc.data(), sizeof note);
  if (note.magic != TENON_PLUGIN_MAGIC) return corrupt("its note lacks the magic number");
  if (note.size < sizeof note || note.size > desc.size()) {
    return corrupt(fmt::format("its note says {} bytes and has {}", note.size, desc.size()));
  }
  const auto id = field(note.id), version = field(note.version), interfaces = field(note.interfaces);
  if (!id || !version || !interfaces || !is_id(*id))
    return corrupt("a name in its note is not terminated or not [a-z0-9_-]+");
  PluginNote parsed;
  parsed.id = *id;
  parsed.version = *version;
  parsed.abi_major = note.abi_major;
  parsed.abi_minor = note.abi_minor;
  parsed.features_incompatible = note.features_incompatible;
  parsed.isa = note.isa;
  parsed.flags = note.flags;
  std::istringstream words(*interfaces);
  for (std::string word; words >> word;) parsed.interfaces.push_back(word);
  return parsed;
}

std::optional<Fault> check_is_file(const std::filesystem::path& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) {
    const bool missing = errno == ENOENT || errno == ENOTDIR;
    return fault(missing ? "PLUGIN_NOT_FOUND" : "PLUGIN_UNREADABLE", path, errno_text(errno),
                 missing ? "check the path; relative ones count from the config's folder" : "check the permissions");
  }
  if (!S_ISREG(info.st_mode)) {
    return fault("PLUGIN_NOT_A_FILE", path,
                 S_ISDIR(info.st_mode) ? "it is a directory" : "it is a device, pipe or socket",
                 "name the .so file itself");
  }
  if (info.st_size == 0) return fault("PLUGIN_NOT_A_FILE", path, "the file is empty", "build or copy it again");
  return std::nullopt;
}

}  // namespace

std::variant<PluginNote, Fault> read_note(const std::filesystem::path& path) {
  if (auto problem = check_is_file(path)) return *problem;
  auto file = File::open(path);
  if (!file) return fault("PLUGIN_UNREADABLE", path, file.error().message, "check the permissions");
  ElfFile elf(*file);
  std::string cause;
  switch (elf.read_headers(cause)) {
    case ElfFile::Problem::none: break;
    case ElfFile::Problem::wrong_arch: return fault("PLUGIN_WRONG_ARCH", path, cause, "build it for this machine");
    case ElfFile::Problem::not_elf:
    case ElfFile::Problem::truncated:
    case ElfFile::Problem::not_shared: return fault("PLUGIN_BAD_FORMAT", path, cause, "build or copy it again");
  }
  bool broken = false;
  auto notes = elf.notes(broken);
  if (!notes) return fault("PLUGIN_BAD_FORMAT", path, notes.error().message, "build or copy it again");
  std::string build_id;
  const ElfFile::Note* own = nullptr;
  for (const ElfFile::Note& note : *notes) {
    if (note.owner == "Tenon" && note.type == TENON_NOTE_TYPE) own = &note;
    if (note.owner != "GNU" || note.type != NT_GNU_BUILD_ID) continue;
    for (const std::byte b : note.desc) build_id += fmt::format("{:02x}", static_cast<unsigned>(b));
  }
  if (own == nullptr) {
    if (broken) return fault("PLUGIN_CORRUPT_DESCRIPTOR", path, "its notes run over their segment", kRebuild);
    return fault("PLUGIN_NO_ENTRY", path, "a shared object that is no Tenon plug-in: it has no note of owner 'Tenon'",
                 "export it with TENON_PLUGIN");
  }
  auto parsed = parse_desc(own->desc, path);
  if (auto* note = std::get_if<PluginNote>(&parsed)) {
    note->build_id = build_id;
    note->dependencies = elf.needed();
  }
  return parsed;
}

std::optional<Fault> check_note(const PluginNote& note, const std::filesystem::path& path, uint64_t host_isa) {
  const auto refuse = [&](std::string code, std::string cause, std::string next) {
    return Fault{std::move(code), note.id, path, std::move(cause), std::move(next), std::nullopt};
  };
  // An older minor is fine: its structs are shorter.
  if (note.abi_major != TENON_ABI_MAJOR || note.abi_minor > TENON_ABI_MINOR) {
    return refuse("PLUGIN_ABI_MISMATCH",
                  fmt::format("it was built for ABI {}.{}, this host has {}.{}", note.abi_major, note.abi_minor,
                              TENON_ABI_MAJOR, TENON_ABI_MINOR),
                  "build it again with this host's headers, or take a host that fits");
  }
  if (note.features_incompatible != 0) {
    return refuse("PLUGIN_UNKNOWN_FEATURE",
                  fmt::format("it needs features {:#x} that this host does not know", note.features_incompatible),
                  "take a newer host");
  }
  const uint64_t missing = note.isa & ~host_isa;
  if (missing != 0) {
    return refuse("PLUGIN_ISA_UNSUPPORTED",
                  fmt::format("it needs {}, this processor and operating system have {}", isa_names(missing),
                              isa_names(host_isa)),
                  "name another backend in backends.order");
  }
  return std::nullopt;
}

}  // namespace tenon
