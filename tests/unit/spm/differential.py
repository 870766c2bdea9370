#!/usr/bin/env python3
"""Compares the spm plug-in with llama.cpp on random texts.

    python3 differential.py BUILD/tests/spm_driver [--count 20000] [--seed 1] [--gguf MODEL.gguf] [--vocabularies 50]

The vocabulary is data/vocabulary.json with and without a space in front, the one of a GGUF file, or so many random ones
whose scores come in an order that no training gives, with ties. A third of the texts have broken UTF-8; half are read with
control tokens allowed. Prints the number of disagreements with the first few; ends with 1 where there is any.
"""
import argparse
import json
import random
import struct
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from vocabularies import BYTE, CONTROL, NORMAL, UNKNOWN, LlamaCpp, write_gguf

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "bpe"))
from strings import HAND_PICKED, random_texts  # noqa: E402


def driver_ids(driver, path, texts):
    process = subprocess.Popen([driver, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def feed():
        for text, special in texts:
            process.stdin.write(struct.pack("<II", special, len(text)) + text)
        process.stdin.close()

    feeder = threading.Thread(target=feed)
    feeder.start()
    for _ in texts:
        (n,) = struct.unpack("<I", process.stdout.read(4))
        yield list(struct.unpack(f"<{n}i", process.stdout.read(4 * n)))
    feeder.join()
    assert process.wait() == 0


def broken(rng, text):
    data = bytearray(text)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(data) + 1)
        if rng.random() < 0.5:
            data[at:at + 1] = b""
        else:
            data[at:at] = bytes([rng.randrange(256)])
    return bytes(data)


def random_vocabulary(rng):
    """Over a, b, a space and é: any strings of them as pieces."""
    letters = ["a", "b", "▁", "é"]
    pieces = letters + ["".join(rng.choice(letters) for _ in range(rng.randint(2, 6))) for _ in range(rng.randint(1, 120))]
    pieces = list(dict.fromkeys(pieces))[rng.randint(0, 2):]
    scores = [float(rng.randint(-20, 0)) for _ in pieces]
    byte_tokens = [f"<0x{b:02X}>" for b in range(256)]
    vocabulary = {"tokens": ["<unk>", "<s>", "</s>", *byte_tokens, *pieces], "scores": [0.0] * 259 + scores,
                  "types": [UNKNOWN, CONTROL, CONTROL, *[BYTE] * 256, *[NORMAL] * len(pieces)]}
    texts = ["".join(rng.choice(["a", "b", " ", "é", "a", "<s>"]) for _ in range(rng.choice([2, 3, 5, 8, 30, 300]))) for _ in range(60)]
    return vocabulary, [t.encode() for t in texts]


def compare(driver, path, texts, rng, name):
    llama = LlamaCpp(path)
    asked = [(t, rng.randrange(2)) for t in texts]
    wrong = 0
    for (text, special), got in zip(asked, driver_ids(driver, path, asked)):
        want = llama.encode(text, bool(special))
        if want != got:
            wrong += 1
            if wrong <= 5:
                print(f"  {text!r} special={special}\n    llama.cpp {want[:40]}\n    spm       {got[:40]}")
    print(f"{name}: {len(texts)} texts, {wrong} disagreements", flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("driver")
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gguf")
    parser.add_argument("--vocabularies", type=int, default=0)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    words = (HERE.parent / "bpe" / "data" / "corpus.txt").read_text(encoding="utf-8").split()
    texts = [t.encode() for t in HAND_PICKED + random_texts(args.seed, args.count, words)]
    texts += [b"".join(texts[i:i + 80]) for i in range(0, len(texts), 400)]
    texts = [broken(rng, t) if i % 3 == 0 else t for i, t in enumerate(texts)]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/v.gguf"
        if args.gguf:
            wrong += compare(args.driver, args.gguf, texts, rng, args.gguf)
        elif args.vocabularies:
            for i in range(args.vocabularies):
                vocabulary, own = random_vocabulary(rng)
                write_gguf(path, vocabulary, rng.random() < 0.5)
                wrong += compare(args.driver, path, own, rng, f"random {i}")
        else:
            for prefix in (True, False):
                write_gguf(path, json.loads((HERE / "data" / "vocabulary.json").read_text()), prefix)
                wrong += compare(args.driver, path, texts, rng, f"fixture, space in front {prefix}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
