#!/usr/bin/env python3
"""Writes the golden data of tests/unit/reference: golden.bin.

    python3 -m venv venv && venv/bin/pip install -r tests/oracle/requirements.txt
    venv/bin/python tests/unit/reference/make_golden.py

Nothing here is this project's code. Block formats are read by the PyPI package gguf; ops are written from their
definitions in f64; the chains of core/README.md that are promised bit for bit are computed with exact fractions and
rounded once an operation. The random numbers come from pinned seeds.
"""
import sys
from pathlib import Path

import numpy as np

import golden_blocks
import golden_chains
import golden_ops

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "support"))
import golden_file  # noqa: E402


def main() -> None:
    golden: dict[str, np.ndarray] = {}
    golden |= golden_blocks.make()
    golden |= golden_chains.make()
    golden |= golden_ops.make()
    golden_file.write(Path(__file__).parent / "golden.bin", golden)


if __name__ == "__main__":
    main()
