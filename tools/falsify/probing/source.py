"""The files of the worktree that a probe changes."""

import os
import secrets
import time
from pathlib import Path

from .probe import Probe


class Source:
    """One file: broken, marked, restored. Every write gets a time newer than any before it: make and ninja look at times,
    and a file whose old time came back with its old text is the trap that leaves the broken binary in place."""

    def __init__(self, root: Path, probe: Probe) -> None:
        self.path = root / probe.file
        self._original = self.path.read_bytes()
        self._probe = probe

    def mark(self) -> str:
        """The sound text with a nonce; gives the nonce back."""
        return self._write_marked(self._original.decode())

    def break_it(self) -> str:
        """The broken text with a nonce of its own."""
        return self._write_marked(self._original.decode().replace(self._probe.find, self._probe.replace))

    def restore(self) -> None:
        self._write(self._original)

    def _write_marked(self, text: str) -> str:
        nonce = f"falsify:{secrets.token_hex(16)}"
        # Internal linkage, so that a header may be included many times; `used` keeps it through the optimizer.
        mark = f'\n__attribute__((used)) static const char falsify_nonce_[] = "{nonce}";\n'
        self._write((text + mark).encode())
        return nonce

    def _write(self, content: bytes) -> None:
        before = self.path.stat().st_mtime_ns
        self.path.write_bytes(content)
        self.stamp(before)

    def stamp(self, before: int) -> None:
        """`before`: the time of the file until now, in ns."""
        newest = max(time.time_ns(), before + 1_000_000)
        os.utime(self.path, ns=(newest, newest))
