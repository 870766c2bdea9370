"""Vocabularies for the spm plug-in: as GGUF files for llama.cpp, as models for the `sentencepiece` package."""
import contextlib
import os
import sys
from pathlib import Path

import gguf
import llama_cpp

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "oracle"))
import gguf_sentencepiece  # noqa: E402

NORMAL, UNKNOWN, CONTROL, USER, UNUSED, BYTE = 1, 2, 3, 4, 5, 6


def write_gguf(path: Path, vocabulary: dict, add_space_prefix: bool) -> None:
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_tokenizer_model("llama")
    writer.add_token_list(vocabulary["tokens"])
    writer.add_token_scores(vocabulary["scores"])
    writer.add_token_types(vocabulary["types"])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_add_space_prefix(add_space_prefix)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


class LlamaCpp:
    def __init__(self, path: Path) -> None:
        with open(os.devnull, "w") as null, contextlib.redirect_stderr(null):
            self.llama = llama_cpp.Llama(str(path), vocab_only=True, verbose=False)

    def encode(self, text: bytes, special: bool = False) -> list[int]:
        return self.llama.tokenize(text, add_bos=False, special=special)


class SentencePiece:
    def __init__(self, path: Path) -> None:
        self.processor = gguf_sentencepiece.load(path)

    def encode(self, text: bytes) -> list[int] | None:
        """None where the text is no UTF-8: the package takes only strings."""
        try:
            return self.processor.encode(text.decode("utf-8"))
        except UnicodeDecodeError:
            return None
