#!/usr/bin/env python3
"""A llama model evaluated in double precision from the definition, one layer after another.

Weights are the values that the GGUF file stands for: dequantised to float32 by the `gguf` package, then widened.
Activations are never rounded below float64, so what an engine differs by is the engine's own error.
"""
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy as np

Array = np.ndarray


@dataclass(frozen=True)
class Config:
    n_layers: int
    hidden_size: int
    n_heads: int
    n_kv_heads: int
    head_dim: int
    rope_dim: int
    rope_theta: float
    rms_epsilon: float
    context_length: int
    vocab_size: int

    @staticmethod
    def read(reader: gguf.GGUFReader) -> "Config":
        def value(key: str, default=None):
            field = reader.get_field(key)
            if field is None and default is None:
                raise ValueError(f"the file has no {key}")
            return default if field is None else field.contents()

        architecture = value("general.architecture")
        if architecture != "llama":
            raise ValueError(f"architecture {architecture} is not llama")
        if value("llama.rope.scaling.type", "none") != "none" or value("llama.expert_count", 0) != 0:
            raise ValueError("scaled rotary positions and experts are not evaluated here")
        hidden_size, n_heads = value("llama.embedding_length"), value("llama.attention.head_count")
        head_dim = value("llama.attention.key_length", hidden_size // n_heads)
        return Config(
            n_layers=value("llama.block_count"),
            hidden_size=hidden_size,
            n_heads=n_heads,
            n_kv_heads=value("llama.attention.head_count_kv", n_heads),
            head_dim=head_dim,
            rope_dim=value("llama.rope.dimension_count", head_dim),
            rope_theta=value("llama.rope.freq_base", 10000.0),
            rms_epsilon=value("llama.attention.layer_norm_rms_epsilon"),
            context_length=value("llama.context_length"),
            vocab_size=len(reader.get_field("tokenizer.ggml.tokens").data),
        )


def rms_norm(x: Array, weight: Array, epsilon: float) -> Array:
    return x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + epsilon) * weight


def silu(x: Array) -> Array:
    # For x far below zero exp overflows to infinity and x / inf is the right limit.
    with np.errstate(over="ignore"):
        return x / (1.0 + np.exp(-x))


def softmax(x: Array) -> Array:
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def log_softmax(x: Array) -> Array:
    x = x - np.max(x, axis=-1, keepdims=True)
    return x - np.log(np.sum(np.exp(x), axis=-1, keepdims=True))


class Llama:
    def __init__(self, path: Path) -> None:
        reader = gguf.GGUFReader(path)
        self.config = Config.read(reader)
        self.tensors = {tensor.name: tensor for tensor in reader.tensors}
        unknown = [name for name in self.tensors if name.endswith(".bias")]
        if unknown:
            raise ValueError(f"biases are not evaluated here: {unknown[:3]}")

    def weight(self, name: str) -> Array:
        """A tensor as float64, in numpy's order: a matrix is [outputs, inputs]."""
        tensor = self.tensors[name]
        return gguf.quants.dequantize(tensor.data, tensor.tensor_type).astype(np.float64)

    def rope_angles(self, n_tokens: int) -> Array:
        """angle[position, pair] = position * theta^(-2 pair / rope_dim)."""
        config = self.config
        frequencies = config.rope_theta ** (-np.arange(0, config.rope_dim, 2, dtype=np.float64) / config.rope_dim)
        if "rope_freqs.weight" in self.tensors:
            frequencies = frequencies / self.weight("rope_freqs.weight")
        return np.arange(n_tokens, dtype=np.float64)[:, None] * frequencies

    def rope(self, x: Array, angles: Array) -> Array:
        """Rotates neighbours (2i, 2i+1). GGUF files of this architecture hold Q and K permuted for that pairing."""
        n = self.config.rope_dim
        even, odd = x[..., 0:n:2], x[..., 1:n:2]
        cos, sin = np.cos(angles)[:, None, :], np.sin(angles)[:, None, :]  # the same for every head
        y = x.copy()
        y[..., 0:n:2] = even * cos - odd * sin
        y[..., 1:n:2] = even * sin + odd * cos
        return y

    def attention(self, x: Array, layer: int, angles: Array, chunk: int) -> Array:
        config, n_tokens = self.config, len(x)
        heads = lambda name, n: (x @ self.weight(f"blk.{layer}.attn_{name}.weight").T).reshape(n_tokens, n, config.head_dim)
        q = self.rope(heads("q", config.n_heads), angles)
        k = self.rope(heads("k", config.n_kv_heads), angles)
        v = heads("v", config.n_kv_heads)
        group = config.n_heads // config.n_kv_heads
        mixed = np.empty((n_tokens, config.n_heads, config.head_dim))
        for begin in range(0, n_tokens, chunk):
            end = min(begin + chunk, n_tokens)
            # A query sees the keys up to its own position; later ones are masked.
            hidden = np.arange(end)[None, :] > np.arange(begin, end)[:, None]
            for head in range(config.n_heads):
                scores = q[begin:end, head] @ k[:end, head // group].T / np.sqrt(config.head_dim)
                scores[hidden] = -np.inf
                mixed[begin:end, head] = softmax(scores) @ v[:end, head // group]
        return mixed.reshape(n_tokens, -1) @ self.weight(f"blk.{layer}.attn_output.weight").T

    def feed_forward(self, x: Array, layer: int, chunk: int) -> Array:
        gate, up, down = (self.weight(f"blk.{layer}.ffn_{name}.weight") for name in ("gate", "up", "down"))
        return np.concatenate([(silu(part @ gate.T) * (part @ up.T)) @ down.T
                               for part in (x[i:i + chunk] for i in range(0, len(x), chunk))])

    def hidden_states(self, tokens: list[int], chunk: int = 512) -> Array:
        """The normed output of the last layer, [n_tokens, hidden_size]."""
        config = self.config
        if len(tokens) > config.context_length:
            raise ValueError(f"{len(tokens)} tokens do not fit the model's context of {config.context_length}")
        angles = self.rope_angles(len(tokens))
        x = self.weight("token_embd.weight")[tokens]
        for layer in range(config.n_layers):
            norm = lambda name: rms_norm(x, self.weight(f"blk.{layer}.{name}.weight"), config.rms_epsilon)
            x = x + self.attention(norm("attn_norm"), layer, angles, chunk)
            x = x + self.feed_forward(norm("ffn_norm"), layer, chunk)
        return rms_norm(x, self.weight("output_norm.weight"), config.rms_epsilon)

    def logits(self, tokens: list[int], chunk: int = 128) -> Iterator[Array]:
        """Logits after every token, teacher-forced, in chunks of [chunk, vocab_size]."""
        hidden = self.hidden_states(tokens)
        tied = "output.weight" not in self.tensors
        output = self.weight("token_embd.weight" if tied else "output.weight").T
        for begin in range(0, len(tokens), chunk):
            yield hidden[begin:begin + chunk] @ output
