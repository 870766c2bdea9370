#!/usr/bin/env python3
"""The peer, llama-cpp-python, as a process that times one thing for each line it reads.

    worker.py MODEL THREADS CONTEXT

Reads "prefill N" or "decode N PROMPT" and writes tokens per second; "quit" ends it. The model stays loaded, so that runs
can be interleaved with another program's without loading in between."""
import sys
import time

from llama_cpp import Llama


def main():
    model, threads, context = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    llama = Llama(model, n_ctx=context, n_batch=512, n_ubatch=512, n_threads=threads, n_threads_batch=threads, verbose=False)
    vocabulary = llama.n_vocab()
    tokens = [3 + i * 37 % min(700, vocabulary - 3) for i in range(context)]
    for line in sys.stdin:
        words = line.split()
        if words[0] == "quit":
            return
        llama.reset()
        n = int(words[1])
        if words[0] == "prefill":
            start = time.perf_counter()
            llama.eval(tokens[:n])
        else:
            prompt = int(words[2])
            llama.eval(tokens[:prompt])
            start = time.perf_counter()
            for i in range(n):
                llama.eval([tokens[prompt + i]])
        print(n / (time.perf_counter() - start), flush=True)


if __name__ == "__main__":
    main()
