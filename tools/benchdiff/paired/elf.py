"""The little that is read from ELF files: names of sections, and the GNU build-id."""

import struct
from dataclasses import dataclass
from pathlib import Path

_NOTE = 7  # sh_type of SHT_NOTE
_NT_GNU_BUILD_ID = 3


@dataclass(frozen=True)
class Section:
    name: str
    kind: int
    offset: int
    size: int


def sections(path: Path) -> list[Section]:
    """Of a 64-bit little-endian ELF file; none of any other file."""
    data = path.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01" or len(data) < 64:
        return []
    table, = struct.unpack_from("<Q", data, 40)
    entry_size, count, names_index = struct.unpack_from("<HHH", data, 58)
    if table == 0 or count == 0 or table + count * entry_size > len(data):
        return []
    raw = [struct.unpack_from("<IIQQQQ", data, table + i * entry_size) for i in range(count)]
    names = raw[names_index][4] if names_index < count else 0
    return [Section(_string(data, names + name), kind, offset, size) for name, kind, _, _, offset, size in raw]


def build_id(path: Path) -> str:
    """In hexadecimal; empty where the file has none."""
    for section in sections(path):
        if section.kind == _NOTE and section.name == ".note.gnu.build-id":
            note = path.read_bytes()[section.offset:section.offset + section.size]
            if len(note) < 12:
                return ""
            name_size, size, kind = struct.unpack_from("<III", note, 0)
            start = 12 + (name_size + 3) // 4 * 4
            return note[start:start + size].hex() if kind == _NT_GNU_BUILD_ID else ""
    return ""


def _string(data: bytes, at: int) -> str:
    end = data.find(b"\0", at)
    return data[at:end].decode(errors="replace") if end >= 0 else ""
