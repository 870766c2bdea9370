"""The chains that core/README.md promises bit for bit, operation by operation with one correct rounding each."""
from fractions import Fraction

import numpy as np

from golden_blocks import FORMATS, HALVES, dequantize, elements, set_half, weight_blocks

ROWS, OUTPUTS, K = 3, 4, 512


def rounded(x: Fraction) -> np.float32:
    """The nearest float, ties to even; normal and subnormal, no overflow."""
    if x == 0:
        return np.float32(0)
    magnitude = abs(x)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** max(exponent - 23, -149)
    return np.float32(float(round(x / unit) * unit))  # round() of a Fraction takes ties to even


def fma(a, b, c) -> np.float32:
    return rounded(Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c)))


# How to make a format show one part of itself: bytes to overwrite (slice, value) so that with d = 1 the package gives
# the codes, or with codes of 1 the scales.
UNIT_SCALES = {
    "q2_K": [(slice(0, 16), 0x01)],
    "q3_K": [(slice(96, 104), 0x11), (slice(104, 108), 0xAA)],  # 33 - 32
    "q4_K": [(slice(4, 8), 1), (slice(8, 12), 0), (slice(12, 16), 1)],
    "q5_K": [(slice(4, 8), 1), (slice(8, 12), 0), (slice(12, 16), 1)],
    "q6_K": [(slice(192, 208), 1)],
    "iq4_xs": [(slice(2, 4), 0xAA), (slice(4, 8), 0x11)],  # 33 - 32
}
UNIT_CODES = {
    "q2_K": [(slice(16, 80), 0x55)],
    "q3_K": [(slice(0, 32), 0xFF), (slice(32, 96), 0x55)],
    "q4_K": [(slice(16, 144), 0x11)],
    "q5_K": [(slice(16, 48), 0), (slice(48, 176), 0x11)],
    "q6_K": [(slice(0, 128), 0x11), (slice(128, 192), 0xAA)],  # 33 - 32
    "iq4_xs": [(slice(8, 136), 0x88)],  # entry 8 of the table is 1
}


def shown(name: str, blocks: np.ndarray, patches, d: float, minimum: float) -> np.ndarray:
    """What the package gives for the blocks with those bytes and these f16 scales, as integers [n, elements]."""
    patched = blocks.copy()
    for where, value in patches:
        patched[:, where] = value
    if name == "mxfp4":
        patched[:, 0] = 128  # the doubled codes as they are
    set_half(patched, HALVES[name][0], d)
    set_half(patched, HALVES[name][1], minimum)
    values = dequantize(name, patched).reshape(len(blocks), -1)
    assert np.all(values == np.rint(values))
    return values.astype(np.int64)


def half(blocks: np.ndarray, offset: int) -> np.ndarray:
    return blocks[:, offset:offset + 2].copy().view("<f2").astype(np.float32).reshape(-1)


def quantized(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A row to codes [blocks, 32] and scales [blocks]."""
    blocks = x.reshape(-1, 32)
    amax = np.abs(blocks).max(1)
    with np.errstate(divide="ignore"):
        inverse = np.where(amax > 0, np.float32(127) / amax, np.float32(0)).astype(np.float32)
    return np.rint(blocks * inverse[:, None]).astype(np.int64), (amax / np.float32(127)).astype(np.float32)


def int8_chain(name: str, blocks: np.ndarray, x: np.ndarray) -> np.float32:
    """One row of blocks times one row of x, by the table in core/README.md."""
    q, dx = quantized(x)
    codes = shown(name, blocks, UNIT_SCALES.get(name, []), 1, 0).reshape(-1, 32)
    groups = elements(name) // 32
    d_offset, m_offset = HALVES[name]
    if name == "mxfp4":
        d = np.array([rounded(Fraction(2) ** (int(e) - 128)) for e in blocks[:, 0]])
    else:
        d = half(blocks, d_offset)
    d = np.repeat(d, groups)
    m = None if m_offset is None else np.repeat(half(blocks, m_offset), groups)
    if groups == 8:
        scales = shown(name, blocks, UNIT_CODES[name], 1, 0).reshape(-1, 2, 16)[:, :, 0]  # of halves of 16
        minima = None if m is None else shown(name, blocks, UNIT_CODES[name], 0, -1).reshape(-1, 2, 16)[:, :, 0]
    acc = np.float32(0)
    for b in range(len(q)):
        products = q[b] * codes[b]
        isum, sx = int(products.sum()), int(q[b].sum())
        dw = d[b]
        if name in ("q2_K", "q3_K", "q6_K"):
            isum = int(scales[b, 0] * products[:16].sum() + scales[b, 1] * products[16:].sum())
        elif groups == 8:
            dw = np.float32(d[b] * np.float32(scales[b, 0]))
        acc = fma(np.float32(dw * dx[b]), np.float32(isum), acc)
        if name in ("q4_1", "q5_1"):
            acc = fma(m[b], np.float32(dx[b] * np.float32(sx)), acc)
        elif name in ("q4_K", "q5_K"):
            acc = fma(-np.float32(m[b] * np.float32(minima[b, 0])), np.float32(dx[b] * np.float32(sx)), acc)
        elif name == "q2_K":
            weighted = int(minima[b, 0] * q[b][:16].sum() + minima[b, 1] * q[b][16:].sum())
            acc = fma(-m[b], np.float32(dx[b] * np.float32(weighted)), acc)
    return acc


def f32_chain(x: np.ndarray, w: np.ndarray) -> np.float32:
    acc = np.float32(0)
    for a, b in zip(x, w):
        acc = fma(a, b, acc)
    return acc


def make() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(20250102)
    golden = {}
    x = rng.standard_normal((ROWS, K), np.float32)
    x[1, 32:64] = 0  # a block of zeros
    x[2, 64:96] *= np.float32(1e-3)
    golden["chain/x"] = x
    for name in FORMATS:
        blocks = weight_blocks(rng, name, OUTPUTS * K // elements(name)).reshape(OUTPUTS, K // elements(name), -1)
        values = dequantize(name, blocks).reshape(OUTPUTS, K)
        golden[f"chain/{name}/blocks"] = blocks
        golden[f"chain/{name}/int8"] = np.array([[int8_chain(name, blocks[o], row) for o in range(OUTPUTS)] for row in x])
        golden[f"chain/{name}/f64"] = (x.astype(np.float64) @ values.astype(np.float64).T).astype(np.float32)
    w = rng.standard_normal((OUTPUTS, 67), np.float32)
    golden["chain/f32/w"] = w
    golden["chain/f32/out"] = np.array([[f32_chain(row[:67], w[o]) for o in range(OUTPUTS)] for row in x])
    return golden
