// A checked reader of the parts of an ELF file that say what it is. Private to the registry.
#pragma once

#include <tenon/base/file.hpp>
#include <tenon/result.hpp>

#include <elf.h>

#include <span>
#include <string>
#include <vector>

namespace tenon {

/// One 64-bit little-endian ELF file of this machine's kind. Offsets come from the file and are never trusted.
class ElfFile {
 public:
  enum class Problem { none, not_elf, truncated, wrong_arch, not_shared };

  explicit ElfFile(const File& file) : file_(file) {}
  /// Reads the header and the program headers; `cause` says what is wrong.
  Problem read_headers(std::string& cause);

  struct Note {
    std::string owner;
    uint32_t type;
    std::vector<std::byte> desc;
  };
  /// All notes of all PT_NOTE segments; a note that runs over its segment ends the list and sets `broken`.
  Result<std::vector<Note>> notes(bool& broken) const;
  /// DT_NEEDED names, as far as the tables are sound.
  std::vector<std::string> needed() const;

 private:
  Result<std::vector<std::byte>> bytes(uint64_t offset, uint64_t n, uint64_t most) const;
  /// File offset of a virtual address, or the file's size where it is in no segment.
  uint64_t offset_of(uint64_t address) const;

  const File& file_;
  std::vector<Elf64_Phdr> segments_;
};

}  // namespace tenon
