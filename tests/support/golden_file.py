"""Writes golden data by name, for tests/support/golden_file.hpp, which says how the bytes are."""
import struct
from pathlib import Path

import numpy as np

KINDS = {np.dtype(np.float32): 0, np.dtype(np.uint8): 1, np.dtype(np.int32): 2}


def entry(name: str, values: np.ndarray) -> bytes:
    flat = np.ascontiguousarray(values).reshape(-1)
    text = name.encode()
    return struct.pack("<I", len(text)) + text + struct.pack("<II", KINDS[flat.dtype], flat.size) + flat.tobytes()


def write(target: Path, golden: dict[str, np.ndarray]) -> None:
    target.write_bytes(b"".join(entry(name, values) for name, values in golden.items()))
    print(f"{target.name}: {len(golden)} entries, {target.stat().st_size} bytes")
