#!/usr/bin/env python3
"""A gemma3 model evaluated in double precision from the definition.

Embeddings times sqrt(hidden_size). Layer i sees everything where (i + 1) % 6 is 0 and rotates with the model's base;
the others see a window and rotate with base 10000. Norms before and after attention and feed-forward, and of each head of
q and k; GELU by tanh; scores times query_pre_attn_scalar^-1/2. The file's norm weights hold the added one already.
"""
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import f64_parts as parts
from f64_llama import rms_norm

Array = np.ndarray
LAYERS_OF_27B = 62


def gelu(x: Array) -> Array:
    return 0.5 * x * (1.0 + np.tanh(np.sqrt(2.0 / np.pi) * (x + 0.044715 * x ** 3)))


class Gemma3(parts.Weights):
    def __init__(self, path: Path) -> None:
        super().__init__(path, "gemma3")
        self.epsilon = self.value("attention.layer_norm_rms_epsilon")
        self.hidden_size, self.n_layers = self.value("embedding_length"), self.value("block_count")
        self.heads, self.kv_heads = self.value("attention.head_count"), self.value("attention.head_count_kv")
        self.head_dim, self.window = self.value("attention.key_length"), self.value("attention.sliding_window")
        scalar = self.hidden_size // self.heads if self.n_layers == LAYERS_OF_27B else self.head_dim
        self.scale = scalar ** -0.5
        self.softcap = self.value("final_logit_softcapping", 0.0)

    def angles(self, n_tokens: int, is_global: bool) -> Array:
        theta = self.value("rope.freq_base") if is_global else self.value("rope.freq_base_swa", 10000.0)
        frequencies = parts.frequencies(self.head_dim, theta)
        if is_global and self.value("rope.scaling.type", "none") == "linear":
            frequencies = frequencies / self.value("rope.scaling.factor")
        return np.arange(n_tokens)[:, None] * frequencies

    def attention(self, h: Array, layer: int, chunk: int) -> Array:
        n, is_global = len(h), (layer + 1) % 6 == 0
        weight = lambda name: self.weight(f"blk.{layer}.{name}.weight")
        project = lambda name, heads: (h @ weight(name).T).reshape(n, heads, -1)
        angles = self.angles(n, is_global)
        q = rms_norm(project("attn_q", self.heads), weight("attn_q_norm"), self.epsilon)
        k = rms_norm(project("attn_k", self.kv_heads), weight("attn_k_norm"), self.epsilon)
        q, k = parts.rotate_halves(q, angles), parts.rotate_halves(k, angles)
        mixed = parts.attend(q, k, project("attn_v", self.kv_heads), self.scale, None if is_global else self.window, chunk)
        return mixed @ weight("attn_output").T

    def hidden_states(self, tokens: list[int], chunk: int = 512) -> Array:
        x = self.weight("token_embd.weight")[tokens] * np.sqrt(self.hidden_size)
        for layer in range(self.n_layers):
            weight = lambda name: self.weight(f"blk.{layer}.{name}.weight")
            norm = lambda values, name: rms_norm(values, weight(name), self.epsilon)
            x = x + norm(self.attention(norm(x, "attn_norm"), layer, chunk), "post_attention_norm")
            down = parts.gated(norm(x, "ffn_norm"), weight("ffn_gate"), weight("ffn_up"), weight("ffn_down"), gelu, chunk)
            x = x + norm(down, "post_ffw_norm")
        return rms_norm(x, self.weight("output_norm.weight"), self.epsilon)

    def logits(self, tokens: list[int], chunk: int = 128) -> Iterator[Array]:
        hidden, output = self.hidden_states(tokens), self.output.T
        for begin in range(0, len(tokens), chunk):
            logits = hidden[begin:begin + chunk] @ output
            yield self.softcap * np.tanh(logits / self.softcap) if self.softcap else logits
