"""Ops from their definitions in f64, on random f32 inputs."""
import numpy as np

Array = np.ndarray


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


ACTIVATIONS = {
    "identity": lambda g, u: g * u,
    "silu": lambda g, u: g * sigmoid(g) * u,
    "gelu": lambda g, u: 0.5 * g * (1 + np.tanh(np.sqrt(2 / np.pi) * (g + 0.044715 * g ** 3))) * u,
    # gpt-oss: alpha 1.702, limit 7
    "swiglu_oai": lambda g, u: np.minimum(g, 7) * sigmoid(np.float64(np.float32(1.702)) * np.minimum(g, 7)) * (np.clip(u, -7, 7) + 1),
}


class Recorder:
    """Draws f32 inputs and keeps them with the results, under names."""

    def __init__(self, seed: int):
        self.rng = np.random.default_rng(seed)
        self.golden: dict[str, Array] = {}

    def keep(self, name: str, values: Array) -> None:
        if name in self.golden:
            raise ValueError(f"{name} is kept already")
        self.golden[name] = values

    def draw(self, name: str, *shape: int, scale: float = 1.0) -> Array:
        values = self.rng.standard_normal(shape, np.float32) * np.float32(scale)
        self.keep(name, values)
        return values.astype(np.float64)

    def result(self, name: str, values: Array) -> None:
        self.keep(name, np.asarray(values).astype(np.float32))


def norms(r: Recorder) -> None:
    x = r.draw("norm/x", 3, 2 * 37, scale=3)  # two groups of 37
    w, bias = r.draw("norm/w", 37), r.draw("norm/bias", 37)
    groups = x.reshape(3, 2, 37)
    eps = np.float64(np.float32(1e-5))
    r.result("norm/rms", groups / np.sqrt((groups ** 2).mean(-1, keepdims=True) + eps) * w)
    centred = (groups - groups.mean(-1, keepdims=True)) / np.sqrt(groups.var(-1, keepdims=True) + eps) * w
    r.result("norm/layer", centred + bias)
    r.result("norm/layer_without_bias", centred)


def rowwise(r: Recorder) -> None:
    x = r.draw("rowwise/x", 3, 37, scale=4)
    r.result("rowwise/softmax", softmax(x * 0.25))
    r.result("rowwise/mean", x.mean(-1))
    g, u = r.draw("glu/gate", 2, 21, scale=5), r.draw("glu/up", 2, 21, scale=5)
    for name, act in ACTIVATIONS.items():
        r.result(f"glu/{name}", act(g, u))


def rope(r: Recorder) -> None:
    """Three heads of 10, of which 6 dimensions turn: as complex numbers."""
    x = r.draw("rope/x", 2, 3 * 10)
    angles = r.rng.uniform(-3, 3, (2, 3))
    table = np.stack([np.cos(angles), np.sin(angles)], -1).astype(np.float32)
    r.keep("rope/table", table)
    turn = table[..., 0].astype(np.float64) + 1j * table[..., 1].astype(np.float64)
    heads = x.reshape(2, 3, 10)
    for name, real, imaginary in (("interleaved", [0, 2, 4], [1, 3, 5]), ("halves", [0, 1, 2], [3, 4, 5])):
        z = (heads[..., real] + 1j * heads[..., imaginary]) * turn[:, None]
        out = heads.copy()
        out[..., real], out[..., imaginary] = z.real, z.imag
        r.result(f"rope/{name}", out)


def products(r: Recorder) -> None:
    x, w = r.draw("linear/x", 3, 40), r.draw("linear/w", 5, 40, scale=0.2)
    bias, add = r.draw("linear/bias", 5), r.draw("linear/add", 3, 5)
    r.result("linear/plain", x @ w.T)
    r.result("linear/all", 0.5 * (x @ w.T + bias) + add)
    a, b = r.draw("matmul/a", 11, 7), r.draw("matmul/b", 7, 5)
    r.result("matmul/out", a @ b)


def gated(x: Array, gate: Array, up: Array, down: Array, biases, activation: str) -> Array:
    g, u = x @ gate.T + biases[0], x @ up.T + biases[1]
    return ACTIVATIONS[activation](g, u) @ down.T + biases[2]


def ffn(r: Recorder) -> None:
    h, i = 32, 64
    x, add = r.draw("ffn/x", 3, h), r.draw("ffn/add", 3, h)
    w = [r.draw("ffn/gate", i, h, scale=0.2), r.draw("ffn/up", i, h, scale=0.2), r.draw("ffn/down", h, i, scale=0.2)]
    biases = [r.draw("ffn/gate_bias", i), r.draw("ffn/up_bias", i), r.draw("ffn/down_bias", h)]
    r.result("ffn/plain", gated(x, *w, [0, 0, 0], "silu"))
    r.result("ffn/all", gated(x, *w, biases, "swiglu_oai") + add)


