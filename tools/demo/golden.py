"""Writes golden.json: what any other implementation has to reproduce on demo.gguf.

`python golden.py demo.gguf heldout.txt golden.json`
"""

import hashlib
import json
import os
import sys

import numpy as np

from evaluate import Model, perplexity

PROMPTS = [
    "The little cat",
    "Once there was a",
    "Anna",
    "It was a rainy day.",
    "Ben has a red ball. Mia has a blue hat. What colour is the ball?",
    "One day the old bear",
]
CONTINUATION = 32


def case(model, prompt):
    ids = model.encode(prompt)
    z = model.logits(ids)[-1]
    top = np.argsort(-z, kind="stable")[:5]
    out = model.generate(ids, CONTINUATION)
    path = np.sort(model.logits(ids + out)[len(ids) - 1 : -1], axis=-1)
    margin = (path[:, -1] - path[:, -2]).min()
    return {
        "prompt": prompt,
        "prompt_ids": ids,
        "greedy_ids": out,
        "greedy_text": model.decode(out),
        "smallest_margin": round(float(margin), 6),
        "top5": [{"id": int(i), "logit": round(float(z[i]), 6)} for i in top],
    }


def main(gguf_path, text_path, out_path):
    model = Model(gguf_path)
    with open(text_path, encoding="utf-8") as f:
        ppl, count = perplexity(model, f.read())
    with open(gguf_path, "rb") as f:
        digest = hashlib.sha256(f.read()).hexdigest()
    golden = {
        "generator": "tools/demo/golden.py (numpy float64)",
        "model": os.path.basename(gguf_path),
        "sha256": digest,
        "perplexity": {
            "text": os.path.basename(text_path),
            "value": round(ppl, 5),
            "tokens": count,
            "definition": "documents split at blank lines; each is BOS + tokens from an empty context; all "
            "tokens after BOS counted; exp(mean negative log-likelihood)",
        },
        "note": "prompt_ids begin with BOS; greedy_ids go on past an end token; smallest_margin is the least lead "
        "of the first logit over the second along greedy_ids; top5 is for the last prompt position",
        "cases": [case(model, p) for p in PROMPTS],
    }
    # One line per case keeps the id lists readable.
    head = json.dumps({k: v for k, v in golden.items() if k != "cases"}, indent=2)[:-2]
    cases = ",\n".join("    " + json.dumps(c) for c in golden["cases"])
    with open(out_path, "w", encoding="utf-8") as f:
        f.write(f'{head},\n  "cases": [\n{cases}\n  ]\n}}\n')


if __name__ == "__main__":
    main(*sys.argv[1:4])
