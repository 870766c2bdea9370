#!/usr/bin/env python3
"""Writes the golden data of tests/unit/reference: golden.bin.

    python3 -m venv venv && venv/bin/pip install -r tests/oracle/requirements.txt
    venv/bin/python tests/unit/reference/make_golden.py

Nothing here is this project's code. Block formats are read by the PyPI package gguf; ops are written from their
definitions in f64; the chains of core/README.md that are promised bit for bit are computed with exact fractions and
rounded once an operation. The random numbers come from pinned seeds.

golden.bin: entries of u32 name length, name, u32 kind (0 f32, 1 bytes, 2 i32), u32 count, the elements, little endian.
"""
import struct
from pathlib import Path

import numpy as np

import golden_blocks
import golden_chains
import golden_ops

KINDS = {np.dtype(np.float32): 0, np.dtype(np.uint8): 1, np.dtype(np.int32): 2}


def entry(name: str, values: np.ndarray) -> bytes:
    flat = np.ascontiguousarray(values).reshape(-1)
    text = name.encode()
    return struct.pack("<I", len(text)) + text + struct.pack("<II", KINDS[flat.dtype], flat.size) + flat.tobytes()


def main() -> None:
    golden: dict[str, np.ndarray] = {}
    golden |= golden_blocks.make()
    golden |= golden_chains.make()
    golden |= golden_ops.make()
    target = Path(__file__).parent / "golden.bin"
    target.write_bytes(b"".join(entry(name, values) for name, values in golden.items()))
    print(f"{target.name}: {len(golden)} entries, {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
