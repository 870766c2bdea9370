"""Trains the demo model: `python train.py --out demo.gguf`. About half an hour on one core.

The seeds fix the text, the tokenizer, the starting weights and the order of the batches. The last
part of the training rounds the weights to the formats of the file in every step.
"""

import argparse
import os
import time

# One thread: the sums are then always formed in the same order.
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import jax
import jax.numpy as jnp
import numpy as np

import export
import tokenizer
from model import Config, init, train_step
from stories import documents, stories

SEED_HELDOUT, SEED_TRAIN, SEED_WEIGHTS, SEED_ORDER = 7001, 1, 2, 3
HERE = os.path.dirname(os.path.abspath(__file__))
DEMO = os.path.join(HERE, "..", "..", "configs", "demo")


def heldout_text(count=90):
    return "\n\n".join(stories(SEED_HELDOUT, count)) + "\n"


class Batches:
    """Rows of `length` + 1 tokens. Every row starts at the start of a story."""

    def __init__(self, encoded, end):
        self.encoded, self.end = encoded, end
        self.rng, self.order = np.random.default_rng(SEED_ORDER), []

    def _next(self):
        if not self.order:
            self.order = list(self.rng.permutation(len(self.encoded)))
        return self.encoded[self.order.pop()]

    def batch(self, rows, length):
        out = np.empty((rows, length + 1), np.int32)
        for row in out:
            line = []
            while len(line) <= length:
                line.append(self.end)
                line.extend(self._next())
            row[:] = line[: length + 1]
        return out


def rate(step, steps, peak):
    """Linear warm-up, then a straight line down."""
    return peak * min((step + 1) / 100, (steps - step) / (steps * 0.9), 1.0)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--out", default=os.path.join(DEMO, "demo.gguf"))
    ap.add_argument("--steps", type=int, default=3400)
    ap.add_argument("--stories", type=int, default=120000)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--quantised", type=float, default=0.25, help="share of the steps with rounded weights")
    ap.add_argument(
        "--long", type=float, default=0.08, help="share of the steps with rows of full context length"
    )
    ap.add_argument("--save-every", type=int, default=0)
    args = ap.parse_args()

    cfg = Config()
    held = heldout_text()
    with open(os.path.join(DEMO, "heldout.txt"), "w", encoding="utf-8") as f:
        f.write(held)
    texts = stories(SEED_TRAIN, args.stories, without=documents(held))
    tok = tokenizer.train(texts[:20000], cfg.vocab_size)
    encoded = [e.ids for e in tok.encode_batch(texts)]
    print(f"{len(texts)} stories, {sum(map(len, encoded))} tokens", flush=True)

    batches = Batches(encoded, tok.token_to_id(tokenizer.END))
    params = jax.tree.map(jnp.asarray, init(cfg, SEED_WEIGHTS))
    opt = {
        "m": jax.tree.map(jnp.zeros_like, params),
        "v": jax.tree.map(jnp.zeros_like, params),
        "step": jnp.float32(0),
    }
    begin, mean = time.time(), []
    for step in range(args.steps):
        # A long row costs more attention but holds as many tokens in all.
        rows, length = (3, cfg.context_length) if step >= args.steps * (1 - args.long) else (12, 128)
        quantised = step >= args.steps * (1 - args.quantised)
        ids = jnp.asarray(batches.batch(rows, length))
        params, opt, ce, shares = train_step(
            params, opt, ids, jnp.float32(rate(step, args.steps, args.lr)), cfg, quantised
        )
        mean.append(float(ce))
        if step % 100 == 99 or step == 9:
            low, high = float(shares.min()), float(shares.max())
            print(
                f"step {step + 1} loss {np.mean(mean):.4f} expert share {low:.3f}..{high:.3f} "
                f"{time.time() - begin:.0f} s",
                flush=True,
            )
            mean = []
        if args.save_every and step % args.save_every == args.save_every - 1:
            export.write(args.out, jax.device_get(params), cfg, tok)
    export.write(args.out, jax.device_get(params), cfg, tok)


if __name__ == "__main__":
    main()
