#!/usr/bin/env python3
"""make_golden.py MODEL.gguf [--text TEXT] [--output FOLDER]: writes golden.bin and golden.json.

golden.bin is the double-precision evaluation's (layout: golden_format.py). golden.json names everything that made it and
holds the figures of the peer, llama.cpp, against it on the same file and tokens.
"""
import argparse
import hashlib
import json
import os
import platform
import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np

import dequantize
import divergence
import golden_format
import peer
import prompt
import reference

DATA = Path(__file__).resolve().parent.parent / "data"
TOP_K = 64
PEER_CONTEXT, PEER_BATCH, PEER_DECODED = 2560, 512, 256
# The wheel does not keep the flags of its build; this is how the one that was measured was built (README.md).
PEER_CMAKE_ARGS = "-DGGML_NATIVE=ON -DGGML_LLAMAFILE=ON -DLLAMA_BUILD_EXAMPLES=OFF"


def peer_figures(model: Path, tokens: list[int], truth: np.ndarray, top: divergence.Top) -> dict:
    def figures(n: int, **settings) -> dict:
        logits = peer.logits(model, tokens[:n], n_ctx=PEER_CONTEXT, n_batch=PEER_BATCH, **settings)
        return divergence.compare(truth, logits, top, tokens[1:n])

    n = len(tokens)
    return {
        "engine": "llama.cpp through llama-cpp-python",
        **peer.versions(),
        "cmake_args": PEER_CMAKE_ARGS,
        "processor": processor(),
        "settings": {"n_ctx": PEER_CONTEXT, "n_batch": PEER_BATCH, "logits_all": True, "flash_attn": False,
                     "n_threads": max(os.cpu_count() // 2, 1), "n_threads_batch": os.cpu_count(),
                     "others": "defaults of llama_cpp.Llama"},
        "runs": {
            "prefill_kv_f16": figures(n, cache_type=peer.F16),
            "prefill_kv_f32": figures(n, cache_type=peer.F32),
            "prefill_kv_f16_first_positions": figures(PEER_DECODED, cache_type=peer.F16),
            "decode_kv_f16_first_positions": figures(PEER_DECODED, cache_type=peer.F16, one_by_one=True),
        },
    }


def reference_check(model: Path, tokens: list[int], truth: np.ndarray, top: divergence.Top) -> dict:
    """The peer on the same weights in float32: what is left is float32 arithmetic, so it vouches for the reference."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "float32.gguf"
        dequantize.write_float32(model, copy)
        logits = peer.logits(copy, tokens, n_ctx=PEER_CONTEXT, n_batch=PEER_BATCH, cache_type=peer.F32)
    return {"what": "the peer on the file's weights as float32, with a float32 cache",
            **divergence.compare(truth, logits, top, tokens[1:])}


def processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("model", type=Path)
    arguments.add_argument("--text", type=Path, default=DATA / "smollm2" / "text.txt")
    arguments.add_argument("--output", type=Path, default=DATA / "smollm2")
    options = arguments.parse_args()

    text = options.text.read_text(encoding="utf-8")
    tokens = prompt.tokens(options.model, text)
    if peer.prompt_tokens(peer.open_model(options.model, vocab_only=True), text) != tokens:
        raise SystemExit("the two outside tokenizers disagree on the text")

    truth = reference.log_probs(options.model, tokens)
    top = divergence.top_tokens(truth, TOP_K)
    golden_format.write(options.output / "golden.bin", tokens, truth.shape[1], top)
    described = {
        "made_by": "tests/oracle/make_golden.py",
        "model": {"file": options.model.name, "bytes": options.model.stat().st_size, "sha256": reference.sha256(options.model)},
        "text": {"file": options.text.name, "sha256": hashlib.sha256(text.encode()).hexdigest()},
        "golden_bin": {
            "format": golden_format.__doc__.splitlines()[2:],
            "sha256": reference.sha256(options.output / "golden.bin"),
            "n_positions": len(tokens), "top_k": TOP_K, "vocab_size": truth.shape[1],
        },
        "reference": {
            "evaluation": f"float64, {reference.file_of_evaluation(options.model)}",
            "versions": {name: version(name) for name in ("gguf", "numpy", "tokenizers", "sentencepiece")},
            "perplexity": divergence.perplexity(truth, tokens[1:]),
            "log_rest_mean": float(top.log_rest.mean()),
            "rest_mass_mean": float(np.exp(top.log_rest).mean()),
        },
        "reference_check": reference_check(options.model, tokens, truth, top),
        "peer": peer_figures(options.model, tokens, truth, top),
        "tokens": tokens,
    }
    with open(options.output / "golden.json", "w", encoding="ascii") as out:
        # One list of ids, not one id a line.
        shown = json.dumps({**described, "tokens": []}, indent=2)
        out.write(shown.replace('"tokens": []', f'"tokens": {json.dumps(tokens)}') + "\n")
    for name, figures in described["peer"]["runs"].items():
        print(name, {key: figures[key] for key in ("kl_full_mean", "kl_partition_mean", "top1_agreement")})


if __name__ == "__main__":
    main()
