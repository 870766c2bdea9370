#!/usr/bin/env python3
"""safetensors_copy.py FAMILY MODEL.gguf FOLDER [--shards N]: the same model as Hugging Face's tools would have written it.

Written by the `safetensors` package. Float tensors keep their type, MXFP4 becomes codes and scales; other block formats have
no place there. For a model whose rotation is stretched in bands, its divisors are said in config.json as factor 8 over 64
positions, as random_model.py makes them.
"""
import argparse
import json
from pathlib import Path

import gguf
import numpy as np
from safetensors.numpy import save_file

import hf_names
from random_model import CHAT_TEMPLATE

Type = gguf.GGMLQuantizationType
QWEN2 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")


def tokenizer(tokens: list[str], kinds: list[int], merges: list[str]) -> dict:
    """tokenizer.json of a byte-level vocabulary."""
    special = [i for i, kind in enumerate(kinds) if kind == gguf.TokenType.CONTROL]
    return {"version": "1.0", "normalizer": {"type": "NFC"},
            "added_tokens": [{"id": i, "content": tokens[i], "special": True, "normalized": False} for i in special],
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
                {"type": "Split", "pattern": {"Regex": QWEN2}, "behavior": "Isolated", "invert": False},
                {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}]},
            "post_processor": None, "decoder": {"type": "ByteLevel"},
            "model": {"type": "BPE", "ignore_merges": False, "vocab": {t: i for i, t in enumerate(tokens) if i not in special},
                      "merges": [merge.split(" ") for merge in merges]}}


def pieces_tokenizer(tokens: list[str], kinds: list[int], scores: list[float], prefix: bool) -> dict:
    """tokenizer.json of pieces with scores, as conversions from SentencePiece make it: every pair that makes a piece is a
    merge, those of a piece with a higher score first."""
    ids = {token: i for i, token in enumerate(tokens)}
    merges = []
    for piece, kind, score in zip(tokens, kinds, scores):
        if kind == gguf.TokenType.NORMAL:
            pairs = [(piece[:i], piece[i:]) for i in range(1, len(piece)) if piece[:i] in ids and piece[i:] in ids]
            merges += [(-score, ids[left], ids[right], [left, right]) for left, right in pairs]
    replace = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    return {"version": "1.0", "truncation": None, "padding": None,
            "normalizer": {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"}, replace]} if prefix else replace,
            "added_tokens": [{"id": i, "content": tokens[i], "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
                              "special": True} for i, kind in enumerate(kinds) if kind in (gguf.TokenType.CONTROL, gguf.TokenType.UNKNOWN)],
            "pre_tokenizer": None, "decoder": None,
            "post_processor": {"type": "TemplateProcessing", "pair": [], "single": [
                {"SpecialToken": {"id": tokens[1], "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
                "special_tokens": {tokens[1]: {"id": tokens[1], "ids": [1], "tokens": [tokens[1]]}}},
            "model": {"type": "BPE", "dropout": None, "unk_token": tokens[kinds.index(gguf.TokenType.UNKNOWN)],
                      "continuing_subword_prefix": None, "end_of_word_suffix": None, "fuse_unk": True, "byte_fallback": True,
                      "ignore_merges": False, "vocab": ids, "merges": [merge for *_, merge in sorted(merges)]}}


def write_tokenizer(folder: Path, reader: gguf.GGUFReader) -> None:
    read = lambda key: reader.get_field(f"tokenizer.ggml.{key}").contents()
    tokens, kinds = read("tokens"), read("token_type")
    if read("model") == "gpt2":
        made = tokenizer(tokens, kinds, read("merges"))
    else:
        made = pieces_tokenizer(tokens, kinds, read("scores"), read("add_space_prefix"))
    (folder / "tokenizer.json").write_text(json.dumps(made, ensure_ascii=False))
    (folder / "tokenizer_config.json").write_text(json.dumps({
        "bos_token": tokens[1], "eos_token": {"content": tokens[2]}, "add_bos_token": False, "chat_template": CHAT_TEMPLATE}))


def write_tensors(folder: Path, tensors: dict[str, np.ndarray], n_shards: int) -> None:
    tensors = {name: np.ascontiguousarray(values) for name, values in tensors.items()}
    if n_shards == 1:
        return save_file(tensors, folder / "model.safetensors", {"format": "pt"})
    names = sorted(tensors)
    weight_map = {}
    for shard in range(n_shards):
        file = f"model-{shard + 1:05}-of-{n_shards:05}.safetensors"
        part = names[shard::n_shards]
        save_file({name: tensors[name] for name in part}, folder / file, {"format": "pt"})
        weight_map |= dict.fromkeys(part, file)
    total = sum(values.nbytes for values in tensors.values())
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {"total_size": total}, "weight_map": weight_map}, indent=1))


def write(family: str, model: Path, folder: Path, n_shards: int) -> None:
    reader = gguf.GGUFReader(model)
    architecture = reader.get_field("general.architecture").contents()

    def value(key: str, default=None):
        field = reader.get_field(f"{architecture}.{key}")
        return default if field is None else field.contents()

    head_dim = value("attention.key_length")
    for tensor in reader.tensors:
        if tensor.tensor_type not in (Type.F32, Type.F16, Type.MXFP4):
            raise SystemExit(f"{tensor.name} is {tensor.tensor_type.name}: only F32, F16 and MXFP4 are copied")
    n_tokens = len(reader.get_field("tokenizer.ggml.tokens").data)
    config = hf_names.config(family, value, head_dim, n_tokens)
    if any(tensor.name == "rope_freqs.weight" for tensor in reader.tensors):
        config["rope_scaling"] = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                                  "original_max_position_embeddings": 64}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    write_tokenizer(folder, reader)
    write_tensors(folder, hf_names.hf_tensors(family, {tensor.name: np.array(tensor.data) for tensor in reader.tensors}, head_dim), n_shards)


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("family", choices=list(hf_names.MODEL_TYPES))
    p.add_argument("model", type=Path)
    p.add_argument("folder", type=Path)
    p.add_argument("--shards", type=int, default=1)
    o = p.parse_args()
    write(o.family, o.model, o.folder, o.shards)


if __name__ == "__main__":
    main()
