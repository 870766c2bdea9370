#!/usr/bin/env python3
"""Writes golden.bin of tests/unit/sdk: what the PyPI package gguf makes of numbers in every format, both ways.

    python3 -m venv venv && venv/bin/pip install -r tests/oracle/requirements.txt
    venv/bin/python tests/unit/sdk/make_golden.py

quantize/NAME/values and quantize/NAME/bytes: f32 and their encoding. dequantize/NAME/bytes and dequantize/NAME/values: the
other way, with random bytes and every kind of scale. One number is not the package's: it reads an mxfp4 scale of 255 as
2^128, the OCP MX specification says NaN.
"""
import sys
from pathlib import Path

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Type

HERE = Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[2] / "support"), str(HERE.parents[1] / "reference")]
import golden_file  # noqa: E402
from golden_blocks import FORMATS, HALVES, dequantize, elements, random_bytes  # noqa: E402

QUANTIZED = {"f16": Type.F16, "bf16": Type.BF16, "q4_0": Type.Q4_0, "q4_1": Type.Q4_1, "q5_0": Type.Q5_0,
             "q5_1": Type.Q5_1, "q8_0": Type.Q8_0, "mxfp4": Type.MXFP4}


def numbers(rng: np.random.Generator) -> np.ndarray:
    """Blocks of 32, random and of the edges of each encoding."""
    f = np.float32
    blocks = [rng.normal(0, scale, (12, 32)) for scale in (1, 1e-3, 300)]
    blocks += [rng.uniform(-1, 1, (12, 32)), rng.uniform(0, 1, (6, 32)), rng.uniform(-1, 0, (6, 32))]
    blocks.append(rng.normal(0, 1, (6, 32)) * np.exp(rng.normal(0, 4, (6, 32))))  # a few large among small ones
    edges = np.zeros((14, 32))
    edges[1] = 1.5                                # all the same
    edges[2] = -1.5
    edges[3, 7] = 3                               # one alone
    edges[4, [3, 20]] = [2, -2]                   # the largest twice, with both signs
    edges[5, [3, 20]] = [-2, 2]
    edges[6] = np.arange(32) / 2 - 8              # halves, which are rounded away from 0 or to even
    edges[7] = np.arange(32) * 8 - 124 + 0.5
    edges[7, 0] = 127
    edges[8] = -0.0
    edges[9] = rng.uniform(-1, 1, 32) * 1e-6      # scales that are subnormal in f16
    edges[10] = rng.uniform(-1, 1, 32) * 1e-9     # and 0 there
    edges[11] = rng.uniform(-1, 1, 32) * 60000    # near the largest of f16
    edges[12] = np.arange(32) * 0.25              # between the values of e2m1
    edges[13] = -np.arange(32) * 0.25
    blocks.append(edges)
    below = np.zeros((16, 32))                    # just below, at and above powers of two
    for i in range(16):
        power = f(2.0) ** (i - 8)
        below[i, :5] = [np.nextafter(power, f(0)), power / 2, -power / 3, power / 7, -power / 6]
        below[i, 5] = [0, power, np.nextafter(power, f(9e9)), power * f(1 - 2.0**-20)][i % 4]
    blocks.append(below)
    return np.concatenate(blocks).astype(np.float32)


def halves() -> np.ndarray:
    """What rounding to 16 bits meets: ties, overflow, subnormals, infinity, NaN."""
    f = np.float32
    special = [0.0, -0.0, 1 + 2.0**-11, 1 + 3 * 2.0**-11, 1 + 2.0**-8, 1 + 3 * 2.0**-8, 65504, 65519.996, 65520, 65536,
               -65520, 6.1035156e-05, 6.0975552e-05, 5.9604645e-08, 2.9802322e-08, 2.9802326e-08, 8.940697e-08, 1e-10,
               3.3895314e38, 3.3961775e38, 3.4028235e38, 1e-40, -1e-45, np.inf, -np.inf, np.nan, 0.1, -0.1, 1 / 3, 2.5,
               1e5, 7.0]
    return np.array(special, dtype=f).reshape(1, 32)


def edge_scales(rng: np.random.Generator, name: str) -> np.ndarray:
    """Blocks of random codes under scales of every kind."""
    kinds = np.array([0, -0.0, 1, -1, 65504, 6.1e-5, 6e-8, np.inf, -np.inf, np.nan], dtype=np.float16)
    blocks = random_bytes(rng, name, len(kinds))
    d, minimum = HALVES[name]
    for offset, values in ((d, kinds), (minimum, kinds[::-1])):
        if offset is not None:
            blocks[:, offset:offset + 2] = values.astype("<f2").view(np.uint8).reshape(-1, 2)
    if name == "mxfp4":
        blocks[:, 0] = [0, 1, 2, 3, 126, 127, 128, 253, 254, 255]
    return blocks


def main() -> None:
    rng = np.random.default_rng(20250103)
    golden: dict[str, np.ndarray] = {}
    values = numbers(rng)
    for name, kind in QUANTIZED.items():
        x = np.concatenate([values, halves()]) if name in ("f16", "bf16") else values
        with np.errstate(over="ignore"):
            golden[f"quantize/{name}/values"] = x
            golden[f"quantize/{name}/bytes"] = gguf.quants.quantize(x, kind).view(np.uint8)
    for name in FORMATS:
        n = 6 if elements(name) == 256 else 40
        blocks = np.concatenate([random_bytes(rng, name, n), edge_scales(rng, name)])
        if name == "mxfp4":
            blocks[:n, 0] = np.minimum(blocks[:n, 0], 254)
        with np.errstate(invalid="ignore", over="ignore"):
            read = dequantize(name, blocks)
        if name == "mxfp4":
            read[-1] = np.nan
        golden[f"dequantize/{name}/bytes"] = blocks
        golden[f"dequantize/{name}/values"] = read
    golden_file.write(HERE.parent / "golden.bin", golden)


if __name__ == "__main__":
    main()
