"""The Qwen3-MoE shape in JAX, for training only; evaluate.py holds the definition in plain numpy."""

from dataclasses import asdict, dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from mxfp4 import mxfp4_round, q8_0_round


@dataclass(frozen=True)
class Config:
    vocab_size: int = 1024
    hidden_size: int = 128
    n_layers: int = 4
    n_heads: int = 4
    n_kv_heads: int = 2
    head_dim: int = 32
    n_experts: int = 8
    experts_used: int = 2
    expert_size: int = 128
    context_length: int = 512
    rope_theta: float = 10000.0
    rms_eps: float = 1e-6

    def as_dict(self):
        return asdict(self)


def init(cfg, seed):
    """Weights as [out, in] matrices, the orientation of the file."""
    rng = np.random.default_rng(seed)

    def mat(*shape, gain=1.0):
        return (rng.standard_normal(shape) * gain / np.sqrt(shape[-1])).astype(np.float32)

    h, hd, f, n = cfg.hidden_size, cfg.head_dim, cfg.expert_size, cfg.n_experts
    depth = 1 / np.sqrt(2 * cfg.n_layers)
    layers = [
        {
            "attn_norm": np.ones(h, np.float32),
            "ffn_norm": np.ones(h, np.float32),
            "attn_q_norm": np.ones(hd, np.float32),
            "attn_k_norm": np.ones(hd, np.float32),
            "attn_q": mat(cfg.n_heads * hd, h),
            "attn_k": mat(cfg.n_kv_heads * hd, h),
            "attn_v": mat(cfg.n_kv_heads * hd, h),
            "attn_output": mat(h, cfg.n_heads * hd, gain=depth),
            "ffn_gate_inp": mat(n, h, gain=0.5),
            "ffn_gate_exps": mat(n, f, h),
            "ffn_up_exps": mat(n, f, h),
            "ffn_down_exps": mat(n, h, f, gain=depth),
        }
        for _ in range(cfg.n_layers)
    ]
    return {
        "token_embd": mat(cfg.vocab_size, h, gain=0.6),
        "output_norm": np.ones(h, np.float32),
        "layers": layers,
    }


def quant_kind(name):
    """How the file stores a weight."""
    if name.endswith("_exps"):
        return "mxfp4"
    if name == "token_embd" or name.startswith("attn_") and not name.endswith("norm"):
        return "q8_0"
    return "f32"


def fake_quant(params):
    """Weights as the file will hold them; the gradient passes straight through the rounding."""

    def one(path, w):
        kind = quant_kind(path[-1].key)
        if kind == "f32":
            return w
        r = (mxfp4_round if kind == "mxfp4" else q8_0_round)(jnp, jax.lax.stop_gradient(w))[0].reshape(
            w.shape
        )
        return w + (r - jax.lax.stop_gradient(w))

    return jax.tree_util.tree_map_with_path(one, params)


def rms(x, weight, eps):
    return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + eps) * weight


def rope(x, cfg):
    """Rotates the two halves of each head (the NEOX pairing). x: [batch, time, head, head_dim]."""
    half = cfg.head_dim // 2
    freq = cfg.rope_theta ** (-np.arange(half) / half)
    angle = np.arange(x.shape[1])[:, None] * freq
    c, s = (jnp.asarray(f(angle), x.dtype)[None, :, None, :] for f in (np.cos, np.sin))
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * c - b * s, b * c + a * s], axis=-1)


def attention(p, x, cfg):
    bsz, t, _ = x.shape

    def heads(weight, n):
        return (x @ weight.T).reshape(bsz, t, n, cfg.head_dim)

    q = rope(rms(heads(p["attn_q"], cfg.n_heads), p["attn_q_norm"], cfg.rms_eps), cfg)
    k = rope(rms(heads(p["attn_k"], cfg.n_kv_heads), p["attn_k_norm"], cfg.rms_eps), cfg)
    v = heads(p["attn_v"], cfg.n_kv_heads)
    group = cfg.n_heads // cfg.n_kv_heads
    q, k, v = (y.transpose(0, 2, 1, 3) for y in (q, jnp.repeat(k, group, 2), jnp.repeat(v, group, 2)))
    scores = q @ k.swapaxes(2, 3) * cfg.head_dim**-0.5 + np.triu(np.full((t, t), -1e30, np.float32), 1)
    e = jnp.exp(scores - jax.lax.stop_gradient(scores.max(axis=-1, keepdims=True)))
    out = (e @ v / e.sum(axis=-1, keepdims=True)).transpose(0, 2, 1, 3)
    return out.reshape(bsz, t, -1) @ p["attn_output"].T


# Tokens go to experts through fixed-size buffers ("slots"). Both directions, and both gradients,
# are gathers: a scatter is slow on a CPU. Index N (one past the end) reads a row of zeros.


def _rows(x, index):
    return jnp.concatenate([x, jnp.zeros((1, x.shape[1]), x.dtype)])[index]


