#!/usr/bin/env python3
"""Compares the bpe plug-in with the `tokenizers` package on random texts, for every scanner.

    python3 differential.py BUILD/tests/bpe_driver [--count 100000] [--seed 1] [--pre qwen2 ...] [--gguf MODEL.gguf]
        [--vocabularies 100]

The vocabulary is data/vocabulary.json, or the one of a GGUF file (with that file's `pre`), or so many random ones whose
merges come in an order that no training gives. Prints the number of texts
and of disagreements for each `pre`, with the first few; ends with 1 where there is any.
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

from tokenizers import AddedToken, Tokenizer
from tokenizers.models import BPE

from patterns import PRE_TOKENIZERS
from strings import HAND_PICKED, random_texts

DATA = Path(__file__).parent / "data"


def reference(vocabulary, pre):
    pre_tokenizer, ignore_merges = PRE_TOKENIZERS[pre]
    vocab = {t: i for i, (t, kind) in enumerate(zip(vocabulary["tokens"], vocabulary["types"])) if kind != 4}
    tokenizer = Tokenizer(BPE(vocab, [tuple(m.split(" ")) for m in vocabulary["merges"]], ignore_merges=ignore_merges))
    tokenizer.pre_tokenizer = pre_tokenizer
    users = [(i, t) for i, (t, kind) in enumerate(zip(vocabulary["tokens"], vocabulary["types"])) if kind == 4]
    for token_id, text in users:
        tokenizer.add_tokens([AddedToken(text, normalized=False)])
        assert tokenizer.token_to_id(text) == token_id
    return tokenizer


def from_gguf(path):
    from gguf import GGUFReader
    fields = GGUFReader(path).fields
    get = lambda key: fields["tokenizer.ggml." + key].contents()
    return {"tokens": get("tokens"), "types": get("token_type"), "merges": get("merges")}, get("pre")


def driver_ids(driver, vocabulary_path, pre, texts):
    process = subprocess.Popen([driver, vocabulary_path, pre], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def feed():
        for text in texts:
            data = text.encode("utf-8")
            process.stdin.write(struct.pack("<I", len(data)) + data)
        process.stdin.close()

    feeder = threading.Thread(target=feed)
    feeder.start()
    for _ in texts:
        (n,) = struct.unpack("<I", process.stdout.read(4))
        yield list(struct.unpack(f"<{n}i", process.stdout.read(4 * n)))
    feeder.join()
    assert process.wait() == 0


def random_vocabulary(rng):
    """Over a, b, c: each token of two or more letters is made by some or all of the merges that could make it."""
    letters = "abc"[:rng.choice([1, 2, 3])]
    tokens = list(letters)
    merges = []
    for _ in range(rng.randint(1, 40)):
        left, right = rng.choice(tokens), rng.choice(tokens)
        if len(left + right) <= 12 and left + right not in tokens:
            tokens.append(left + right)
    for text in tokens:
        cuts = [(text[:i], text[i:]) for i in range(1, len(text)) if text[:i] in tokens and text[i:] in tokens]
        merges += rng.sample(cuts, rng.randint(1, len(cuts))) if cuts else []
    if rng.random() < 0.5:
        rng.shuffle(merges)
    else:
        merges.sort(key=lambda pair: len(pair[0] + pair[1]))
    texts = ["".join(rng.choice(letters) for _ in range(rng.choice([2, 3, 5, 8, 30, 33, 60, 300]))) for _ in range(60)]
    texts += [rng.choice(tokens) * rng.randint(1, 200) for _ in range(20)]
    return {"tokens": tokens, "types": [1] * len(tokens), "merges": [" ".join(m) for m in merges]}, texts


def compare_random(driver, count, seed):
    rng = random.Random(seed)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "vocabulary.json")
        for _ in range(count):
            vocabulary, texts = random_vocabulary(rng)
            Path(path).write_text(json.dumps(vocabulary))
            wrong += compare(driver, vocabulary, path, rng.choice(["gpt-2", "llama-bpe"]), texts)
    return wrong


def compare(driver, vocabulary, vocabulary_path, pre, texts):
    tokenizer = reference(vocabulary, pre)
    wrong = 0
    batches = (texts[i:i + 2000] for i in range(0, len(texts), 2000))
    expected = (e.ids for batch in batches for e in tokenizer.encode_batch(batch, add_special_tokens=False))
    for text, want, got in zip(texts, expected, driver_ids(driver, vocabulary_path, pre, texts)):
        if want != got:
            wrong += 1
            if wrong <= 5:
                print(f"  {pre}: {text!r}\n    tokenizers {want}\n    bpe        {got}")
    print(f"{pre}: {len(texts)} texts, {wrong} disagreements", flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("driver")
    parser.add_argument("--count", type=int, default=100000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pre", nargs="*")
    parser.add_argument("--gguf")
    parser.add_argument("--vocabularies", type=int, default=0)
    args = parser.parse_args()
    if args.vocabularies:
        sys.exit(1 if compare_random(args.driver, args.vocabularies, args.seed) else 0)
    path = args.gguf or str(DATA / "vocabulary.json")
    pres = args.pre or list(PRE_TOKENIZERS)
    if args.gguf:
        vocabulary, pre = from_gguf(path)
        pres = [pre]
    else:
        vocabulary = json.loads(Path(path).read_text())
    words = (DATA / "corpus.txt").read_text(encoding="utf-8").split()
    texts = HAND_PICKED + random_texts(args.seed, args.count, words)
    texts += ["".join(texts[i:i + 80]) for i in range(0, len(texts), 400)]  # long ones: what is repeated is cached
    wrong = sum(compare(args.driver, vocabulary, path, pre, texts) for pre in pres)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
