"""What each family's files hold besides the common parts: matrices, vectors and metadata, as converters name them."""
import argparse
import math
from dataclasses import dataclass

import gguf


@dataclass(frozen=True)
class Matrix:
    name: str
    group: str                # whose --*-type it takes
    shape: tuple[int, ...]    # [outputs, inputs], experts first where there are any
    gain: float = 1.0


@dataclass(frozen=True)
class Vector:
    """Values around `mean`, float32 as converters leave them; a norm where the mean is 1."""
    name: str                 # whole, with .weight or .bias
    shape: tuple[int, ...]
    mean: float = 0.0
    sigma: float = 0.1


@dataclass(frozen=True)
class Family:
    architecture: str         # of the file
    pre: str = "qwen2"        # pre-tokenizer
    bias: tuple[str, ...] = ()
    head_norm: str = ""       # "head" or "row": RMS norm of q and k
    experts: bool = False
    shared: bool = False
    sinks: bool = False
    ffn_norm: str = "ffn_norm"


QKV = ("attn_q", "attn_k", "attn_v")
FAMILIES = {
    "llama": Family("llama", "gpt-2"),
    "mixtral": Family("llama", "gpt-2", experts=True),
    "qwen2": Family("qwen2", bias=QKV),
    "qwen3": Family("qwen3", head_norm="head"),
    "gemma3": Family("gemma3", head_norm="head"),
    "qwen3moe": Family("qwen3moe", head_norm="head", experts=True),
    "qwen2moe": Family("qwen2moe", bias=QKV, experts=True, shared=True),
    "olmoe": Family("olmoe", "gpt-2", head_norm="row", experts=True),
    "granitemoe": Family("granitemoe", "gpt-2", experts=True),
    "gpt-oss": Family("gpt-oss", "gpt-4o", experts=True, sinks=True, ffn_norm="post_attention_norm",
                      bias=(*QKV, "attn_output", "ffn_gate_inp", "ffn_gate_exps", "ffn_up_exps", "ffn_down_exps")),
}


def attention_matrices(o: argparse.Namespace, layer: str) -> list[Matrix]:
    return [Matrix(layer + "attn_q", "attention", (o.heads * o.head_dim, o.hidden_size)),
            Matrix(layer + "attn_k", "attention", (o.kv_heads * o.head_dim, o.hidden_size)),
            Matrix(layer + "attn_v", "attention", (o.kv_heads * o.head_dim, o.hidden_size)),
            Matrix(layer + "attn_output", "attention", (o.hidden_size, o.heads * o.head_dim))]


def ffn_matrices(o: argparse.Namespace, layer: str, family: Family) -> list[Matrix]:
    if not family.experts:
        return [Matrix(layer + "ffn_gate", "ffn", (o.ffn, o.hidden_size)),
                Matrix(layer + "ffn_up", "ffn", (o.ffn, o.hidden_size)),
                Matrix(layer + "ffn_down", "down", (o.hidden_size, o.ffn))]
    found = [Matrix(layer + "ffn_gate_inp", "router", (o.experts, o.hidden_size)),
             Matrix(layer + "ffn_gate_exps", "ffn", (o.experts, o.ffn, o.hidden_size)),
             Matrix(layer + "ffn_up_exps", "ffn", (o.experts, o.ffn, o.hidden_size)),
             Matrix(layer + "ffn_down_exps", "down", (o.experts, o.hidden_size, o.ffn))]
    if family.shared:
        found += [Matrix(layer + "ffn_gate_shexp", "ffn", (o.shared_ffn, o.hidden_size)),
                  Matrix(layer + "ffn_up_shexp", "ffn", (o.shared_ffn, o.hidden_size)),
                  Matrix(layer + "ffn_down_shexp", "down", (o.hidden_size, o.shared_ffn))]
    return found


