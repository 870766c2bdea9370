#!/usr/bin/env python3
"""Writes golden.bin of tests/unit/onnx: node tests of the PyPI package onnx that are one of our ops.

    python3 -m venv venv && venv/bin/pip install onnx==1.23.2 numpy==2.4.6
    venv/bin/python tests/unit/onnx/make_golden.py

Taken are all tests of one node whose tensors are float32. Our ops work on rows [n, width], so axes are moved to the end and
flattened, negative indices are counted from the end, and a batched MatMul is one case a pair of matrices. OP/TEST/i/ holds
shape (i32), in0, in1, in2, eps (f32), tokens (i32) and out (f32), as far as the op has them. Expected values are the
package's, untouched but for that order. What is not taken is printed with the reason: of 1.23.2, 69 of the 81 one-node
tests of these operators are taken, in 78 cases; the other twelve are Add and Mul of integers, which no op of ours does. The
tests that the package also has as graphs of many nodes (`_expanded`) are the same data again.
"""
import sys
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import onnx
from onnx.backend.test.case.node import collect_testcases

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "support"))
import golden_file  # noqa: E402


class NotOurs(Exception):
    """Why a test is left out."""


def rows(x: np.ndarray, width: int) -> np.ndarray:
    return np.ascontiguousarray(x).reshape(-1, width)


def binary(ins, out, _):
    a, b = (np.broadcast_to(x, out.shape) for x in ins)
    width = out.shape[-1]
    yield {"shape": [out.size // width, width], "in0": a, "in1": b, "out": out}


def gather(ins, out, attributes):
    data, indices = ins
    axis = attributes.get("axis", 0) % data.ndim
    table = rows(np.moveaxis(data, axis, 0), data.size // data.shape[axis])
    tokens = indices.reshape(-1) % data.shape[axis]
    # out: data's axes before `axis`, the indices' axes, data's axes behind: the indices' go first
    want = np.moveaxis(out, range(axis, axis + indices.ndim), range(indices.ndim))
    yield {"shape": [*table.shape, tokens.size], "in0": table, "tokens": tokens, "out": want}


def matmul(ins, out, _):
    a, b = ins
    want = out
    if a.ndim == 1:
        a, want = a[None, :], np.expand_dims(want, -1 if b.ndim == 1 else -2)
    if b.ndim == 1:
        b, want = b[:, None], np.expand_dims(want, -1)
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a = np.broadcast_to(a, (*batch, *a.shape[-2:])).reshape(-1, *a.shape[-2:])
    b = np.broadcast_to(b, (*batch, *b.shape[-2:])).reshape(-1, *b.shape[-2:])
    want = want.reshape(-1, a.shape[-2], b.shape[-1])
    for x, y, z in zip(a, b, want, strict=True):
        yield {"shape": [*x.shape, y.shape[1]], "in0": x, "in1": y, "out": z}


def reduce_mean(ins, out, attributes):
    x = ins[0]
    axes = list(ins[1]) if len(ins) > 1 else attributes.get("axes", [])
    if not axes and attributes.get("noop_with_empty_axes", 0):
        raise NotOurs("it reduces nothing")
    axes = [int(axis) % x.ndim for axis in axes] or list(range(x.ndim))
    width = int(np.prod([x.shape[axis] for axis in axes]))
    moved = np.moveaxis(x, axes, range(x.ndim - len(axes), x.ndim))
    yield {"shape": [x.size // width, width], "in0": moved, "out": out}


def softmax(ins, out, attributes):
    axis = attributes.get("axis", -1)
    x, want = np.moveaxis(ins[0], axis, -1), np.moveaxis(out, axis, -1)
    yield {"shape": [x.size // x.shape[-1], x.shape[-1]], "in0": x, "out": want}


def norm(ins, out, attributes):
    x = ins[0]
    axis = attributes.get("axis", -1) % x.ndim
    width = int(np.prod(x.shape[axis:]))
    case = {"shape": [x.size // width, width], "in0": x, "in1": ins[1], "out": out,
            "eps": np.float32([attributes.get("epsilon", 1e-5)])}
    if len(ins) > 2:
        case["in2"] = ins[2]
    yield case


OPS = {"Add": ("add", binary), "Mul": ("mul", binary), "Gather": ("gather", gather), "MatMul": ("matmul", matmul),
       "ReduceMean": ("reduce_mean", reduce_mean), "Softmax": ("softmax", softmax),
       "LayerNormalization": ("layer_norm", norm), "RMSNormalization": ("rms_norm", norm)}


def cases_of(test) -> tuple[str, list[dict]]:
    node = test.model.graph.node[0]
    ins, outs = test.data_sets[0]
    name, adapter = OPS[node.op_type]
    values = [x for x in ins if x.dtype != np.int64] + [outs[0]]
    if any(x.dtype != np.float32 for x in values):
        raise NotOurs(f"its tensors are {values[0].dtype}")
    attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
    return name, list(adapter(ins, outs[0], attributes))


def typed(key: str, value) -> np.ndarray:
    return np.asarray(value, np.int32 if key in ("shape", "tokens") else np.float32)


def main() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tests = [t for t in collect_testcases(None) if t.model is not None]
    golden, taken, left = {}, Counter(), Counter()
    for test in tests:
        nodes = test.model.graph.node
        if len(nodes) != 1 or nodes[0].op_type not in OPS or nodes[0].domain not in ("", "ai.onnx"):
            continue
        op_type = nodes[0].op_type
        try:
            name, cases = cases_of(test)
        except NotOurs as why:
            left[f"{op_type}: {why}"] += 1
            continue
        taken[op_type] += 1
        for i, case in enumerate(cases):
            for key, value in case.items():
                golden[f"{name}/{test.name}/{i}/{key}"] = typed(key, value)
    golden_file.write(Path(__file__).parent / "golden.bin", golden)
    print("taken:", sum(taken.values()), dict(taken))
    print("left out:", dict(left))
    expanded = sum(1 for t in tests if len(t.model.graph.node) > 1)
    print(f"of {len(tests)} node tests of all operators {expanded} are graphs of more than one node")


if __name__ == "__main__":
    main()
