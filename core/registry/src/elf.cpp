#include "elf.hpp"

#include <fmt/format.h>

#include <cstring>

namespace tenon {
namespace {

#if defined(__x86_64__)
constexpr uint16_t kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr uint16_t kMachine = EM_AARCH64;
#endif

constexpr uint64_t kMostNoteBytes = 1 << 20;
constexpr uint64_t kMostDynamic = 1 << 16;
constexpr uint64_t kMostStrings = 1 << 24;

std::string machine_name(uint16_t machine) {
  switch (machine) {
    case EM_X86_64: return "x86-64";
    case EM_AARCH64: return "aarch64";
    case EM_386: return "i386";
    case EM_ARM: return "arm";
    case EM_RISCV: return "riscv";
    default: return fmt::format("machine {}", machine);
  }
}

template <class T>
T at(std::span<const std::byte> bytes, uint64_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

uint64_t padded(uint64_t n, uint64_t align) { return (n + align - 1) / align * align; }

}  // namespace

Result<std::vector<std::byte>> ElfFile::bytes(uint64_t offset, uint64_t n, uint64_t most) const {
  if (n > most || offset > file_.size() || n > file_.size() - offset) {
    return invalid(fmt::format("bytes {} to {} lie outside the file of {} bytes", offset, offset + n, file_.size()));
  }
  std::vector<std::byte> data(static_cast<size_t>(n));
  auto read = file_.read(offset, data);
  if (!read) return read.error();
  return data;
}

ElfFile::Problem ElfFile::read_headers(std::string& cause) {
  auto start = bytes(0, std::min<uint64_t>(file_.size(), sizeof(Elf64_Ehdr)), sizeof(Elf64_Ehdr));
  if (!start || start->size() < SELFMAG || std::memcmp(start->data(), ELFMAG, SELFMAG) != 0) {
    cause = "not an ELF file";
    return Problem::not_elf;
  }
  if (start->size() < sizeof(Elf64_Ehdr)) {
    cause = fmt::format("the ELF header is cut: {} bytes of {}", start->size(), sizeof(Elf64_Ehdr));
    return Problem::truncated;
  }
  const auto header = at<Elf64_Ehdr>(*start, 0);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB) {
    cause = fmt::format("it is {}-bit {}-endian, this host is 64-bit little-endian",
                        header.e_ident[EI_CLASS] == ELFCLASS32 ? "32" : "64",
                        header.e_ident[EI_DATA] == ELFDATA2MSB ? "big" : "little");
    return Problem::wrong_arch;
  }
  if (header.e_machine != kMachine) {
    cause = fmt::format("it is for {}, this host is {}", machine_name(header.e_machine), machine_name(kMachine));
    return Problem::wrong_arch;
  }
  if (header.e_type != ET_DYN) {
    cause = fmt::format("its ELF type is {}, a shared object has {}", header.e_type, ET_DYN);
    return Problem::not_shared;
  }
  if (header.e_phentsize != sizeof(Elf64_Phdr)) {
    cause = fmt::format("its program headers have {} bytes, expected {}", header.e_phentsize, sizeof(Elf64_Phdr));
    return Problem::truncated;
  }
  auto table = bytes(header.e_phoff, uint64_t{header.e_phnum} * sizeof(Elf64_Phdr), uint64_t{1} << 22);
  if (!table) {
    cause = "the program headers are cut: " + table.error().message;
    return Problem::truncated;
  }
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = at<Elf64_Phdr>(*table, i * sizeof(Elf64_Phdr));
    if (segment.p_type == PT_LOAD &&
        (segment.p_offset > file_.size() || segment.p_filesz > file_.size() - segment.p_offset)) {
      cause = fmt::format("the file is cut: a segment ends at byte {}, the file has {}",
                          segment.p_offset + segment.p_filesz, file_.size());
      return Problem::truncated;
    }
    segments_.push_back(segment);
  }
  return Problem::none;
}

Result<std::vector<ElfFile::Note>> ElfFile::notes(bool& broken) const {
  std::vector<Note> notes;
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_NOTE) continue;
    auto data = bytes(segment.p_offset, segment.p_filesz, kMostNoteBytes);
    if (!data) return data.error();
    for (uint64_t offset = 0; offset + sizeof(Elf64_Nhdr) <= data->size();) {
      const auto header = at<Elf64_Nhdr>(*data, offset);
      // Notes of segments aligned to 8 (.note.gnu.property) are padded to 8, all others to 4.
      const uint64_t align = segment.p_align == 8 ? 8 : 4;
      const uint64_t name_at = offset + sizeof header, desc_at = padded(name_at + header.n_namesz, align);
      const uint64_t end = desc_at + header.n_descsz;
      if (end > data->size()) {
        broken = true;
        break;
      }
      Note note{std::string(reinterpret_cast<const char*>(data->data() + name_at), header.n_namesz), header.n_type,
                std::vector(data->begin() + static_cast<std::ptrdiff_t>(desc_at),
                            data->begin() + static_cast<std::ptrdiff_t>(end))};
      while (note.owner.ends_with('\0')) note.owner.pop_back();
      notes.push_back(std::move(note));
      offset = padded(end, align);
    }
  }
  return notes;
}

uint64_t ElfFile::offset_of(uint64_t address) const {
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr || address - segment.p_vaddr >= segment.p_filesz)
      continue;
    return segment.p_offset + (address - segment.p_vaddr);
  }
  return file_.size();
}

std::vector<std::string> ElfFile::needed() const {
  std::vector<uint64_t> names;
  uint64_t strings_at = 0, strings_bytes = 0;
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_DYNAMIC) continue;
    auto table = bytes(segment.p_offset, segment.p_filesz, kMostDynamic);
    if (!table) return {};
    for (uint64_t i = 0; i + sizeof(Elf64_Dyn) <= table->size(); i += sizeof(Elf64_Dyn)) {
      const auto entry = at<Elf64_Dyn>(*table, i);
      if (entry.d_tag == DT_NEEDED) names.push_back(entry.d_un.d_val);
      if (entry.d_tag == DT_STRTAB) strings_at = entry.d_un.d_ptr;
      if (entry.d_tag == DT_STRSZ) strings_bytes = entry.d_un.d_val;
    }
  }
  auto strings = bytes(offset_of(strings_at), strings_bytes, kMostStrings);
  std::vector<std::string> needed;
  if (!strings) return needed;
  for (const uint64_t name : names) {
    if (name >= strings->size()) continue;
    const char* first = reinterpret_cast<const char*>(strings->data() + name);
    needed.emplace_back(first, strnlen(first, strings->size() - name));
  }
  return needed;
}

}  // namespace tenon
