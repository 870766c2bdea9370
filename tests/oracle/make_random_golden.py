#!/usr/bin/env python3
"""make_random_golden.py: writes tests/data/random/FAMILY.gguf and FAMILY.golden.bin: small models with random weights and
awkward widths, and the float64 evaluation of random ids longer than the sliding window (layout: golden_format.py)."""
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import divergence
import golden_format
import reference

HERE = Path(__file__).resolve().parent
OUTPUT = HERE.parent / "data" / "random"
SIZES = "--hidden-size 40 --heads 3 --kv-heads 1 --head-dim 12 --ffn 56 --embedding-type f16 --attention-type f16 --ffn-type f16"
FAMILIES = {
    "qwen3": f"--architecture qwen3 --layers 2 --vocab 275 {SIZES}",
    "gemma3": f"--architecture gemma3 --layers 7 --vocab 290 --window 9 --rope-theta 1000000 --rope-factor 8 --final-softcap 5 {SIZES}",
}
N_TOKENS, TOP_K = 70, 24


def main() -> None:
    OUTPUT.mkdir(parents=True, exist_ok=True)
    for name, options in FAMILIES.items():
        model = OUTPUT / f"{name}.gguf"
        subprocess.run([sys.executable, str(HERE / "random_model.py"), str(model), *options.split()], check=True)
        n_vocab = reference.vocab_size(model)
        tokens = np.random.default_rng(7).integers(0, n_vocab, N_TOKENS).tolist()
        with tempfile.TemporaryDirectory() as folder:
            truth = reference.log_probs(model, tokens, Path(folder))
            golden_format.write(OUTPUT / f"{name}.golden.bin", tokens, n_vocab, divergence.top_tokens(truth, TOP_K))


if __name__ == "__main__":
    main()
