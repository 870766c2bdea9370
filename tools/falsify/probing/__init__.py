"""Breaks code on purpose and sees whether the tests notice; see ../README.md. Worktrees, builds and ELF files are read
with the modules of tools/benchdiff."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchdiff"))
