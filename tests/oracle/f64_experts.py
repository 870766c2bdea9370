"""A mixture of experts in float64: routing, gated experts, a shared one."""
from collections.abc import Callable

import numpy as np

from f64_llama import silu, softmax

Array = np.ndarray


def swiglu_oai(gate: Array, up: Array) -> Array:
    """gpt-oss' model card: clamped on one side and on both, alpha 1.702, up plus one."""
    gate, up = np.minimum(gate, 7.0), np.clip(up, -7.0, 7.0)
    return gate / (1.0 + np.exp(-1.702 * gate)) * (up + 1.0)


def swiglu(gate: Array, up: Array) -> Array:
    return silu(gate) * up


def route(scores: Array, used: int, softmax_first: bool, renormalize: bool) -> tuple[Array, Array]:
    """Chosen experts [n, used] by descending score, the lower index first among equals, and their weights."""
    chosen = np.argsort(-scores, axis=-1, kind="stable")[:, :used]
    if softmax_first:
        weights = np.take_along_axis(softmax(scores), chosen, -1)
        return chosen, weights / weights.sum(-1, keepdims=True) if renormalize else weights
    return chosen, softmax(np.take_along_axis(scores, chosen, -1))


def mixture(h: Array, chosen: Array, weights: Array, weight: Callable[[str], Array], bias: Callable[[str], Array | float],
            activation: Callable[[Array, Array], Array]) -> Array:
    gate, up, down = weight("ffn_gate_exps"), weight("ffn_up_exps"), weight("ffn_down_exps")
    gate_bias, up_bias, down_bias = bias("ffn_gate_exps"), bias("ffn_up_exps"), bias("ffn_down_exps")
    of = lambda biases, expert: 0.0 if biases is None else biases[expert]
    out = np.zeros_like(h)
    for expert in range(len(gate)):
        rows, place = np.nonzero(chosen == expert)
        x = h[rows]
        inner = activation(x @ gate[expert].T + of(gate_bias, expert), x @ up[expert].T + of(up_bias, expert))
        out[rows] += weights[rows, place][:, None] * (inner @ down[expert].T + of(down_bias, expert))
    return out


def shared_expert(h: Array, weight: Callable[[str], Array]) -> Array:
    inner = swiglu(h @ weight("ffn_gate_shexp").T, h @ weight("ffn_up_shexp").T)
    gate = 1.0 / (1.0 + np.exp(-(h @ weight("ffn_gate_inp_shexp").ravel())))
    return gate[:, None] * (inner @ weight("ffn_down_shexp").T)
