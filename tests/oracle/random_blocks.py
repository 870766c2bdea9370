"""Random weights in the block formats of GGUF: rounded by the `gguf` package, or drawn as blocks where it cannot round."""
import gguf
import numpy as np
from gguf import GGMLQuantizationType as Type

Array = np.ndarray

ROUNDED = ("f32", "f16", "bf16", "q4_0", "q4_1", "q5_0", "q5_1", "q8_0", "mxfp4")
DRAWN = ("q4_k", "q5_k", "q6_k")
SUPER_BLOCK = 256


def type_of(name: str) -> Type:
    if name.lower() not in ROUNDED + DRAWN:
        raise ValueError(f"{name} is none of {', '.join(ROUNDED + DRAWN)}")
    return Type[name.upper()]


def half(x: Array) -> Array:
    """float16 values as bytes, [n] to [n, 2]."""
    return x.astype("<f2").view(np.uint8).reshape(-1, 2)


def scales_and_mins(rng: np.random.Generator, n: int) -> tuple[Array, float]:
    """Packed 6-bit pairs for 8 groups, [n, 12], and the root mean square of the scales.

    Every min is its scale: with dmin = d * (middle of the quants) the group's values lie around zero.
    """
    scale = rng.integers(20, 64, (n, 8), dtype=np.uint8)
    packed = np.empty((n, 12), np.uint8)
    low, high = scale[:, :4], scale[:, 4:]
    packed[:, 0:4] = low | (high >> 4) << 6    # scales of groups 0 to 3, top bits of scales 4 to 7
    packed[:, 4:8] = low | (high >> 4) << 6    # the same of the mins
    packed[:, 8:12] = (high & 15) | (high & 15) << 4
    return packed, float(np.sqrt(np.mean(scale.astype(np.float64) ** 2)))


def draw_blocks(rng: np.random.Generator, kind: Type, n: int, sigma: float) -> Array:
    """n super-blocks of 256 values around zero with standard deviation sigma, [n, block bytes]."""
    noise = lambda size: rng.integers(0, 256, (n, size), dtype=np.uint8)
    # Super-blocks differ in scale, as those of trained weights do.
    spread = rng.uniform(0.5, 1.5, n) / np.sqrt(13 / 12)
    if kind == Type.Q6_K:
        scale = rng.integers(30, 128, (n, 16)) * rng.choice([-1, 1], (n, 16))
        d = sigma * spread / (np.sqrt(np.mean(scale.astype(np.float64) ** 2)) * np.sqrt((64 ** 2 - 1) / 12))
        return np.hstack([noise(128), noise(64), scale.astype(np.int8).view(np.uint8), half(d)])
    levels = 16 if kind == Type.Q4_K else 32
    packed, rms_scale = scales_and_mins(rng, n)
    d = sigma * spread / (rms_scale * np.sqrt((levels ** 2 - 1) / 12))
    quants = [noise(128)] if kind == Type.Q4_K else [noise(32), noise(128)]
    return np.hstack([half(d), half(d * (levels - 1) / 2), packed, *quants])


def random_matrix(rng: np.random.Generator, kind: Type, rows: int, columns: int, sigma: float) -> Array:
    """A matrix as the writer takes it: float32 or float16 values, or bytes [rows, bytes of a row]."""
    block, block_bytes = gguf.GGML_QUANT_SIZES[kind]
    if columns % block != 0:
        raise ValueError(f"rows of {columns} do not divide into {kind.name} blocks of {block}")
    if kind.name.lower() in DRAWN:
        return draw_blocks(rng, kind, rows * columns // block, sigma).reshape(rows, columns // block * block_bytes)
    values = rng.standard_normal((rows, columns), np.float32)
    values *= np.float32(sigma)
    return gguf.quants.quantize(values, kind)


def byte_size(kind: Type, values: int) -> int:
    block, block_bytes = gguf.GGML_QUANT_SIZES[kind]
    return values // block * block_bytes
