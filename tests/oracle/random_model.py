#!/usr/bin/env python3
"""random_model.py OUTPUT.gguf [options]: a model with random weights and the whole structure of a real one.

The same seed gives the same weights before rounding whatever the types, except in q4_k, q5_k and q6_k, whose blocks are
drawn as they are. Norms and the experts' router stay float32, as converters leave them.
"""
import argparse
import zlib
from pathlib import Path

import gguf
import numpy as np

from random_blocks import DRAWN, ROUNDED, byte_size, random_matrix, type_of
from random_families import FAMILIES, Matrix, Vector, add_metadata, bands, matrices, vectors

CHAT_TEMPLATE = ("{% for message in messages %}"
                 "{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
                 "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}")
CONTROL_TOKENS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
MERGES = ["Ġ t", "Ġ a", "h e", "i n", "r e", "o n", "e r", "Ġt he", "a t", "n d", "Ġ s", "Ġ o", "Ġa nd", "in g", "Ġ w",
          "o u"]


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


def generator(o: argparse.Namespace, name: str) -> np.random.Generator:
    return np.random.default_rng([o.seed, zlib.crc32(name.encode())])


def values_of(matrix: Matrix, kind: gguf.GGMLQuantizationType, rng: np.random.Generator) -> np.ndarray:
    *experts, rows, columns = matrix.shape
    sigma = matrix.gain / np.sqrt(columns)
    parts = [random_matrix(rng, kind, rows, columns, sigma) for _ in range(experts[0] if experts else 1)]
    return np.stack(parts) if experts else parts[0]


def vector_values(vector: Vector, rng: np.random.Generator) -> np.ndarray:
    return (vector.mean + vector.sigma * rng.standard_normal(vector.shape)).astype(np.float32)


def contents(o: argparse.Namespace) -> tuple[dict[str, np.ndarray], list[tuple[Matrix, gguf.GGMLQuantizationType]]]:
    """Whole names and values of all vectors, and the matrices with their types."""
    types = {"embedding": o.embedding_type, "attention": o.attention_type, "ffn": o.ffn_type, "down": o.down_type or o.ffn_type,
             "output": o.output_type, "router": "f32"}
    small = {vector.name: vector_values(vector, generator(o, vector.name.removesuffix(".weight"))) for vector in vectors(o)}
    if o.rope_scaling == "bands":
        small["rope_freqs.weight"] = np.array(bands(o), np.float32)
    return small, [(matrix, type_of(types[matrix.group])) for matrix in matrices(o)]


def write(o: argparse.Namespace) -> None:
    family = FAMILIES[o.architecture]
    small, plan = contents(o)
    writer = gguf.GGUFWriter(o.output, family.architecture)
    add_metadata(writer, o)
    if o.architecture == "gemma3":
        add_sentencepiece(writer, o.vocab)
    else:
        add_tokenizer(writer, o.vocab, family.pre)
    for name, values in small.items():
        writer.add_tensor_info(name, values.shape, np.dtype(np.float32), values.nbytes)
    for matrix, kind in plan:
        n_bytes = byte_size(kind, int(np.prod(matrix.shape)))
        byte_shape = (*matrix.shape[:-1], byte_size(kind, matrix.shape[-1]))
        writer.add_tensor_info(matrix.name + ".weight", byte_shape, np.dtype(np.uint8), n_bytes, kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    # Data follows the infos one tensor at a time, so a model larger than memory can be written.
    for values in small.values():
        writer.write_tensor_data(values)
    for matrix, kind in plan:
        writer.write_tensor_data(values_of(matrix, kind, generator(o, matrix.name)))
    writer.close()


def parser() -> argparse.ArgumentParser:
    kinds = [*ROUNDED, *DRAWN]
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    p.add_argument("output", type=Path)
    p.add_argument("--architecture", choices=list(FAMILIES), default="llama")
    for name, default in [("hidden-size", 256), ("layers", 2), ("heads", 4), ("kv-heads", 2), ("head-dim", 64), ("experts", 8),
                          ("experts-used", 2), ("vocab", 512), ("context", 4096), ("seed", 1)]:
        p.add_argument(f"--{name}", type=int, default=default)
    p.add_argument("--ffn", type=int, default=512, help="inner size of a feed-forward, or of one expert")
    p.add_argument("--rope-theta", type=float, default=10000.0)
    p.add_argument("--shared-ffn", type=int, default=512, help="inner size of a shared expert")
    p.add_argument("--window", type=int, default=16, help="gemma3, gpt-oss: keys that a layer with a sliding window sees")
    p.add_argument("--rope-scaling", choices=["none", "linear", "bands", "yarn"], default="none",
                   help="gemma3: of the layers that see all")
    p.add_argument("--rope-factor", type=float, default=1.0, help="of the scaling")
    p.add_argument("--original-context", type=int, default=64, help="bands, yarn: positions before the scaling")
    p.add_argument("--final-softcap", type=float, default=0.0, help="gemma3: of the logits; 0 is none")
    for name in ("embedding", "attention", "ffn"):
        p.add_argument(f"--{name}-type", type=str.lower, choices=kinds, default="f32")
    p.add_argument("--down-type", type=str.lower, choices=kinds,
                   help="of the feed-forward's last matrix; the ffn's where not given")
    p.add_argument("--output-type", type=str.lower, choices=[*kinds, "tied"], default="tied",
                   help="tied: the embedding serves as output")
    return p


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    p = parser()
    options = p.parse_args(arguments)
    if options.heads % options.kv_heads != 0 or options.experts_used > options.experts or options.head_dim % 2 != 0:
        p.error("heads must be a multiple of kv-heads, experts-used at most experts, and head-dim even")
    return options


def main() -> None:
    options = parse()
    try:
        write(options)
    except ValueError as error:
        options.output.unlink(missing_ok=True)
        parser().error(str(error))


if __name__ == "__main__":
    main()
