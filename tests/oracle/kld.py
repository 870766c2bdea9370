#!/usr/bin/env python3
"""kld.py MODEL.gguf TEXT LOGITS: how far an engine is from the double-precision evaluation of the same file.

LOGITS is raw little-endian f32 [n_positions, vocab_size]: the engine's logits after every token of the text, teacher-forced
in one window. It may stop early. The reference's log-probabilities are computed on the first run and kept in a cache.
"""
import argparse
import json
from pathlib import Path

import numpy as np

import divergence
import prompt
import reference


def read_logits(path: Path, vocab_size: int, n_tokens: int) -> np.ndarray:
    row = 4 * vocab_size
    size = path.stat().st_size
    if size == 0 or size % row != 0 or size // row > n_tokens:
        raise SystemExit(f"{path} has {size} bytes: not 1 to {n_tokens} rows of {vocab_size} float32")
    logits = np.memmap(path, "<f4", "r", shape=(size // row, vocab_size))
    for i, position in enumerate(logits):
        if not np.all(np.isfinite(position)):
            raise SystemExit(f"{path}: a logit at position {i} is not finite")
    return logits


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("model", type=Path)
    arguments.add_argument("text", type=Path)
    arguments.add_argument("logits", type=Path)
    arguments.add_argument("--top", type=int, default=64, help="cells of the partition besides the rest")
    arguments.add_argument("--cache", type=Path, default=reference.CACHE)
    arguments.add_argument("--json", action="store_true")
    options = arguments.parse_args()

    tokens = prompt.tokens(options.model, options.text.read_text(encoding="utf-8"))
    truth = reference.log_probs(options.model, tokens, options.cache)
    logits = read_logits(options.logits, truth.shape[1], len(tokens))
    top = divergence.top_tokens(truth[: len(logits)], options.top)
    figures = divergence.compare(truth, logits, top, tokens[1:])
    figures["perplexity_reference"] = divergence.perplexity(truth[: len(logits)], tokens[1:])
    if options.json:
        print(json.dumps(figures))
        return
    print(f"positions            {figures['positions']}")
    print(f"mean KL, vocabulary  {figures['kl_full_mean']:.4g} ± {figures['kl_full_standard_error'] or 0:.1g} nats "
          f"(median {figures['kl_full_median']:.4g}, 99 % {figures['kl_full_p99']:.4g}, most {figures['kl_full_max']:.4g})")
    print(f"mean KL, {options.top + 1} cells    {figures['kl_partition_mean']:.4g}")
    print(f"top-1 agreement      {100 * figures['top1_agreement']:.2f} %")
    print(f"perplexity           {figures['perplexity']:.4f}; of the reference {figures['perplexity_reference']:.4f}")


if __name__ == "__main__":
    main()
