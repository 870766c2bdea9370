"""golden.bin: the reference's top tokens at every position, in a layout that needs no library to read.

All numbers are little-endian and all arrays are packed one after another, rows of one position together:

  offset 0   char[8]   magic, "TNGOLD01"
  offset 8   u32       n_positions
  offset 12  u32       top_k
  offset 16  u32       vocab_size
  offset 20  u32       n_skipped
  offset 24  u32       tokens[n_skipped + n_positions]  the input; row i is the distribution after tokens[0..n_skipped + i]
             u32       ids[n_positions][top_k]        most probable first
             f32       log_probs[n_positions][top_k]  natural log, of the softmax over the whole vocabulary
             f32       log_rest[n_positions]          natural log of the probability of all tokens not in ids
"""
import struct
from pathlib import Path

import numpy as np

from divergence import Top

MAGIC = b"TNGOLD01"
HEADER = struct.Struct("<8s4I")


def write(path: Path, tokens: list[int], vocab_size: int, top: Top) -> None:
    n, k = top.ids.shape
    with open(path, "wb") as out:
        out.write(HEADER.pack(MAGIC, n, k, vocab_size, len(tokens) - n))
        for array, kind in ((np.array(tokens), "<u4"), (top.ids, "<u4"), (top.log_probs, "<f4"), (top.log_rest, "<f4")):
            out.write(np.ascontiguousarray(array, kind).tobytes())


def read(path: Path) -> tuple[list[int], int, Top]:
    """tokens, vocab_size and the top tokens."""
    data = path.read_bytes()
    magic, n, k, vocab_size, skipped = HEADER.unpack_from(data)
    if magic != MAGIC or len(data) != HEADER.size + 4 * (skipped + n * (2 + 2 * k)):
        raise ValueError(f"{path} is not a golden file")
    words = np.frombuffer(data, "<u4", offset=HEADER.size)
    floats = words.view("<f4")
    ids, log_probs, rest = np.cumsum([skipped + n, n * k, n * k])
    return words[:skipped + n].tolist(), vocab_size, Top(
        words[ids:log_probs].reshape(n, k).astype(np.int64), floats[log_probs:rest].reshape(n, k), floats[rest:])
