"""Writes the GGUF file."""

import json
import os

import gguf
import numpy as np

from model import quant_kind
from mxfp4 import mxfp4_bytes, q8_0_bytes
from tokenizer import END

TYPES = {
    "mxfp4": (gguf.GGMLQuantizationType.MXFP4, mxfp4_bytes),
    "q8_0": (gguf.GGMLQuantizationType.Q8_0, q8_0_bytes),
}


def _metadata(w, cfg):
    w.add_type("model")
    w.add_name("Tenon Demo")
    w.add_size_label("8x0.2M")
    w.add_description(
        "A small mixture of experts that writes short English stories; made to test and show Tenon."
    )
    w.add_license("mit")
    w.add_author("The Tenon authors")
    w.add_languages(["en"])
    w.add_tags(["text-generation"])
    w.add_file_type(gguf.LlamaFileType.MOSTLY_MXFP4_MOE)
    w.add_quantization_version(gguf.GGML_QUANT_VERSION)
    w.add_context_length(cfg.context_length)
    w.add_embedding_length(cfg.hidden_size)
    w.add_block_count(cfg.n_layers)
    w.add_feed_forward_length(cfg.expert_size * cfg.experts_used)
    w.add_head_count(cfg.n_heads)
    w.add_head_count_kv(cfg.n_kv_heads)
    w.add_key_length(cfg.head_dim)
    w.add_value_length(cfg.head_dim)
    w.add_rope_freq_base(cfg.rope_theta)
    w.add_layer_norm_rms_eps(cfg.rms_eps)
    w.add_expert_count(cfg.n_experts)
    w.add_expert_used_count(cfg.experts_used)
    w.add_expert_feed_forward_length(cfg.expert_size)
    w.add_vocab_size(cfg.vocab_size)


def _tokenizer(w, tok):
    state = json.loads(tok.to_str())
    by_id = sorted(tok.get_vocab().items(), key=lambda kv: kv[1])
    tokens = [t for t, _ in by_id]
    end = tok.token_to_id(END)
    types = [gguf.TokenType.CONTROL if i == end else gguf.TokenType.NORMAL for i in range(len(tokens))]
    w.add_tokenizer_model("gpt2")
    w.add_tokenizer_pre("qwen2")
    w.add_token_list(tokens)
    w.add_token_types(types)
    w.add_token_merges([" ".join(m) if isinstance(m, list) else m for m in state["model"]["merges"]])
    w.add_bos_token_id(end)
    w.add_eos_token_id(end)
    w.add_pad_token_id(end)
    w.add_add_bos_token(True)
    w.add_add_eos_token(False)


def write(path, params, cfg, tok):
    """Written beside the target and renamed, so that a reader never sees half a file."""
    temporary = path + ".part"
    w = gguf.GGUFWriter(temporary, "qwen3moe")
    _metadata(w, cfg)
    _tokenizer(w, tok)

    def tensor(name, value, kind):
        value = np.asarray(value, np.float32)
        if kind == "f32":
            w.add_tensor(name, value)
        else:
            qtype, encode = TYPES[kind]
            w.add_tensor(name, encode(value), raw_dtype=qtype)

    for name in ("token_embd", "output_norm"):
        tensor(name + ".weight", params[name], quant_kind(name))
    for i, layer in enumerate(params["layers"]):
        for name, value in layer.items():
            tensor(f"blk.{i}.{name}.weight", value, quant_kind(name))
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()
    os.replace(temporary, path)
