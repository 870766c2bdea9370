"""The ids of a plain prompt: by an outside tokenizer for the file's vocabulary, with bos where the file wants it."""
from pathlib import Path

import gguf

import gguf_sentencepiece
import gguf_tokenizer

OUTSIDE = {"gpt2": gguf_tokenizer, "llama": gguf_sentencepiece}


def tokens(model: Path, text: str) -> list[int]:
    reader = gguf.GGUFReader(model)

    def value(key: str, default=None):
        field = reader.get_field(f"tokenizer.ggml.{key}")
        return default if field is None else field.contents()

    kind = value("model")
    outside = OUTSIDE[kind]
    ids = outside.encode(outside.load(model), text)
    adds_bos = value("add_bos_token", kind == "llama")
    return [value("bos_token_id"), *ids] if adds_bos else ids
