"""The two block formats of the file, as numpy encoders and as differentiable rounding for training.

Both are written once over an array module `xp` (numpy or jax.numpy), so that what training rounds
to is what the file stores. Scales of MXFP4 are exact powers of two.
"""

import numpy as np

BLOCK = 32


def _round_fp4(xp, v):
    """Nearest of 0, .5, 1, 1.5, 2, 3, 4, 6; ties go to the even multiple of the local step."""
    m = xp.abs(v)
    step = xp.where(m < 2, 0.5, xp.where(m < 4, 1.0, 2.0)).astype(v.dtype)
    return xp.sign(v) * xp.minimum(xp.round(m / step) * step, 6).astype(v.dtype)


def _blocks(x):
    return x.reshape(*x.shape[:-1], x.shape[-1] // BLOCK, BLOCK)


def mxfp4_round(xp, x):
    """x rounded to MXFP4 along its last axis, as (rounded blocks, power-of-two exponent per block).

    The largest element lies in [4, 8) at the lower of two scales; above 6 that scale clips, so the
    scale with the smaller squared error is taken.
    """
    b = _blocks(x)
    amax = xp.max(xp.abs(b), axis=-1, keepdims=True)
    _, e = xp.frexp(xp.maximum(amax, 1e-30))  # amax = m * 2^e with m in [0.5, 1)
    low = e - 3
    candidates = []
    for k in (low, low + 1):
        q = xp.ldexp(_round_fp4(xp, xp.ldexp(b, -k)), k)
        candidates.append((q, k, xp.sum((q - b) ** 2, axis=-1, keepdims=True)))
    (q0, k0, e0), (q1, k1, e1) = candidates
    return xp.where(e0 <= e1, q0, q1), xp.where(e0 <= e1, k0, k1)


def q8_0_round(xp, x):
    """x rounded to Q8_0 along its last axis, as (rounded blocks, f16 scale per block)."""
    b = _blocks(x)
    amax = xp.max(xp.abs(b), axis=-1, keepdims=True)
    d = (amax / 127).astype(xp.float16).astype(x.dtype)
    q = xp.clip(xp.round(b / xp.where(d == 0, 1, d)), -127, 127)
    return q * d, d


def mxfp4_bytes(x):
    """The bytes of the file: per 32 elements one E8M0 scale, then 16 bytes; element j is the low
    nibble of byte j and element j + 16 its high nibble."""
    rounded, k = mxfp4_round(np, np.asarray(x, np.float32))
    v = np.ldexp(rounded, -k)
    m = np.abs(v)
    code = np.searchsorted(np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6], np.float32), m).astype(np.uint8)
    code |= (np.signbit(v) & (m > 0)).astype(np.uint8) << 3
    packed = code[..., :16] | code[..., 16:] << 4
    scale = (k + 127).astype(np.uint8)
    out = np.concatenate([scale, packed], axis=-1)
    return out.reshape(*out.shape[:-2], -1)


def q8_0_bytes(x):
    """The bytes of the file: per 32 elements an f16 scale and 32 signed bytes."""
    rounded, d = q8_0_round(np, np.asarray(x, np.float32))
    q = np.round(rounded / np.where(d == 0, 1, d)).astype(np.int8)
    out = np.concatenate([d.astype("<f2").view(np.uint8), q.view(np.uint8)], axis=-1)
    return out.reshape(*out.shape[:-2], -1)
