#!/usr/bin/env python3
"""Decoders of one shape evaluated in double precision, from papers and model cards: what differs is in FAMILIES.

qwen2 (Qwen2 report): biases of q, k, v. mixtral (Mixtral of Experts): softmax over the two best of eight. qwen3moe (Qwen3
report): norms of each head of q and k, softmax over all, the best ones scaled to a sum of 1. qwen2moe: not scaled, and a
shared expert times the sigmoid of a gate. olmoe (OLMoE): norms of q and k over the whole projection, not scaled. granitemoe
(Granite 3.0): scales of embeddings, scores, what blocks add, and logits. gpt-oss (its model card): biases, a window in even
layers, sinks, clamped SwiGLU, softmax over the four best, YaRN.
"""
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy as np

import f64_experts as experts
import f64_parts as parts
import f64_rope
from f64_llama import rms_norm, silu

Array = np.ndarray


@dataclass(frozen=True)
class Family:
    pairing: str = "halves"
    head_norm: str = ""            # RMS norm of q and k: "head", or "row" over the whole projection
    softmax_first: bool = True
    renormalize: bool = True
    scaled: bool = False           # reads the four scales
    sinks: bool = False
    clamped: bool = False          # swiglu_oai
    window_in_even_layers: bool = False
    truncated_yarn: bool = True
    ffn_norm: str = "ffn_norm"


FAMILIES = {
    "llama": Family("neighbours", softmax_first=False),
    "qwen2": Family(),
    "qwen3": Family(head_norm="head"),
    "qwen3moe": Family(head_norm="head"),
    "qwen2moe": Family(renormalize=False),
    "olmoe": Family(head_norm="row", renormalize=False),
    "granitemoe": Family("neighbours", softmax_first=False, scaled=True),
    "gpt-oss": Family(softmax_first=False, sinks=True, clamped=True, window_in_even_layers=True, truncated_yarn=False,
                      ffn_norm="post_attention_norm"),
}


class Decoder(parts.Weights):
    def __init__(self, path: Path, truncated_yarn: bool | None = None) -> None:
        architecture = gguf.GGUFReader(path).get_field("general.architecture").contents()
        super().__init__(path, architecture, biases=True)
        self.family = FAMILIES[architecture]
        self.truncated_yarn = self.family.truncated_yarn if truncated_yarn is None else truncated_yarn
        self.epsilon = self.value("attention.layer_norm_rms_epsilon")
        self.heads, self.kv_heads = self.value("attention.head_count"), self.value("attention.head_count_kv")
        self.head_dim = self.value("attention.key_length", self.value("embedding_length") // self.heads)
        scale = lambda key, default: self.value(key, default) if self.family.scaled else default
        self.attention_scale = scale("attention.scale", self.head_dim ** -0.5)
        self.embedding_scale, self.residual_scale = scale("embedding_scale", 1.0), scale("residual_scale", 1.0)
        self.logit_scale = scale("logit_scale", 1.0)

    def rotation(self, n_tokens: int) -> tuple[Array, float]:
        """Angles [n, pairs] and the magnitude of cos and sin."""
        theta, magnitude = self.value("rope.freq_base"), 1.0
        frequencies = parts.frequencies(self.head_dim, theta)
        if "rope_freqs.weight" in self.tensors:
            frequencies = frequencies / self.weight("rope_freqs.weight")
        if self.value("rope.scaling.type", "none") == "yarn":
            factor, original = self.value("rope.scaling.factor"), self.value("rope.scaling.original_context_length")
            frequencies = f64_rope.yarn(frequencies, theta, factor, original, 32, 1, self.truncated_yarn)
            magnitude = f64_rope.yarn_magnitude(factor)
        return np.arange(n_tokens)[:, None] * frequencies, magnitude

    def rotate(self, x: Array, angles: Array) -> Array:
        if self.family.pairing == "halves":
            return parts.rotate_halves(x, angles)
        halves = np.concatenate([x[..., 0::2], x[..., 1::2]], axis=-1)
        turned = parts.rotate_halves(halves, angles)
        return np.stack(np.split(turned, 2, axis=-1), axis=-1).reshape(x.shape)

    def attention(self, h: Array, layer: int, chunk: int) -> Array:
        n, family = len(h), self.family
        weight = lambda name: self.weight(f"blk.{layer}.{name}.weight")
        project = lambda name: h @ weight(name).T + self.bias(f"blk.{layer}.{name}.bias", 0.0)
        q, k, v = project("attn_q"), project("attn_k"), project("attn_v")
        if family.head_norm == "row":
            q, k = rms_norm(q, weight("attn_q_norm"), self.epsilon), rms_norm(k, weight("attn_k_norm"), self.epsilon)
        q, k, v = (x.reshape(n, -1, self.head_dim) for x in (q, k, v))
        if family.head_norm == "head":
            q, k = rms_norm(q, weight("attn_q_norm"), self.epsilon), rms_norm(k, weight("attn_k_norm"), self.epsilon)
        angles, magnitude = self.rotation(n)
        # The rotation is linear: cos and sin times a number are q and k times it.
        q, k = self.rotate(q, angles) * magnitude, self.rotate(k, angles) * magnitude
        window = self.value("attention.sliding_window") if family.window_in_even_layers and layer % 2 == 0 else None
        sinks = weight("attn_sinks") if family.sinks else None
        mixed = parts.attend(q, k, v, self.attention_scale, window, chunk, sinks)
        return mixed @ weight("attn_output").T + self.bias(f"blk.{layer}.attn_output.bias", 0.0)

    def feed_forward(self, h: Array, layer: int) -> Array:
        weight = lambda name: self.weight(f"blk.{layer}.{name}.weight")
        if f"blk.{layer}.ffn_gate_inp.weight" not in self.tensors:
            return parts.gated(h, weight("ffn_gate"), weight("ffn_up"), weight("ffn_down"), silu, 512)
        bias = lambda name: self.bias(f"blk.{layer}.{name}.bias")
        scores = h @ weight("ffn_gate_inp").T + self.bias(f"blk.{layer}.ffn_gate_inp.bias", 0.0)
        chosen, weights = experts.route(scores, self.value("expert_used_count"), self.family.softmax_first, self.family.renormalize)
        out = experts.mixture(h, chosen, weights, weight, bias, experts.swiglu_oai if self.family.clamped else experts.swiglu)
        if f"blk.{layer}.ffn_gate_shexp.weight" in self.tensors:
            out = out + experts.shared_expert(h, weight)
        return out

    def hidden_states(self, tokens: list[int], chunk: int = 512) -> Array:
        x = self.weight("token_embd.weight")[tokens] * self.embedding_scale
        for layer in range(self.value("block_count")):
            norm = lambda name: rms_norm(x, self.weight(f"blk.{layer}.{name}.weight"), self.epsilon)
            x = x + self.residual_scale * self.attention(norm("attn_norm"), layer, chunk)
            x = x + self.residual_scale * self.feed_forward(norm(self.family.ffn_norm), layer)
        return rms_norm(x, self.weight("output_norm.weight"), self.epsilon)

    def logits(self, tokens: list[int], chunk: int = 128) -> Iterator[Array]:
        hidden, output = self.hidden_states(tokens), self.output.T
        for begin in range(0, len(tokens), chunk):
            yield hidden[begin:begin + chunk] @ output / self.logit_scale