def routed(scores: Array, route: str, used: int, selection: Array, renormalize: bool, scale: float):
    """Experts and weights of one row, in order of selection."""
    p = {"softmax": softmax, "select": lambda s: s, "sigmoid": sigmoid}[route](scores)
    order = np.argsort(-(p + selection), kind="stable")[:used]
    weights = p[order]
    if route == "select":
        weights = softmax(weights)
    if renormalize:
        weights = weights / max(weights.sum(), 6.103515625e-5)
    return order, weights * scale


def moe(r: Recorder) -> None:
    h, i, s, n, rows = 32, 32, 64, 6, 5
    x, add = r.draw("moe/x", rows, h), r.draw("moe/add", rows, h)
    router, router_bias = r.draw("moe/router", n, h, scale=0.3), r.draw("moe/router_bias", n)
    gate, up = r.draw("moe/gate", n, i, h, scale=0.2), r.draw("moe/up", n, i, h, scale=0.2)
    down = r.draw("moe/down", n, h, i, scale=0.2)
    biases = [r.draw("moe/gate_bias", n, i), r.draw("moe/up_bias", n, i), r.draw("moe/down_bias", n, h)]
    selection = r.draw("moe/selection_bias", n, scale=0.5)
    shared = [r.draw("moe/shared_gate", s, h, scale=0.2), r.draw("moe/shared_up", s, h, scale=0.2),
              r.draw("moe/shared_down", h, s, scale=0.2)]
    shared_router = r.draw("moe/shared_router", 1, h, scale=0.3)

    def run(route, used, act, with_biases, with_selection, renormalize, scale, share, with_add):
        out = np.zeros((rows, h))
        for row in range(rows):
            scores = router @ x[row] + (router_bias if with_biases else 0)
            order, weights = routed(scores, route, used, selection if with_selection else np.zeros(n), renormalize, scale)
            for e, weight in zip(order, weights):
                b = [biases[0][e], biases[1][e], biases[2][e]] if with_biases else [0, 0, 0]
                out[row] += weight * gated(x[row], gate[e], up[e], down[e], b, act)
            if share:
                weight = sigmoid(shared_router[0] @ x[row]) if share == "routed" else 1.0
                out[row] += weight * gated(x[row], *shared, [0, 0, 0], act)
        return out + (add if with_add else 0)

    r.result("moe/softmax", run("softmax", 2, "silu", False, False, False, 1.0, None, False))
    r.result("moe/softmax_renormalized", run("softmax", 3, "silu", False, False, True, 1.0, None, True))
    r.result("moe/select", run("select", 4, "swiglu_oai", True, False, False, 1.0, None, True))
    r.result("moe/sigmoid", run("sigmoid", 2, "silu", False, True, True, 2.5, "plain", False))
    r.result("moe/shared", run("softmax", 2, "silu", False, False, False, 1.0, "routed", True))
    r.result("moe/all_experts", run("softmax", n, "gelu", False, False, False, 1.0, None, False))


def attention(r: Recorder) -> None:
    """One sequence of 600 positions, so three partitions of 256; queries are the last rows."""
    n, heads, kv_heads, d, dv, kept = 600, 4, 2, 16, 8, 3
    # f16 keys and values, so that pages of f16 keep them exactly.
    k = r.rng.standard_normal((n, kv_heads * d), np.float32).astype(np.float16)
    v = r.rng.standard_normal((n, kv_heads * dv), np.float32).astype(np.float16)
    r.keep("attention/k", k.astype(np.float32))
    r.keep("attention/v", v.astype(np.float32))
    q = r.draw("attention/q", kept, heads * d)
    sinks = r.draw("attention/sinks", heads, scale=2)
    scale = np.float64(np.float32(0.3))
    kh, vh = k.astype(np.float64).reshape(n, kv_heads, d), v.astype(np.float64).reshape(n, kv_heads, dv)

    def run(window, cap, with_sinks):
        out = np.zeros((kept, heads, dv))
        for row, p in enumerate(range(n - kept, n)):
            first = max(0, p - window + 1) if window else 0
            for h in range(heads):
                s = kh[first:p + 1, h // (heads // kv_heads)] @ q[row].reshape(heads, d)[h] * scale
                s = cap * np.tanh(s / cap) if cap else s
                e = softmax(np.append(s, sinks[h]) if with_sinks else s)[:len(s)]
                out[row, h] = e @ vh[first:p + 1, h // (heads // kv_heads)]
        return out

    r.result("attention/full", run(0, 0, False))
    r.result("attention/window", run(128, 0, False))
    r.result("attention/window_inside", run(5, 0, True))
    r.result("attention/softcap", run(0, 2.0, False))
    r.result("attention/with_sinks", run(0, 0, True))


def make() -> dict[str, Array]:
    r = Recorder(20250103)
    for part in (norms, rowwise, rope, products, ffn, moe, attention):
        part(r)
    return r.golden
