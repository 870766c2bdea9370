#!/usr/bin/env python3
"""random_model.py OUTPUT.gguf [options]: a model with random weights and the whole structure of a real one.

The same seed gives the same weights before rounding whatever the types, except in q4_k, q5_k and q6_k, whose blocks are
drawn as they are. Norms and the experts' router stay float32, as converters leave them.
"""
import argparse
import zlib
from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy as np

from random_blocks import DRAWN, ROUNDED, byte_size, random_matrix, type_of

CHAT_TEMPLATE = ("{% for message in messages %}"
                 "{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
                 "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}")
CONTROL_TOKENS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
MERGES = ["Ġ t", "Ġ a", "h e", "i n", "r e", "o n", "e r", "Ġt he", "a t", "n d", "Ġ s", "Ġ o", "Ġa nd", "in g", "Ġ w",
          "o u"]


@dataclass(frozen=True)
class Matrix:
    name: str
    group: str                # whose --*-type it takes
    shape: tuple[int, ...]    # [outputs, inputs], experts first where there are any
    gain: float = 1.0


def matrices(o: argparse.Namespace) -> list[Matrix]:
    # Logits of a few units: the distribution is neither flat nor a single token. Where embeddings are scaled up, the tied
    # output would else foretell nothing but the token itself.
    found = [Matrix("token_embd", "embedding", (o.vocab, o.hidden_size), 1.0 if o.architecture == "gemma3" else 3.0)]
    for i in range(o.layers):
        layer = f"blk.{i}."
        found += [
            Matrix(layer + "attn_q", "attention", (o.heads * o.head_dim, o.hidden_size)),
            Matrix(layer + "attn_k", "attention", (o.kv_heads * o.head_dim, o.hidden_size)),
            Matrix(layer + "attn_v", "attention", (o.kv_heads * o.head_dim, o.hidden_size)),
            Matrix(layer + "attn_output", "attention", (o.hidden_size, o.heads * o.head_dim)),
        ]
        if o.architecture != "qwen3moe":
            found += [Matrix(layer + "ffn_gate", "ffn", (o.ffn, o.hidden_size)),
                      Matrix(layer + "ffn_up", "ffn", (o.ffn, o.hidden_size)),
                      Matrix(layer + "ffn_down", "down", (o.hidden_size, o.ffn))]
        else:
            found += [Matrix(layer + "ffn_gate_inp", "router", (o.experts, o.hidden_size)),
                      Matrix(layer + "ffn_gate_exps", "ffn", (o.experts, o.ffn, o.hidden_size)),
                      Matrix(layer + "ffn_up_exps", "ffn", (o.experts, o.ffn, o.hidden_size)),
                      Matrix(layer + "ffn_down_exps", "down", (o.experts, o.hidden_size, o.ffn))]
    if o.output_type != "tied":
        found.append(Matrix("output", "output", (o.vocab, o.hidden_size), 3.0))
    return found


def norms(o: argparse.Namespace) -> list[tuple[str, int]]:
    found = [("output_norm", o.hidden_size)]
    for i in range(o.layers):
        found += [(f"blk.{i}.attn_norm", o.hidden_size), (f"blk.{i}.ffn_norm", o.hidden_size)]
        if o.architecture != "llama":
            found += [(f"blk.{i}.attn_q_norm", o.head_dim), (f"blk.{i}.attn_k_norm", o.head_dim)]
        if o.architecture == "gemma3":
            found += [(f"blk.{i}.post_attention_norm", o.hidden_size), (f"blk.{i}.post_ffw_norm", o.hidden_size)]
    return found


