"""Log-probabilities of the double-precision evaluation, computed once per model and text and kept as float32."""
import hashlib
import os
from pathlib import Path

import numpy as np

import f64_llama

CACHE = Path(os.environ.get("TENON_ORACLE_CACHE", Path.home() / ".cache" / "tenon" / "oracle"))


def sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def log_probs(model: Path, tokens: list[int], cache: Path = CACHE) -> np.ndarray:
    """[n_positions, vocab_size], memory-mapped. Rounding to float32 moves a log-probability by less than 1e-6."""
    evaluator = Path(f64_llama.__file__).read_bytes()
    key = hashlib.sha256(sha256(model).encode() + np.array(tokens, "<u4").tobytes() + evaluator).hexdigest()[:16]
    path = cache / f"{model.stem}-{key}.npy"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        llama = f64_llama.Llama(model)
        partial = path.with_suffix(".partial.npy")
        rows = np.lib.format.open_memmap(partial, "w+", np.float32, (len(tokens), llama.config.vocab_size))
        begin = 0
        for logits in llama.logits(tokens):
            rows[begin:begin + len(logits)] = f64_llama.log_softmax(logits)
            begin += len(logits)
        rows.flush()
        del rows
        partial.rename(path)  # a run that was cut short leaves no whole-looking file
    return np.load(path, mmap_mode="r")
