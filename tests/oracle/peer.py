"""llama.cpp through llama-cpp-python as a second engine on the same file: logits and token ids."""
import ctypes
from pathlib import Path

import llama_cpp
import numpy as np

F32, F16 = 0, 1  # ggml's numbers of the cache types


def open_model(model: Path, **options) -> llama_cpp.Llama:
    return llama_cpp.Llama(str(model), verbose=False, **options)


def logits(model: Path, tokens: list[int], *, n_ctx: int, n_batch: int, cache_type: int, one_by_one: bool = False) -> np.ndarray:
    """Logits after every token, [n_tokens, vocab_size] float32; as one prompt, or decoded token by token."""
    llama = open_model(model, n_ctx=n_ctx, n_batch=n_batch, logits_all=True, type_k=cache_type, type_v=cache_type)
    for group in ([token] for token in tokens) if one_by_one else (tokens,):
        llama.eval(group)
    result = llama.scores[: len(tokens)].copy()
    llama.close()
    return result


def tokenize(llama: llama_cpp.Llama, text: str) -> list[int]:
    """Ids with control tokens read as ordinary text."""
    return llama.tokenize(text.encode("utf-8"), add_bos=False, special=False)


def prompt_tokens(llama: llama_cpp.Llama, text: str) -> list[int]:
    """The same, with bos where the model wants it."""
    return llama.tokenize(text.encode("utf-8"), add_bos=True, special=False)


def versions() -> dict[str, str]:
    """What the library says of itself."""
    library = llama_cpp.llama_cpp._lib
    said = {"llama-cpp-python": llama_cpp.__version__, "system_info": llama_cpp.llama_print_system_info().decode().strip(" |")}
    for name in ("ggml_version", "ggml_commit", "llama_version"):
        function = getattr(library, name, None)
        if function is not None:
            function.restype = ctypes.c_char_p
            said[name] = function().decode()
    return said
