"""What a linked file is, by its content."""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from paired.elf import build_id

_NONCE = re.compile(rb"falsify:[0-9a-f]{32}")


@dataclass(frozen=True)
class Binary:
    """A snapshot of a file; empty where there is none."""

    id: str  # GNU build-id
    nonces: frozenset[str]
    blank: str  # digest of the content without nonces and build-id: equal for binaries that do the same

    @staticmethod
    def at(path: Path) -> "Binary":
        try:
            content = path.read_bytes()
        except OSError:
            return Binary("", frozenset(), "")
        own = build_id(path)
        blank = _NONCE.sub(b"falsify:" + b"0" * 32, content)
        if own:
            blank = blank.replace(bytes.fromhex(own), bytes(len(own) // 2))
        return Binary(own, frozenset(each.decode() for each in _NONCE.findall(content)), hashlib.sha256(blank).hexdigest())
