"""How far an engine's next-token distributions are from the reference's, position by position."""
from dataclasses import dataclass

import numpy as np

from f64_llama import log_softmax

Array = np.ndarray
PREFIX_STEP = 128


@dataclass(frozen=True)
class Top:
    """The reference's most probable tokens: ids and log-probabilities [n, k], and the log of all other mass [n]."""
    ids: Array
    log_probs: Array
    log_rest: Array


def log_mass_outside(log_probs: Array, ids: Array) -> Array:
    """log of the summed probability of every token but ids, from float64 log-probabilities of one chunk."""
    mass = np.exp(log_probs)
    np.put_along_axis(mass, ids, 0.0, axis=-1)
    # Summing what is left keeps the digits that 1 - sum(top) would cancel.
    return np.log(np.maximum(mass.sum(axis=-1), np.finfo(np.float64).tiny))


def top_tokens(log_probs: Array, k: int) -> Top:
    """Most probable first; of equals the lower id."""
    rows = []
    for row in log_probs:
        row = np.asarray(row, np.float64)
        row -= np.log(np.exp(row).sum())
        best = np.argpartition(-row, k)[:k]
        best = best[np.lexsort((best, -row[best]))]
        rows.append((best, row[best], log_mass_outside(row[None], best[None])[0]))
    ids, top, rest = zip(*rows)
    return Top(np.array(ids), np.array(top), np.array(rest))


def kl(p_log: Array, q_log: Array) -> Array:
    """KL(p || q) along the last axis, in nats."""
    return np.sum(np.exp(p_log) * (p_log - q_log), axis=-1)


def perplexity(log_probs: Array, targets: list[int]) -> float:
    """targets[i] is the token that follows position i."""
    n = min(len(log_probs), len(targets))
    return float(np.exp(-np.mean(np.asarray(log_probs[np.arange(n), targets[:n]], np.float64)))) if n else float("nan")


def compare(reference: Array, logits: Array, top: Top, targets: list[int], chunk: int = 128) -> dict:
    """Figures over the positions of logits, which may be fewer than the reference's.

    kl_partition merges everything outside top.ids into one cell; it is at most kl_full, and what a reader of the golden
    file can compute. targets[i] is the token that follows position i, for the perplexity.
    """
    n = len(logits)
    full, partition, agree, said = [], [], [], []
    for begin in range(0, n, chunk):
        end = min(begin + chunk, n)
        p = log_softmax(np.asarray(reference[begin:end], np.float64))
        q = log_softmax(np.asarray(logits[begin:end], np.float64))
        ids = top.ids[begin:end]
        full.append(kl(p, q))
        p_cells = np.column_stack([top.log_probs[begin:end], top.log_rest[begin:end]])
        q_cells = np.column_stack([np.take_along_axis(q, ids, -1), log_mass_outside(q, ids)])
        partition.append(kl(p_cells, q_cells))
        agree.append(ids[:, 0] == np.argmax(q, axis=-1))
        following = np.array(targets[begin:end], np.int64)
        said.append(q[np.arange(len(following)), following])
    full, partition, agree = (np.concatenate(parts) for parts in (full, partition, agree))
    by_prefix = np.cumsum(partition) / np.arange(1, n + 1)
    return {
        "positions": n,
        "kl_full_mean": float(full.mean()),
        "kl_full_standard_error": float(full.std(ddof=1) / np.sqrt(n)) if n > 1 else None,
        "kl_full_median": float(np.median(full)),
        "kl_full_p99": float(np.quantile(full, 0.99)),
        "kl_full_max": float(full.max()),
        "kl_partition_mean": float(partition.mean()),
        "kl_partition_max": float(partition.max()),
        # Of the first so many positions: what an engine that stops early is held to.
        "kl_partition_mean_of_first": {str(i): float(by_prefix[i - 1]) for i in range(PREFIX_STEP, n, PREFIX_STEP)},
        "top1_agreement": float(agree.mean()),
        "top1_standard_error": float(np.sqrt(agree.mean() * (1 - agree.mean()) / n)),
        "perplexity": float(np.exp(-np.mean(np.concatenate(said)))),
    }
