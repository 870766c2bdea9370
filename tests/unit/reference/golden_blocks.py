"""Random bytes in every block format, and what the gguf package makes of them."""
import gguf
import numpy as np
from gguf import GGMLQuantizationType as Type

FORMATS = {
    "q4_0": Type.Q4_0, "q4_1": Type.Q4_1, "q5_0": Type.Q5_0, "q5_1": Type.Q5_1, "q8_0": Type.Q8_0,
    "q2_K": Type.Q2_K, "q3_K": Type.Q3_K, "q4_K": Type.Q4_K, "q5_K": Type.Q5_K, "q6_K": Type.Q6_K,
    "iq4_nl": Type.IQ4_NL, "iq4_xs": Type.IQ4_XS, "mxfp4": Type.MXFP4,
}

# Where a format keeps its f16 scales: byte offsets of d and of the minimum (m or dmin), None where it has none.
HALVES = {
    "q4_0": (0, None), "q4_1": (0, 2), "q5_0": (0, None), "q5_1": (0, 2), "q8_0": (0, None), "iq4_nl": (0, None),
    "q2_K": (80, 82), "q3_K": (108, None), "q4_K": (0, 2), "q5_K": (0, 2), "q6_K": (208, None), "iq4_xs": (0, None),
    "mxfp4": (None, None),
}


def elements(name: str) -> int:
    return gguf.GGML_QUANT_SIZES[FORMATS[name]][0]


def dequantize(name: str, blocks: np.ndarray) -> np.ndarray:
    """[.., bytes] to f32 [.., elements]."""
    return gguf.quants.dequantize(blocks, FORMATS[name]).astype(np.float32)


def set_half(blocks: np.ndarray, offset: int | None, values: np.ndarray | float) -> None:
    if offset is not None:
        halves = np.broadcast_to(np.asarray(values, np.float16), blocks.shape[:1])
        blocks[:, offset:offset + 2] = halves.astype("<f2").view(np.uint8).reshape(-1, 2)


def random_bytes(rng: np.random.Generator, name: str, n: int) -> np.ndarray:
    return rng.integers(0, 256, (n, gguf.GGML_QUANT_SIZES[FORMATS[name]][1]), dtype=np.uint8)


def weight_blocks(rng: np.random.Generator, name: str, n: int) -> np.ndarray:
    """Random bytes with scales such as weights have: values of about 1 at most."""
    blocks = random_bytes(rng, name, n)
    d, minimum = HALVES[name]
    largest = {"q2_K": 45, "q3_K": 128, "q4_K": 945, "q5_K": 1953, "q6_K": 4096, "iq4_xs": 4064}.get(
        name, {"q8_0": 127, "iq4_nl": 127}.get(name, 16))
    set_half(blocks, d, rng.uniform(0.3, 1.0, n) / largest * rng.choice([-1, 1], n))
    set_half(blocks, minimum, rng.uniform(0.1, 0.5, n) / (63 if name in ("q4_K", "q5_K") else 15 if name == "q2_K" else 1))
    if name == "mxfp4":
        blocks[:, 0] = rng.integers(122, 127, n)
    return blocks


def make() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(20250101)
    golden = {}
    for name in FORMATS:
        blocks = random_bytes(rng, name, 4 if elements(name) == 256 else 24)
        if name == "mxfp4":
            blocks[:4, 0] = [0, 1, 2, 254]
        # Every bit pattern may be a scale, so sums of infinities occur; their NaN is what is wanted.
        with np.errstate(invalid="ignore", over="ignore"):
            values = dequantize(name, blocks)
        if name == "mxfp4":
            # 255 is NaN in the OCP MX specification; the package reads it as a number.
            blocks[4, 0] = 255
            values[4] = np.nan
        golden[f"dequantize/{name}/blocks"] = blocks
        golden[f"dequantize/{name}/values"] = values
    return golden
