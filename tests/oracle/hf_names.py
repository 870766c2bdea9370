"""How Hugging Face's files name and order what GGUF files of the same family hold."""
import re
from collections.abc import Callable

import numpy as np

Array = np.ndarray
MODEL_TYPES = {"llama": "llama", "mixtral": "mixtral", "qwen2": "qwen2", "qwen3": "qwen3", "qwen3moe": "qwen3_moe", "qwen2moe": "qwen2_moe",
               "olmoe": "olmoe", "granitemoe": "granitemoe", "gpt-oss": "gpt_oss", "gemma3": "gemma3_text"}

ATTENTION = {"attn_norm": "input_layernorm", "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
             "attn_output": "self_attn.o_proj", "attn_q_norm": "self_attn.q_norm", "attn_k_norm": "self_attn.k_norm",
             "ffn_norm": "post_attention_layernorm", "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj"}
SHARED = {"ffn_gate_inp_shexp": "mlp.shared_expert_gate", "ffn_gate_shexp": "mlp.shared_expert.gate_proj",
          "ffn_up_shexp": "mlp.shared_expert.up_proj", "ffn_down_shexp": "mlp.shared_expert.down_proj"}
NAMES = {
    "gemma3": {"post_attention_norm": "post_attention_layernorm", "ffn_norm": "pre_feedforward_layernorm",
               "post_ffw_norm": "post_feedforward_layernorm"},
    "mixtral": {"ffn_gate_inp": "block_sparse_moe.gate"},
    "qwen3moe": {"ffn_gate_inp": "mlp.gate"},
    "olmoe": {"ffn_gate_inp": "mlp.gate"},
    "qwen2moe": {"ffn_gate_inp": "mlp.gate", **SHARED},
    "granitemoe": {"ffn_gate_inp": "block_sparse_moe.router.layer"},
    "gpt-oss": {"ffn_gate_inp": "mlp.router", "post_attention_norm": "post_attention_layernorm"},
}
EACH_EXPERT = {  # where every expert is a tensor
    **dict.fromkeys(("qwen3moe", "qwen2moe", "olmoe"), ("mlp.experts", {"gate": "gate_proj", "up": "up_proj", "down": "down_proj"})),
    "mixtral": ("block_sparse_moe.experts", {"gate": "w1", "up": "w3", "down": "w2"}),
}


