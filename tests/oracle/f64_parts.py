"""What the float64 evaluations of several families share: the file's values and weights, norms, rotation, attention."""
from collections.abc import Callable
from pathlib import Path

import gguf
import numpy as np

from f64_llama import softmax

Array = np.ndarray


class Weights:
    """A GGUF file of one architecture: `value` reads {architecture}.{key}, `weight` a tensor as float64."""

    def __init__(self, path: Path, architecture: str, biases: bool = False) -> None:
        self.reader = gguf.GGUFReader(path)
        found = self.reader.get_field("general.architecture").contents()
        if found != architecture:
            raise ValueError(f"architecture {found} is not {architecture}")
        self.architecture = architecture
        self.tensors = {tensor.name: tensor for tensor in self.reader.tensors}
        unknown = [name for name in self.tensors if name.endswith(".bias")]
        if unknown and not biases:
            raise ValueError(f"biases are not evaluated here: {unknown[:3]}")

    def value(self, key: str, default=None):
        field = self.reader.get_field(f"{self.architecture}.{key}")
        if field is None and default is None:
            raise ValueError(f"the file has no {self.architecture}.{key}")
        return default if field is None else field.contents()

    def weight(self, name: str) -> Array:
        """A matrix is [outputs, inputs]."""
        tensor = self.tensors[name]
        return gguf.quants.dequantize(tensor.data, tensor.tensor_type).astype(np.float64)

    def bias(self, name: str, absent=None):
        return self.weight(name) if name in self.tensors else absent

    @property
    def output(self) -> Array:
        return self.weight("output.weight" if "output.weight" in self.tensors else "token_embd.weight")


def frequencies(n_dims: int, theta: float) -> Array:
    return np.float64(theta) ** (-np.arange(0, n_dims, 2, dtype=np.float64) / n_dims)


def rotate_halves(x: Array, angles: Array) -> Array:
    """x [n, heads, dims]: dimension i turns with dimension i + dims / 2, by angles [n, dims / 2]."""
    half = angles.shape[1]
    first, second, rest = x[..., :half], x[..., half:2 * half], x[..., 2 * half:]
    cos, sin = np.cos(angles)[:, None, :], np.sin(angles)[:, None, :]
    return np.concatenate([first * cos - second * sin, first * sin + second * cos, rest], axis=-1)


def attend(q: Array, k: Array, v: Array, scale: float, window: int | None, chunk: int,
           sinks: Array | None = None) -> Array:
    """Causal, grouped: q [n, heads, d], k and v [n, kv heads, d]; a query sees keys less than `window` behind it. A head's
    sink is one more score in its softmax, whose share is dropped."""
    n, heads, _ = q.shape
    group = heads // k.shape[1]
    mixed = np.empty((n, heads, v.shape[-1]))
    for begin in range(0, n, chunk):
        end = min(begin + chunk, n)
        distance = np.arange(begin, end)[:, None] - np.arange(end)[None, :]
        hidden = distance < 0 if window is None else (distance < 0) | (distance >= window)
        for head in range(heads):
            scores = q[begin:end, head] @ k[:end, head // group].T * scale
            scores[hidden] = -np.inf
            if sinks is not None:
                scores = np.concatenate([scores, np.full((end - begin, 1), sinks[head])], axis=-1)
            mixed[begin:end, head] = softmax(scores)[:, :end] @ v[:end, head // group]
    return mixed.reshape(n, -1)


def gated(x: Array, gate: Array, up: Array, down: Array, activation: Callable[[Array], Array], chunk: int) -> Array:
    return np.concatenate([(activation(part @ gate.T) * (part @ up.T)) @ down.T
                           for part in (x[i:i + chunk] for i in range(0, len(x), chunk))])
