#!/usr/bin/env python3
"""make_random_golden.py [FAMILY...]: writes tests/data/random/FAMILY.gguf and FAMILY.golden.bin: small models with random
weights and awkward widths, and the float64 evaluation of random ids longer than any window (layout: golden_format.py).

A golden file is written only where llama.cpp on the same weights in float32 agrees with the evaluation. llama.cpp rounds the
ends of YaRN's ramp in every family; where a family does not, the evaluation is compared with that rounding and written
without it.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import dequantize
import divergence
import f64_families
import f64_llama
import golden_format
import peer
import reference

HERE = Path(__file__).resolve().parent
OUTPUT = HERE.parent / "data" / "random"
F16 = "--embedding-type f16 --attention-type f16 --ffn-type f16"
WIDE = f"--hidden-size 40 --heads 3 --kv-heads 1 --head-dim 12 {F16}"    # head_dim is not hidden_size / heads
EVEN = f"--hidden-size 36 --heads 3 --kv-heads 1 --head-dim 12 {F16}"    # it is: some families have no key for it
EXPERTS = "--experts 6 --experts-used 2 --ffn 24 --layers 2 --vocab 275"
BLOCKS = "--hidden-size 64 --heads 2 --kv-heads 1 --head-dim 32 --ffn 32 --experts 6 --experts-used 2 --layers 2 --vocab 275"
YARN = "--rope-scaling yarn --rope-factor 8 --original-context 64"
FAMILIES = {
    "llama": f"--layers 2 --vocab 275 --ffn 56 --rope-theta 10000 --rope-scaling bands --rope-factor 8 --original-context 64 {WIDE}",
    "mixtral": f"{EXPERTS} {WIDE}",
    "qwen2": f"--layers 2 --vocab 275 --ffn 56 {EVEN}",
    "qwen3": f"--layers 2 --vocab 275 --ffn 56 {WIDE}",
    "qwen3moe": f"{EXPERTS} {YARN} {WIDE}",
    "qwen2moe": f"{EXPERTS} --shared-ffn 20 --output-type f16 {EVEN}",
    "olmoe": f"{EXPERTS} --output-type f16 {EVEN} --kv-heads 3",
    "granitemoe": f"{EXPERTS} {WIDE}",
    "gpt-oss": f"{EXPERTS} --rope-theta 150000 --window 9 --output-type f16 {YARN} {WIDE}",
    "gpt-oss-long": "--architecture gpt-oss --hidden-size 32 --heads 2 --kv-heads 1 --head-dim 64 --layers 2 --vocab 260 --experts 4 "
                    "--experts-used 2 --ffn 32 --window 128 --rope-theta 150000 --rope-scaling yarn --rope-factor 32 "
                    f"--original-context 4096 --context 131072 --attention-type q8_0 --embedding-type q8_0 --ffn-type mxfp4 --output-type q8_0",
    "gpt-oss-mxfp4": f"--architecture gpt-oss --window 33 --rope-theta 150000 {YARN} {F16} --output-type f16 "
                     f"--ffn-type mxfp4 {BLOCKS}",
    "qwen3moe-q4": f"--architecture qwen3moe --attention-type q8_0 --embedding-type q8_0 "
                   f"--ffn-type q4_0 --down-type q5_1 {BLOCKS}",
    "gemma3": "--layers 7 --vocab 290 --ffn 56 --window 9 --rope-theta 1000000 --rope-scaling linear --rope-factor 8 "
              f"--final-softcap 5 {WIDE}",
}
N_TOKENS, TOP_K = 513, 8
LONG, LONG_ROWS = 4300, 32      # only the last rows are kept
BOUND = 1e-9                    # of the mean divergence of two programs that compute the same
# llama.cpp's GELU is a table of float16, and its angles are float32.
BOUNDS = {"gemma3": 1e-6, "gpt-oss-long": 1e-7}


def peer_divergence(model: Path, tokens: list[int], truth: np.ndarray, folder: Path) -> float:
    copy = folder / "f32.gguf"
    dequantize.write_float32(model, copy)
    logits = peer.logits(copy, tokens, n_ctx=len(tokens) + 64, n_batch=512, cache_type=peer.F32)[-len(truth):]
    return float(divergence.kl(truth, f64_llama.log_softmax(logits.astype(np.float64))).mean())


def int8_figure(model: Path, tokens: list[int], truth: np.ndarray) -> dict[str, float]:
    """What 8-bit activations cost llama.cpp on the file as it is, over as many cells as the golden file has; `truth` with
    its own rounding of YaRN."""
    logits = peer.logits(model, tokens, n_ctx=len(tokens) + 64, n_batch=512, cache_type=peer.F16)
    figures = divergence.compare(truth, logits, divergence.top_tokens(truth, TOP_K), tokens[1:])
    return {"kl_partition_mean": figures["kl_partition_mean"],
            "kl_standard_error": figures["kl_full_standard_error"]}


def evaluate(evaluation, tokens: list[int], n_rows: int) -> np.ndarray:
    rows = np.concatenate(list(evaluation.logits(tokens)))[-n_rows:]
    return f64_llama.log_softmax(rows)


def make(name: str, options: str) -> None:
    model = OUTPUT / f"{name}.gguf"
    if "--architecture" not in options:
        options = f"--architecture {name} {options}"
    subprocess.run([sys.executable, str(HERE / "random_model.py"), str(model), *options.split()], check=True)
    n_vocab = reference.vocab_size(model)
    n_tokens, n_rows = (LONG, LONG_ROWS) if name.endswith("-long") else (N_TOKENS, N_TOKENS)
    tokens = np.random.default_rng(7).integers(0, n_vocab, n_tokens).tolist()
    evaluation = reference.open_evaluation(model)
    truth = evaluate(evaluation, tokens, n_rows)
    compared = truth
    if isinstance(evaluation, f64_families.Decoder) and not evaluation.truncated_yarn:
        compared = evaluate(f64_families.Decoder(model, truncated_yarn=True), tokens, n_rows)
    with tempfile.TemporaryDirectory() as folder:
        distance = peer_divergence(model, tokens, compared, Path(folder))
    print(f"{name}: llama.cpp's mean KL divergence {distance:.2g} over {n_rows} positions")
    if not distance < BOUNDS.get(name, BOUND):
        raise SystemExit(f"{name}: the evaluation and llama.cpp differ; nothing is written")
    if name.endswith(("-mxfp4", "-q4")):
        (OUTPUT / f"{name}.peer.json").write_text(json.dumps(int8_figure(model, tokens, compared), indent=2) + "\n")
    golden_format.write(OUTPUT / f"{name}.golden.bin", tokens, n_vocab, divergence.top_tokens(truth, TOP_K))


def main() -> None:
    OUTPUT.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[1:] or FAMILIES:
        make(name, FAMILIES[name])


if __name__ == "__main__":
    main()
