"""Qwen3-MoE in plain numpy float64, straight from its definition, over the weights of the GGUF file.

`python evaluate.py demo.gguf heldout.txt` prints the perplexity, defined as follows.

* The text is split at blank lines into documents; white space around a document is dropped.
* A document is the BOS token followed by its tokens, evaluated from an empty context.
* Every token after BOS is counted once, with the natural logarithm of its probability given all
  tokens before it. BOS itself is not predicted, and no token is added after the document.
* Perplexity = exp(-sum of those logarithms / their number), over all documents together.
"""

import sys

import gguf
import numpy as np
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers

from stories import documents
from tokenizer import SPLIT


class Model:
    def __init__(self, path):
        reader = gguf.GGUFReader(path)
        self.meta = {name: field.contents() for name, field in reader.fields.items()}
        key = lambda name: self.meta[f"{self.meta['general.architecture']}.{name}"]
        assert self.meta["general.architecture"] == "qwen3moe"
        self.n_layers, self.n_heads, self.n_kv_heads = (
            key("block_count"),
            key("attention.head_count"),
            key("attention.head_count_kv"),
        )
        self.head_dim, self.experts_used = key("attention.key_length"), key("expert_used_count")
        self.rope_theta, self.rms_eps = key("rope.freq_base"), key("attention.layer_norm_rms_epsilon")
        self.context_length = key("context_length")
        self.w = {
            t.name.removesuffix(".weight"): gguf.quants.dequantize(t.data, t.tensor_type).astype(np.float64)
            for t in reader.tensors
        }
        self.eos = self.meta["tokenizer.ggml.eos_token_id"]
        self.bos = self.meta["tokenizer.ggml.bos_token_id"]
        self.tokenizer = self._tokenizer()

    def _tokenizer(self):
        """Built from the file alone."""
        tokens = self.meta["tokenizer.ggml.tokens"]
        types = self.meta["tokenizer.ggml.token_type"]
        plain = {t: i for i, t in enumerate(tokens) if types[i] == gguf.TokenType.NORMAL}
        merges = [tuple(m.split(" ")) for m in self.meta["tokenizer.ggml.merges"]]
        tok = Tokenizer(models.BPE(vocab=plain, merges=merges))
        tok.pre_tokenizer = pre_tokenizers.Sequence(
            [
                pre_tokenizers.Split(Regex(SPLIT), "isolated"),
                pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
            ]
        )
        tok.decoder = decoders.ByteLevel()
        return tok

    def encode(self, text):
        """BOS and the tokens of the text."""
        return [self.bos] + self.tokenizer.encode(text).ids

    def decode(self, ids):
        return self.tokenizer.decode([i for i in ids if i != self.eos])

    def _rms(self, x, weight):
        return x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + self.rms_eps) * weight

    def _rope(self, x):
        """x: [time, head, head_dim]; element i is rotated with element i + head_dim / 2."""
        half = self.head_dim // 2
        angle = np.arange(x.shape[0])[:, None] * self.rope_theta ** (-np.arange(half) / half)
        c, s = np.cos(angle)[:, None, :], np.sin(angle)[:, None, :]
        a, b = x[..., :half], x[..., half:]
        return np.concatenate([a * c - b * s, b * c + a * s], axis=-1)

    def _attention(self, i, x):
        w = lambda name: self.w[f"blk.{i}.attn_{name}"]
        t = x.shape[0]
        heads = lambda name: (x @ w(name).T).reshape(t, -1, self.head_dim)
        q = self._rope(self._rms(heads("q"), w("q_norm")))
        k = self._rope(self._rms(heads("k"), w("k_norm")))
        v = heads("v")
        out = np.empty((t, self.n_heads, self.head_dim))
        for h in range(self.n_heads):
            g = h * self.n_kv_heads // self.n_heads
            s = q[:, h] @ k[:, g].T / np.sqrt(self.head_dim)
            s[np.triu_indices(t, 1)] = -np.inf
            out[:, h] = softmax(s) @ v[:, g]
        return out.reshape(t, -1) @ w("output").T

    def _experts(self, i, x):
        w = lambda name: self.w[f"blk.{i}.ffn_{name}"]
        probs = softmax(x @ w("gate_inp").T)
        out = np.zeros_like(x)
        for t in range(x.shape[0]):
            chosen = np.argsort(-probs[t], kind="stable")[: self.experts_used]
            weights = probs[t, chosen] / probs[t, chosen].sum()
            for e, share in zip(chosen, weights):
                gate, up = w("gate_exps")[e] @ x[t], w("up_exps")[e] @ x[t]
                out[t] += share * (w("down_exps")[e] @ (gate / (1 + np.exp(-gate)) * up))
        return out

    def logits(self, ids):
        """Logits after every token. [time, vocab]"""
        x = self.w["token_embd"][ids]
        for i in range(self.n_layers):
            x = x + self._attention(i, self._rms(x, self.w[f"blk.{i}.attn_norm"]))
            x = x + self._experts(i, self._rms(x, self.w[f"blk.{i}.ffn_norm"]))
        return self._rms(x, self.w["output_norm"]) @ self.w["token_embd"].T

    def generate(self, ids, count, temperature=0.0, rng=None):
        """The next `count` tokens, greedy at temperature 0. The end token does not stop it."""
        out = []
        for _ in range(count):
            z = self.logits(ids + out)[-1]
            out.append(
                int(z.argmax() if temperature == 0 else rng.choice(len(z), p=softmax(z / temperature)))
            )
        return out


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def perplexity(model, text):
    """(perplexity, counted tokens), as the head of this file defines it."""
    total, count = 0.0, 0
    for doc in documents(text):
        ids = model.encode(doc)
        p = softmax(model.logits(ids[:-1]))
        total -= np.log(p[np.arange(len(ids) - 1), ids[1:]]).sum()
        count += len(ids) - 1
    return float(np.exp(total / count)), count


if __name__ == "__main__":
    with open(sys.argv[2], encoding="utf-8") as f:
        ppl, n = perplexity(Model(sys.argv[1]), f.read())
    print(f"perplexity {ppl:.5f} over {n} tokens")
