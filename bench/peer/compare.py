#!/usr/bin/env python3
"""compare.py: Tenon against llama.cpp (llama-cpp-python) on the same file and the same number of threads.

Each round times Tenon and the peer one after the other, prefill and decode, so that both meet the same noise; what is
reported is the median of the rounds' ratios, with their range. Needs `tenon models fetch` for the model, and the peer:

    python3 -m venv venv
    CMAKE_ARGS="-DGGML_NATIVE=ON -DGGML_LLAMAFILE=ON -DLLAMA_BUILD_EXAMPLES=OFF" \\
      venv/bin/pip install --no-binary llama-cpp-python -r bench/peer/requirements.txt
    venv/bin/python bench/peer/compare.py -m smollm2-135m
"""
import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Peer:
    def __init__(self, model, threads, context):
        command = [sys.executable, str(HERE / "worker.py"), model, str(threads), str(context)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def rate(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def close(self):
        self.process.stdin.write("quit\n")
        self.process.stdin.flush()
        self.process.wait()


def tenon_rates(tenon, config, model, threads, prefill, decode):
    command = [tenon, "bench", "-m", model, "-p", str(prefill), "-n", str(decode), "-t", str(threads), "-r", "1", "-o", "json"]
    if config:
        command += ["-c", config]
    results = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["results"]
    return {row["test"]: row["tokens_per_second"]["median"] for row in results}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("-m", "--model", default="smollm2-135m", help="a fetched model's name")
    arguments.add_argument("-c", "--config", help="Tenon's config")
    arguments.add_argument("-p", "--prefill", type=int, default=512)
    arguments.add_argument("-n", "--decode", type=int, default=64)
    arguments.add_argument("-t", "--threads", default="1,2")
    arguments.add_argument("-r", "--rounds", type=int, default=5)
    arguments.add_argument("--tenon", default=str(HERE.parents[1] / "build/release/bin/tenon"))
    options = arguments.parse_args()
    path = subprocess.run([options.tenon, "models", "path", options.model], check=True, capture_output=True, text=True)
    file = path.stdout.strip()
    print("| test | threads | Tenon tok/s | llama.cpp tok/s | ratio, median | lowest to highest |")
    print("|---|---|---|---|---|---|")
    for threads in (int(t) for t in options.threads.split(",")):
        peer = Peer(file, threads, options.prefill + options.decode + 64)
        rounds = {"prefill": [], "decode": []}
        for _ in range(options.rounds):
            ours = tenon_rates(options.tenon, options.config, options.model, threads, options.prefill, options.decode)
            theirs = {"prefill": peer.rate(f"prefill {options.prefill}"), "decode": peer.rate(f"decode {options.decode} 1")}
            for test, pairs in rounds.items():
                pairs.append((ours[test], theirs[test]))
        peer.close()
        for test, pairs in rounds.items():
            ratios = sorted(a / b for a, b in pairs)
            medians = [statistics.median(side) for side in zip(*pairs)]
            print(f"| {test} | {threads} | {medians[0]:.1f} | {medians[1]:.1f} | {statistics.median(ratios):.2f} | "
                  f"{ratios[0]:.2f} to {ratios[-1]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