def byte_alphabet() -> list[str]:
    """GPT-2's printable character of every byte."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = iter(range(0x100, 0x200))
    return [chr(byte) if byte in printable else chr(next(others)) for byte in range(256)]


def add_tokenizer(writer: gguf.GGUFWriter, vocab: int, pre: str) -> None:
    """Control tokens, the 256 bytes, as many merges as fit, and tokens that no text gives up to the size."""
    tokens = CONTROL_TOKENS + byte_alphabet()
    if vocab < len(tokens):
        raise ValueError(f"a byte-level vocabulary has at least {len(tokens)} tokens")
    merges = MERGES[: vocab - len(tokens)]
    tokens += [merge.replace(" ", "") for merge in merges]
    kinds = [gguf.TokenType.CONTROL] * len(CONTROL_TOKENS) + [gguf.TokenType.NORMAL] * (len(tokens) - len(CONTROL_TOKENS))
    unused = [f"[unused{i}]" for i in range(vocab - len(tokens))]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(tokens + unused)
    writer.add_token_types(kinds + [gguf.TokenType.UNUSED] * len(unused))
    writer.add_token_merges(merges)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_add_bos_token(False)
    writer.add_chat_template(CHAT_TEMPLATE)


def add_sentencepiece(writer: gguf.GGUFWriter, vocab: int) -> None:
    """Unknown, begin and end, the 256 bytes, the merges as pieces by score, and tokens that no text gives up to the size."""
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", *(chr(c) for c in range(97, 123))]
    if vocab < len(tokens):
        raise ValueError(f"a SentencePiece vocabulary has at least {len(tokens)} tokens")
    kinds = [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL, *[gguf.TokenType.BYTE] * 256, *[gguf.TokenType.NORMAL] * 27]
    pieces = [merge.replace(" ", "").replace("Ġ", "▁") for merge in MERGES][: vocab - len(tokens)]
    scores = [*[0.0] * 259, *[-1000.0] * 27, *(-float(i) for i in range(len(pieces)))]
    unused = [f"[unused{i}]" for i in range(vocab - len(tokens) - len(pieces))]
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens + pieces + unused)
    writer.add_token_scores(scores + [-1e6] * len(unused))
    writer.add_token_types([*kinds, *[gguf.TokenType.NORMAL] * len(pieces), *[gguf.TokenType.UNUSED] * len(unused)])
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_add_space_prefix(False)


def add_gemma3(writer: gguf.GGUFWriter, o: argparse.Namespace) -> None:
    writer.add_sliding_window(o.window)
    if o.rope_factor != 1:
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(o.rope_factor)
    if o.final_softcap:
        writer.add_final_logit_softcapping(o.final_softcap)
    add_sentencepiece(writer, o.vocab)


def add_metadata(writer: gguf.GGUFWriter, o: argparse.Namespace) -> None:
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
    if o.architecture == "qwen3moe":
        writer.add_expert_count(o.experts)
        writer.add_expert_used_count(o.experts_used)
        writer.add_expert_feed_forward_length(o.ffn)
    if o.architecture == "gemma3":
        return add_gemma3(writer, o)
    add_tokenizer(writer, o.vocab, "gpt-2" if o.architecture == "llama" else "qwen2")


def generator(o: argparse.Namespace, name: str) -> np.random.Generator:
    return np.random.default_rng([o.seed, zlib.crc32(name.encode())])


def values_of(matrix: Matrix, kind: gguf.GGMLQuantizationType, rng: np.random.Generator) -> np.ndarray:
    *experts, rows, columns = matrix.shape
    sigma = matrix.gain / np.sqrt(columns)
    parts = [random_matrix(rng, kind, rows, columns, sigma) for _ in range(experts[0] if experts else 1)]
    return np.stack(parts) if experts else parts[0]


def write(o: argparse.Namespace) -> None:
    types = {"embedding": o.embedding_type, "attention": o.attention_type, "ffn": o.ffn_type, "down": o.down_type or o.ffn_type,
             "output": o.output_type, "router": "f32"}
    plan = [(matrix, type_of(types[matrix.group])) for matrix in matrices(o)]
    writer = gguf.GGUFWriter(o.output, o.architecture)
    add_metadata(writer, o)
    for name, size in norms(o):
        writer.add_tensor_info(name + ".weight", (size,), np.dtype(np.float32), 4 * size)
    for matrix, kind in plan:
        n_bytes = byte_size(kind, int(np.prod(matrix.shape)))
        byte_shape = (*matrix.shape[:-1], byte_size(kind, matrix.shape[-1]))
        writer.add_tensor_info(matrix.name + ".weight", byte_shape, np.dtype(np.uint8), n_bytes, kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    # Data follows the infos one tensor at a time, so a model larger than memory can be written.
    for name, size in norms(o):
        writer.write_tensor_data((1 + 0.1 * generator(o, name).standard_normal(size)).astype(np.float32))
    for matrix, kind in plan:
        writer.write_tensor_data(values_of(matrix, kind, generator(o, matrix.name)))
    writer.close()


def main() -> None:
    kinds = [*ROUNDED, *DRAWN]
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    p.add_argument("output", type=Path)
    p.add_argument("--architecture", choices=["llama", "qwen3", "qwen3moe", "gemma3"], default="llama")
    for name, default in [("hidden-size", 256), ("layers", 2), ("heads", 4), ("kv-heads", 2), ("head-dim", 64), ("experts", 8),
                          ("experts-used", 2), ("vocab", 512), ("context", 4096), ("seed", 1)]:
        p.add_argument(f"--{name}", type=int, default=default)
    p.add_argument("--ffn", type=int, default=512, help="inner size of a feed-forward, or of one expert")
    p.add_argument("--rope-theta", type=float, default=10000.0)
    p.add_argument("--window", type=int, default=16, help="gemma3: keys that a layer with a sliding window sees")
    p.add_argument("--rope-factor", type=float, default=1.0, help="gemma3: linear scaling of the layers that see all")
    p.add_argument("--final-softcap", type=float, default=0.0, help="gemma3: of the logits; 0 is none")
    for name in ("embedding", "attention", "ffn"):
        p.add_argument(f"--{name}-type", type=str.lower, choices=kinds, default="f32")
    p.add_argument("--down-type", type=str.lower, choices=kinds,
                   help="of the feed-forward's last matrix; the ffn's where not given")
    p.add_argument("--output-type", type=str.lower, choices=[*kinds, "tied"], default="tied",
                   help="tied: the embedding serves as output")
    options = p.parse_args()
    if options.heads % options.kv_heads != 0 or options.experts_used > options.experts or options.head_dim % 2 != 0:
        p.error("heads must be a multiple of kv-heads, experts-used at most experts, and head-dim even")
    try:
        write(options)
    except ValueError as error:
        options.output.unlink(missing_ok=True)
        p.error(str(error))


if __name__ == "__main__":
    main()
