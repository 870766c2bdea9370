"""Frequencies of the rotation for stretched contexts, in float64."""
import numpy as np

Array = np.ndarray


def yarn(frequencies: Array, theta: float, factor: float, original: float, fast: float, slow: float, truncate: bool) -> Array:
    """YaRN (Peng et al. 2023, "NTK-by-parts"): pairs that turn more than `fast` times within the original context stay,
    those below `slow` turns are slowed by the factor, and a ramp over the index of the pair leads from one to the other.
    The released code rounds the ramp's ends to whole pairs (truncate); gpt-oss does not."""
    n_dims = 2 * len(frequencies)
    index = lambda turns: n_dims * np.log(original / (turns * 2 * np.pi)) / (2 * np.log(theta))
    low, high = index(fast), index(slow)
    if truncate:
        low, high = np.floor(low), np.ceil(high)
    low, high = max(low, 0), min(high, n_dims - 1)
    slowed = np.clip((np.arange(n_dims // 2) - low) / max(high - low, 0.001), 0, 1)
    return frequencies / factor * slowed + frequencies * (1 - slowed)


def yarn_magnitude(factor: float) -> float:
    """Of cos and sin: so that the entropy of the attention stays as the context grows."""
    return 0.1 * np.log(factor) + 1.0 if factor > 1 else 1.0