@jax.custom_vjp
def dispatch(x, slot_pair, pair_slot):
    """Rows of tokens to slots. x: [tokens, hidden]; slot_pair: [slots]; pair_slot: [tokens, used]."""
    used = pair_slot.shape[1]
    return _rows(x, jnp.minimum(slot_pair // used, x.shape[0]))


def _dispatch_bwd(res, g):
    _, pair_slot = res
    return _rows(g, pair_slot).sum(axis=1), None, None


dispatch.defvjp(lambda x, sp, ps: (dispatch(x, sp, ps), (sp, ps)), _dispatch_bwd)


@jax.custom_vjp
def collect(y, slot_pair, pair_slot):
    """Rows of slots back to [tokens, used, hidden]."""
    return _rows(y, pair_slot)


def _collect_bwd(res, g):
    slot_pair, _ = res
    return _rows(g.reshape(-1, g.shape[-1]), slot_pair), None, None


collect.defvjp(lambda y, sp, ps: (collect(y, sp, ps), (sp, ps)), _collect_bwd)


@jax.custom_vjp
def lookup(table, ids):
    """Rows of the embedding table; the gradient is a product with a one-hot matrix, again no scatter."""
    return table[ids]


def _lookup_bwd(res, g):
    ids, n = res
    one_hot = jax.nn.one_hot(ids.reshape(-1), n, axis=0, dtype=g.dtype)
    return one_hot @ g.reshape(-1, g.shape[-1]), None


lookup.defvjp(lambda table, ids: (table[ids], (ids, table.shape[0])), _lookup_bwd)


def route(probs, cfg, capacity):
    """Top experts of each token, the slot of each (token, expert) pair and the pair of each slot."""
    t = probs.shape[0]
    top, ids = jax.lax.top_k(probs, cfg.experts_used)
    flat = ids.reshape(-1)
    one_hot = jax.nn.one_hot(flat, cfg.n_experts, dtype=jnp.int32)
    place = jnp.take_along_axis(jnp.cumsum(one_hot, axis=0) - 1, flat[:, None], axis=1)[:, 0]
    n_slots = cfg.n_experts * capacity
    pair_slot = jnp.where(place < capacity, flat * capacity + place, n_slots)
    slot_pair = jnp.full((n_slots + 1,), flat.shape[0]).at[pair_slot].set(jnp.arange(flat.shape[0]))[:n_slots]
    share = one_hot.sum(axis=0) / flat.shape[0]
    return top, share, slot_pair, pair_slot.reshape(t, -1)


def experts(p, x, cfg):
    """Mixture of SwiGLU experts and the two router losses. x: [tokens, hidden]."""
    tokens = x.shape[0]
    capacity = -(-tokens * cfg.experts_used * 5 // (4 * cfg.n_experts))
    logits = x @ p["ffn_gate_inp"].T
    probs = jax.nn.softmax(logits, axis=-1)
    top, share, slot_pair, pair_slot = route(probs, cfg, capacity)
    weight = top / top.sum(axis=-1, keepdims=True)
    slots = dispatch(x, slot_pair, pair_slot).reshape(cfg.n_experts, capacity, -1)
    out = []
    for e in range(cfg.n_experts):
        g = slots[e] @ p["ffn_gate_exps"][e].T
        u = slots[e] @ p["ffn_up_exps"][e].T
        out.append((jax.nn.silu(g) * u) @ p["ffn_down_exps"][e].T)
    y = collect(jnp.concatenate(out), slot_pair, pair_slot)
    balance = cfg.n_experts * jnp.sum(jax.lax.stop_gradient(share) * probs.mean(axis=0))
    z = jnp.mean(jax.nn.logsumexp(logits, axis=-1) ** 2)
    return jnp.sum(y * weight[..., None], axis=1), balance, z, share


def forward(params, ids, cfg):
    x = lookup(params["token_embd"], ids)
    bsz, t, h = x.shape
    balance, z, shares = 0.0, 0.0, []
    for p in params["layers"]:
        x = x + attention(p, rms(x, p["attn_norm"], cfg.rms_eps), cfg)
        y, b, zz, share = experts(p, rms(x, p["ffn_norm"], cfg.rms_eps).reshape(-1, h), cfg)
        x, balance, z = x + y.reshape(bsz, t, h), balance + b, z + zz
        shares.append(share)
    x = rms(x, params["output_norm"], cfg.rms_eps)
    n = cfg.n_layers
    return x @ params["token_embd"].T, balance / n, z / n, jnp.stack(shares)


def loss_fn(params, ids, cfg, quantised):
    """Mean cross-entropy of the next token, plus what keeps the router balanced and its logits small."""
    if quantised:
        params = fake_quant(params)
    logits, balance, z, shares = forward(params, ids[:, :-1], cfg)
    wanted = jax.nn.one_hot(ids[:, 1:], cfg.vocab_size, dtype=logits.dtype)
    ce = jnp.mean(jax.nn.logsumexp(logits, axis=-1) - jnp.sum(logits * wanted, axis=-1))
    return ce + 0.01 * balance + 1e-4 * z, (ce, shares)


def _decays(path):
    return not path[-1].key.endswith("norm")


@partial(jax.jit, static_argnums=(4, 5), donate_argnums=(0, 1))
def train_step(params, opt, ids, lr, cfg, quantised):
    """One AdamW step with the gradient clipped to norm 1."""
    (_, (ce, shares)), grads = jax.value_and_grad(loss_fn, has_aux=True)(params, ids, cfg, quantised)
    norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(grads)))
    scale = jnp.minimum(1.0, 1.0 / (norm + 1e-9))
    b1, b2, step = 0.9, 0.98, opt["step"] + 1
    m = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g * scale, opt["m"], grads)
    v = jax.tree.map(lambda v, g: b2 * v + (1 - b2) * (g * scale) ** 2, opt["v"], grads)
    c1, c2 = 1 - b1**step, 1 - b2**step

    def update(path, w, m, v):
        decay = 0.05 if _decays(path) else 0.0
        return w - lr * ((m / c1) / (jnp.sqrt(v / c2) + 1e-8) + decay * w)

    params = jax.tree_util.tree_map_with_path(update, params, m, v)
    return params, {"m": m, "v": v, "step": step}, ce, shares