def matrices(o: argparse.Namespace) -> list[Matrix]:
    family = FAMILIES[o.architecture]
    # Logits of a few units: the distribution is neither flat nor a single token. Where embeddings are scaled up, the tied
    # output would else foretell nothing but the token itself.
    found = [Matrix("token_embd", "embedding", (o.vocab, o.hidden_size), 1.0 if o.architecture in ("gemma3", "granitemoe") else 3.0)]
    for i in range(o.layers):
        found += attention_matrices(o, f"blk.{i}.") + ffn_matrices(o, f"blk.{i}.", family)
    if o.output_type != "tied":
        found.append(Matrix("output", "output", (o.vocab, o.hidden_size), 3.0))
    return found


def bands(o: argparse.Namespace) -> list[float]:
    """Divisors of the frequencies for a context stretched in bands (Llama 3.1), each a float32."""
    low, high = 1.0, 4.0
    divisors = []
    for pair in range(o.head_dim // 2):
        turns = o.original_context * o.rope_theta ** (-2 * pair / o.head_dim) / (2 * math.pi)
        kept = min(max((turns - low) / (high - low), 0.0), 1.0)
        divisors.append(1 / ((1 - kept) / o.rope_factor + kept))
    return divisors


def norm(name: str, size: int) -> Vector:
    return Vector(name + ".weight", (size,), 1.0)


def vectors(o: argparse.Namespace) -> list[Vector]:
    family = FAMILIES[o.architecture]
    shapes = {matrix.name: matrix.shape for matrix in matrices(o)}
    found = [norm("output_norm", o.hidden_size)]
    for i in range(o.layers):
        layer = f"blk.{i}."
        found += [norm(layer + "attn_norm", o.hidden_size), norm(layer + family.ffn_norm, o.hidden_size)]
        if family.head_norm:
            sizes = (o.head_dim, o.head_dim) if family.head_norm == "head" else (o.heads * o.head_dim, o.kv_heads * o.head_dim)
            found += [norm(layer + "attn_q_norm", sizes[0]), norm(layer + "attn_k_norm", sizes[1])]
        if o.architecture == "gemma3":
            found += [norm(layer + "post_attention_norm", o.hidden_size), norm(layer + "post_ffw_norm", o.hidden_size)]
        if family.sinks:
            found.append(Vector(layer + "attn_sinks.weight", (o.heads,), sigma=1.0))
        if family.shared:
            found.append(Vector(layer + "ffn_gate_inp_shexp.weight", (o.hidden_size,), sigma=o.hidden_size ** -0.5))
        for name in family.bias:
            found.append(Vector(f"{layer}{name}.bias", shapes[layer + name][:-1], sigma=0.3))
    return found


def add_metadata(writer: gguf.GGUFWriter, o: argparse.Namespace) -> None:
    family = FAMILIES[o.architecture]
    writer.add_name(f"random {o.architecture}, seed {o.seed}")
    writer.add_context_length(o.context)
    writer.add_embedding_length(o.hidden_size)
    writer.add_block_count(o.layers)
    writer.add_feed_forward_length(o.ffn)
    writer.add_head_count(o.heads)
    writer.add_head_count_kv(o.kv_heads)
    writer.add_key_length(o.head_dim)
    writer.add_value_length(o.head_dim)
    writer.add_rope_dimension_count(o.head_dim)
    writer.add_rope_freq_base(o.rope_theta)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_vocab_size(o.vocab)
    if family.experts:
        writer.add_expert_count(o.experts)
        writer.add_expert_used_count(o.experts_used)
        writer.add_expert_feed_forward_length(o.ffn)
    if family.shared:
        writer.add_expert_shared_feed_forward_length(o.shared_ffn)
    if o.architecture in ("gemma3", "gpt-oss"):
        writer.add_sliding_window(o.window)
    if o.rope_scaling in ("linear", "yarn"):
        writer.add_rope_scaling_type(gguf.RopeScalingType(o.rope_scaling))
        writer.add_rope_scaling_factor(o.rope_factor)
    if o.rope_scaling == "yarn":
        writer.add_rope_scaling_orig_ctx_len(o.original_context)
    if o.final_softcap:
        writer.add_final_logit_softcapping(o.final_softcap)
    if o.architecture == "granitemoe":
        writer.add_attention_scale(0.21)
        writer.add_embedding_scale(2.5)
        writer.add_residual_scale(0.4)
        writer.add_logit_scale(1.7)
