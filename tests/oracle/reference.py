"""Log-probabilities of the double-precision evaluation, computed once per model and text and kept as float32."""
import hashlib
import os
import sys
from pathlib import Path

import gguf
import numpy as np

import f64_experts
import f64_families
import f64_gemma3
import f64_llama
import f64_parts
import f64_qwen3
import f64_rope

CACHE = Path(os.environ.get("TENON_ORACLE_CACHE", Path.home() / ".cache" / "tenon" / "oracle"))
EVALUATIONS = {"llama": f64_llama.Llama, "qwen3": f64_qwen3.Qwen3, "gemma3": f64_gemma3.Gemma3,
               **{name: f64_families.Decoder for name in ("qwen2", "qwen3moe", "qwen2moe", "olmoe", "granitemoe", "gpt-oss")}}
MODULES = (f64_llama, f64_parts, f64_rope, f64_qwen3, f64_gemma3, f64_experts, f64_families)


def sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def open_evaluation(model: Path):
    reader = gguf.GGUFReader(model)
    architecture = reader.get_field("general.architecture").contents()
    scaled = reader.get_field(f"{architecture}.rope.scaling.type")
    # The evaluations of one family each know neither experts nor YaRN.
    if reader.get_field(f"{architecture}.expert_count") or (scaled and scaled.contents() == "yarn"):
        return f64_families.Decoder(model)
    if architecture not in EVALUATIONS:
        raise ValueError(f"architecture {architecture} is none of {', '.join(EVALUATIONS)}")
    return EVALUATIONS[architecture](model)


def file_of_evaluation(model: Path) -> str:
    return Path(sys.modules[type(open_evaluation(model)).__module__].__file__).name


def vocab_size(model: Path) -> int:
    return len(gguf.GGUFReader(model).get_field("tokenizer.ggml.tokens").data)


def log_probs(model: Path, tokens: list[int], cache: Path = CACHE) -> np.ndarray:
    """[n_positions, vocab_size], memory-mapped. Rounding to float32 moves a log-probability by less than 1e-6."""
    evaluators = b"".join(Path(m.__file__).read_bytes() for m in MODULES)
    key = hashlib.sha256(sha256(model).encode() + np.array(tokens, "<u4").tobytes() + evaluators).hexdigest()[:16]
    path = cache / f"{model.stem}-{key}.npy"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        evaluation = open_evaluation(model)
        partial = path.with_suffix(".partial.npy")
        rows = np.lib.format.open_memmap(partial, "w+", np.float32, (len(tokens), vocab_size(model)))
        begin = 0
        for logits in evaluation.logits(tokens):
            rows[begin:begin + len(logits)] = f64_llama.log_softmax(logits)
            begin += len(logits)
        rows.flush()
        del rows
        partial.rename(path)  # a run that was cut short leaves no whole-looking file
    return np.load(path, mmap_mode="r")
