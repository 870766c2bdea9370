#!/usr/bin/env python3
"""compare_random.py TENON [--only NAME]: the engine on random models of each family against float64 and against llama.cpp.

TENON is the executable. Each model's text is longer than its sliding window, with chunks that cut it. In class f32 with an
f32 cache the mean KL divergence to the float64 evaluation must stay below 1e-5; the default class and the peer, which
computes in f32 where the weights are, are shown beside it. Ends with 1 where a bound is broken.
"""
import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import dequantize
import divergence
import peer
import reference

HERE = Path(__file__).resolve().parent
TEXT = (HERE.parent / "data" / "smollm2" / "text.txt").read_text(encoding="utf-8")[:420]
BOUND = 1e-5

AWKWARD = "--hidden-size 72 --heads 6 --kv-heads 3 --head-dim 20 --ffn 100 --vocab 331"
GEMMA = "--architecture gemma3 --layers 7 --rope-theta 1000000"
EVEN = "--hidden-size 256 --heads 4 --kv-heads 2 --head-dim 64"
EXPERTS = "--experts 9 --experts-used 3"
MODELS = {
    "qwen3 f32, awkward": f"--architecture qwen3 --layers 3 {AWKWARD}",
    "qwen3 f16, untied": "--architecture qwen3 --hidden-size 96 --head-dim 64 --heads 4 --kv-heads 1 --ffn 224 --rope-theta 1000000 "
                         "--embedding-type f16 --attention-type f16 --ffn-type f16 --output-type f16",
    "qwen3 q8_0 q4_K q6_K": "--architecture qwen3 --hidden-size 256 --ffn 512 --embedding-type q8_0 --attention-type q8_0 --ffn-type q4_k "
                            "--down-type q6_k --output-type tied",
    "gemma3 f32, awkward": f"{GEMMA} {AWKWARD} --window 16",
    "gemma3 bf16, factor 8, softcap": f"{GEMMA} --hidden-size 80 --head-dim 24 --heads 5 --kv-heads 1 --ffn 112 --window 7 --rope-scaling linear --rope-factor 8 "
                                      "--final-softcap 5 --embedding-type bf16 --attention-type bf16 --ffn-type bf16",
    "gemma3 q8_0 q5_0 q6_K": f"{GEMMA} --hidden-size 256 --head-dim 64 --heads 4 --kv-heads 2 --ffn 512 --window 33 --embedding-type q8_0 "
                             "--attention-type q5_0 --ffn-type q4_1 --down-type q6_k",
    "llama bands q8_0 q4_0": f"--architecture llama --rope-scaling bands --rope-factor 8 --original-context 64 {EVEN} --attention-type q8_0 "
                             "--ffn-type q4_0 --embedding-type q8_0",
    "mixtral q8_0 q4_K q6_K": f"--architecture mixtral {EVEN} {EXPERTS} --ffn 256 --attention-type q8_0 --ffn-type q4_k --down-type q6_k",
    "qwen2 q8_0 q4_0": f"--architecture qwen2 {EVEN} --attention-type q8_0 --ffn-type q4_0 --embedding-type q8_0",
    "qwen3moe yarn q8_0 q4_K q6_K": f"--architecture qwen3moe --rope-scaling yarn --rope-factor 8 --original-context 64 {EVEN} {EXPERTS} "
                                    "--ffn 256 --attention-type q8_0 --ffn-type q4_k --down-type q6_k",
    "qwen2moe q8_0 q4_0": f"--architecture qwen2moe {EVEN} {EXPERTS} --ffn 96 --shared-ffn 160 --output-type q8_0 --attention-type q8_0 "
                          "--ffn-type q4_0 --embedding-type q8_0",
    "olmoe q8_0 q5_1": f"--architecture olmoe {EVEN} --kv-heads 4 {EXPERTS} --ffn 96 --output-type q8_0 --attention-type q8_0 --ffn-type q5_1",
    "granitemoe q8_0 q4_0": f"--architecture granitemoe {EVEN} {EXPERTS} --ffn 96 --attention-type q8_0 --ffn-type q4_0",
    "gpt-oss q8_0 mxfp4": f"--architecture gpt-oss --hidden-size 96 --heads 4 --kv-heads 2 --head-dim 64 {EXPERTS} --ffn 96 --window 33 "
                          "--output-type q8_0 --attention-type q8_0 --ffn-type mxfp4 --embedding-type q8_0",
}


def engine_logits(tenon: str, model: Path, text: Path, settings: list[str], n_vocab: int) -> np.ndarray:
    out = model.with_suffix(".logits")
    command = [tenon, "perplexity", "-q", "-m", str(model), "-f", str(text), "--logits-out", str(out)]
    for setting in settings:
        command += ["--set", setting]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return np.fromfile(out, "<f4").reshape(-1, n_vocab)


def figures(tenon: str, folder: Path, options: str) -> tuple[int, dict[str, float]]:
    model, text, copy = folder / "model.gguf", folder / "text.txt", folder / "f32.gguf"
    text.write_text(TEXT, encoding="utf-8")
    subprocess.run([sys.executable, str(HERE / "random_model.py"), str(model), *options.split()], check=True)
    llama = peer.open_model(model, vocab_only=True)
    tokens = peer.prompt_tokens(llama, TEXT)
    truth = reference.log_probs(model, tokens, folder)
    top = divergence.top_tokens(truth, 64)
    kl = lambda logits: divergence.compare(truth, logits, top, tokens[1:])["kl_full_mean"]
    n_vocab = truth.shape[1]
    dequantize.write_float32(model, copy)
    run = lambda *settings: kl(engine_logits(tenon, model, text, list(settings), n_vocab))
    exact = ["runtime.kv.dtype=f32", "runtime.prefill_chunk=19"]
    return len(tokens), {
        "f32": run("backends.numeric=f32", *exact),
        "exact64": run("backends.numeric=exact64", *exact),
        "default": run(),
        "peer, f32 copy": kl(peer.logits(copy, tokens, n_ctx=1024, n_batch=512, cache_type=peer.F32)),
        "peer": kl(peer.logits(model, tokens, n_ctx=1024, n_batch=512, cache_type=peer.F16)),
    }


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("tenon")
    arguments.add_argument("--only", default="")
    options = arguments.parse_args()
    broken = False
    for name, model in MODELS.items():
        if options.only not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            n, found = figures(options.tenon, Path(folder), model)
        broken |= not found["f32"] <= BOUND
        print(f"{name}: {n} tokens; " + ", ".join(f"{key} {value:.2g}" for key, value in found.items()), flush=True)
    raise SystemExit(1 if broken else 0)


if __name__ == "__main__":
    main()