def neighbours_to_halves(rows: Array, head_dim: int) -> Array:
    """The order of each head's rows before a converter made rotated pairs neighbours."""
    heads = rows.reshape(-1, head_dim // 2, 2, *rows.shape[1:])
    return np.ascontiguousarray(heads.swapaxes(1, 2)).reshape(rows.shape)


def even_low(blocks: Array) -> tuple[Array, Array]:
    """Blocks [.., 17 G] of GGUF's MXFP4 as codes [.., G, 16] with the even element in the low half, and scales [.., G]."""
    blocks = blocks.reshape(*blocks.shape[:-1], -1, 17)
    scales, codes = blocks[..., 0], blocks[..., 1:]
    elements = np.concatenate([codes & 15, codes >> 4], axis=-1)
    return np.ascontiguousarray(elements[..., 0::2] | elements[..., 1::2] << 4), np.ascontiguousarray(scales)


def interleaved(gate: Array, up: Array) -> Array:
    """Rows of gate at even places, of up at odd ones; along the second axis."""
    return np.stack([gate, up], axis=2).reshape(gate.shape[0], -1, *gate.shape[2:])


def hf_tensors(family: str, tensors: dict[str, Array], head_dim: int) -> dict[str, Array]:
    """GGUF tensors (whole names; MXFP4 as bytes) under their names and in their order there."""
    out: dict[str, Array] = {}
    names = {**ATTENTION, **NAMES.get(family, {})}
    norm: Callable[[Array], Array] = (lambda w: w - np.float32(1)) if family == "gemma3" else (lambda w: w)
    for name, values in tensors.items():
        if name == "rope_freqs.weight":
            continue  # config.json says it
        if name in ("token_embd.weight", "output_norm.weight", "output.weight"):
            key = {"token_embd.weight": "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight", "output.weight": "lm_head.weight"}[name]
            out[key] = norm(values) if "norm" in name else values
            continue
        layer, stem, kind = re.fullmatch(r"blk\.(\d+)\.(\w+)\.(weight|bias)", name).groups()
        prefix = f"model.layers.{layer}."
        if stem == "attn_sinks":
            out[prefix + "self_attn.sinks"] = values
        elif stem.endswith("_exps"):
            add_experts(out, family, prefix, stem, kind, values, tensors, f"blk.{layer}.")
        else:
            if stem in ("attn_q", "attn_k") and family in ("llama", "mixtral", "granitemoe"):
                values = neighbours_to_halves(values, head_dim)
            if stem == "ffn_gate_inp_shexp":
                values = values.reshape(1, -1)
            out[f"{prefix}{names[stem]}.{kind}"] = norm(values) if stem.endswith("norm") else values
    return out


def add_experts(out: dict[str, Array], family: str, prefix: str, stem: str, kind: str, values: Array, tensors: dict[str, Array], blk: str) -> None:
    role = stem.split("_")[1]
    if family in EACH_EXPERT:
        folder, roles = EACH_EXPERT[family]
        out.update({f"{prefix}{folder}.{i}.{roles[role]}.{kind}": expert for i, expert in enumerate(values)})
    elif role == "up":
        return  # together with gate
    elif family == "granitemoe":
        if role == "gate":
            values = np.concatenate([values, tensors[f"{blk}ffn_up_exps.weight"]], axis=1)
        out[f"{prefix}block_sparse_moe.{'input' if role == 'gate' else 'output'}_linear.weight"] = values
    else:
        name = f"{prefix}mlp.experts.{'gate_up' if role == 'gate' else 'down'}_proj"
        if role == "gate":
            values = interleaved(values, tensors[f"{blk}ffn_up_exps.{kind}"])
        if kind == "bias":
            out[name + "_bias"] = values
        else:
            out[name + "_blocks"], out[name + "_scales"] = even_low(values)


def config(family: str, value: Callable, head_dim: int, tokens: int) -> dict:
    """config.json of the model whose GGUF keys `value` reads."""
    said = {"model_type": MODEL_TYPES[family], "num_hidden_layers": value("block_count"), "hidden_size": value("embedding_length"),
            "max_position_embeddings": value("context_length"), "num_attention_heads": value("attention.head_count"),
            "num_key_value_heads": value("attention.head_count_kv"), "head_dim": head_dim, "vocab_size": tokens,
            "rms_norm_eps": value("attention.layer_norm_rms_epsilon"), "rope_theta": value("rope.freq_base"), "rope_scaling": None,
            "torch_dtype": "float16"}
    if value("expert_count", 0):
        key = "num_local_experts" if family in ("mixtral", "granitemoe", "gpt-oss") else "num_experts"
        said |= {key: value("expert_count"), "num_experts_per_tok": value("expert_used_count")}
    if family in ("qwen3moe", "qwen2moe", "olmoe"):
        said["norm_topk_prob"] = family == "qwen3moe"
    if family == "granitemoe":
        said |= {"embedding_multiplier": value("embedding_scale"), "residual_multiplier": value("residual_scale"),
                 "attention_multiplier": value("attention.scale"), "logits_scaling": value("logit_scale")}
    kind = value("rope.scaling.type", "none")
    if kind != "none":
        said["rope_scaling"] = {"rope_type": kind, "factor": value("rope.scaling.factor")}
    if kind == "yarn":
        said["rope_scaling"] |= {"original_max_position_embeddings": value("rope.scaling.original_context_length"), "beta_fast": 32.0, "beta_slow": 1.0}
    if family in ("gpt-oss", "gemma3"):
        period = 2 if family == "gpt-oss" else 6
        said["sliding_window"] = value("attention.sliding_window")
        said["layer_types"] = ["full_attention" if (i + 1) % period == 0 else "sliding_attention" for i in range(value("block_count"))]
    if family == "gpt-oss":
        said["rope_scaling"]["truncate"] = False
    if family == "gemma3":
        said |= {"query_pre_attn_scalar": head_dim, "rope_local_base_freq": 10000.0, "final_logit_softcapping": value("final_logit_softcapping", 0) or None}
    return said
