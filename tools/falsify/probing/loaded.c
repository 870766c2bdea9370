// A loader audit module: every object that a test process maps is written to $FALSIFY_LOADED as "<build-id> <path>",
// read from the mapped memory and not from a file that may have changed since.
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

unsigned int la_version(unsigned int version) { return version; }

static const unsigned char* find_id(const struct link_map* map, size_t* size) {
  // The headers are mapped at the load address of every position-independent object.
  const ElfW(Ehdr)* header = (const ElfW(Ehdr)*)map->l_addr;
  if (map->l_addr == 0 || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return NULL;
  const ElfW(Phdr)* segment = (const ElfW(Phdr)*)(map->l_addr + header->e_phoff);
  for (int i = 0; i < header->e_phnum; ++i, ++segment) {
    if (segment->p_type != PT_NOTE) continue;
    const char* at = (const char*)(map->l_addr + segment->p_vaddr);
    const char* end = at + segment->p_memsz;
    const size_t align = segment->p_align == 8 ? 8 : 4;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      const ElfW(Nhdr)* note = (const ElfW(Nhdr)*)at;
      const char* name = at + sizeof *note;
      const char* value = name + (note->n_namesz + 3) / 4 * 4;
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
        *size = note->n_descsz;
        return (const unsigned char*)value;
      }
      at = value + (note->n_descsz + align - 1) / align * align;
    }
  }
  return NULL;
}

unsigned int la_objopen(struct link_map* map, Lmid_t space, uintptr_t* cookie) {
  (void)space;
  (void)cookie;
  const char* target = getenv("FALSIFY_LOADED");
  size_t size = 0;
  const unsigned char* id = find_id(map, &size);
  if (target == NULL || id == NULL || size > 64) return 0;
  char line[4096];
  int length = 0;
  for (size_t i = 0; i < size; ++i) length += snprintf(line + length, 3, "%02x", id[i]);
  length += snprintf(line + length, sizeof line - (size_t)length, " %s\n",
                     map->l_name[0] != '\0' ? map->l_name : "(program)");
  const int file = open(target, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return 0;
  if (length < (int)sizeof line && write(file, line, (size_t)length) < 0) length = 0;
  close(file);
  return 0;
}
