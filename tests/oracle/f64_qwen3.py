#!/usr/bin/env python3
"""A dense qwen3 model evaluated in double precision from the definition: llama's block with an RMS norm of each head of q
and k before the rotation of halves, and head_dim free of hidden_size / heads."""
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import f64_parts as parts
from f64_llama import rms_norm, silu

Array = np.ndarray


class Qwen3(parts.Weights):
    def __init__(self, path: Path) -> None:
        super().__init__(path, "qwen3")
        self.epsilon = self.value("attention.layer_norm_rms_epsilon")
        self.heads, self.kv_heads = self.value("attention.head_count"), self.value("attention.head_count_kv")
        self.head_dim = self.value("attention.key_length")

    def hidden_states(self, tokens: list[int], chunk: int = 512) -> Array:
        n = len(tokens)
        theta = self.value("rope.freq_base")
        angles = np.arange(n)[:, None] * parts.frequencies(self.head_dim, theta)
        x = self.weight("token_embd.weight")[tokens]
        for layer in range(self.value("block_count")):
            weight = lambda name: self.weight(f"blk.{layer}.{name}.weight")
            h = rms_norm(x, weight("attn_norm"), self.epsilon)
            project = lambda name, heads: (h @ weight(name).T).reshape(n, heads, -1)
            q = rms_norm(project("attn_q", self.heads), weight("attn_q_norm"), self.epsilon)
            k = rms_norm(project("attn_k", self.kv_heads), weight("attn_k_norm"), self.epsilon)
            q, k = parts.rotate_halves(q, angles), parts.rotate_halves(k, angles)
            mixed = parts.attend(q, k, project("attn_v", self.kv_heads), self.head_dim ** -0.5, None, chunk)
            x = x + mixed @ weight("attn_output").T
            h = rms_norm(x, weight("ffn_norm"), self.epsilon)
            x = x + parts.gated(h, weight("ffn_gate"), weight("ffn_up"), weight("ffn_down"), silu, chunk)
        return rms_norm(x, self.weight("output_norm.weight"), self.epsilon)

    def logits(self, tokens: list[int], chunk: int = 128) -> Iterator[Array]:
        hidden, output = self.hidden_states(tokens), self.output.T
        for begin in range(0, len(tokens), chunk):
            yield hidden[begin:begin + chunk] @ output
