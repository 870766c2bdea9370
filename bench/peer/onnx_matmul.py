#!/usr/bin/env python3
"""onnxruntime (its MLAS kernels) beside bench_kernels on the f32 products of the seed's scenarios, in turns.

    python bench/peer/onnx_matmul.py [-t THREADS] [-r ROUNDS] BENCH_KERNELS

b is a constant in both, so that both pack it ahead. Prints the medians and their ratio, above 1 where Tenon is faster,
with the range over the rounds. Needs the packages onnxruntime, onnx and numpy.
"""

import argparse
import json
import statistics
import subprocess
import time

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

SHAPES = {"small": (1, 256, 256), "medium": (32, 512, 512), "large": (32, 1024, 1024)}


def session_of(k: int, n: int, threads: int) -> onnxruntime.InferenceSession:
    b = numpy_helper.from_array(np.random.default_rng(1).standard_normal((k, n), dtype=np.float32), "b")
    graph = helper.make_graph([helper.make_node("MatMul", ["a", "b"], ["out"])], "product",
                              [helper.make_tensor_value_info("a", TensorProto.FLOAT, [None, k])],
                              [helper.make_tensor_value_info("out", TensorProto.FLOAT, [None, n])], [b])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def peer_seconds(session: onnxruntime.InferenceSession, m: int, k: int) -> float:
    """Of one product: buffers are bound once, so that the Python of a call is as small as it can be."""
    binding = session.io_binding()
    binding.bind_cpu_input("a", np.ones((m, k), dtype=np.float32))
    binding.bind_output("out", "cpu")
    times = []
    for _ in range(50):
        start = time.perf_counter()
        for _ in range(10):
            session.run_with_iobinding(binding)
        times.append((time.perf_counter() - start) / 10)
    return statistics.median(times)


def our_seconds(bench: str, size: str, shape: tuple, threads: int) -> float:
    name = f"matmul/{size}_generic_f32_threads={threads}/{'x'.join(map(str, shape))}/iterations"
    done = subprocess.run([bench, f"--benchmark_filter=^{name}", "--benchmark_format=json"], capture_output=True, check=True)
    return json.loads(done.stdout)["benchmarks"][0]["real_time"] * 1e-6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench")
    parser.add_argument("-t", "--threads", type=int, default=1)
    parser.add_argument("-r", "--rounds", type=int, default=5)
    arguments = parser.parse_args()
    print(f"onnxruntime {onnxruntime.__version__}, {arguments.threads} threads")
    for size, shape in SHAPES.items():
        session = session_of(shape[1], shape[2], arguments.threads)
        rounds = [(our_seconds(arguments.bench, size, shape, arguments.threads), peer_seconds(session, shape[0], shape[1]))
                  for _ in range(arguments.rounds)]
        ratios = [peer / ours for ours, peer in rounds]
        ours, peer = (statistics.median(column) * 1e6 for column in zip(*rounds))
        print(f"{'x'.join(map(str, shape))}: {ours:.1f} us, peer {peer:.1f} us, "
              f"ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
