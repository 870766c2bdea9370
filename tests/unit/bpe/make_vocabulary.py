#!/usr/bin/env python3
"""Trains data/vocabulary.json on data/corpus.txt with the `tokenizers` package (0.23).

Nothing is split before training, so that tokens run across words, digits and newlines: any piece cut in the wrong place
then shows in the ids. Types are those of GGUF (1 normal, 3 control, 4 user-defined).
"""
import json
from pathlib import Path

from tokenizers import Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel
from tokenizers.trainers import BpeTrainer

DATA = Path(__file__).parent / "data"
CONTROL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
USER = ["<think>", "</think>", "<|im", "abcd"]


def main():
    corpus = (DATA / "corpus.txt").read_text(encoding="utf-8")
    tokenizer = Tokenizer(BPE())
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False, use_regex=False)
    trainer = BpeTrainer(vocab_size=2000, min_frequency=2, initial_alphabet=ByteLevel.alphabet(),
                         special_tokens=CONTROL, show_progress=False)
    tokenizer.train_from_iterator(corpus.splitlines(keepends=True) + [corpus], trainer)
    model = json.loads(tokenizer.to_str())["model"]
    tokens = sorted(model["vocab"], key=model["vocab"].get)
    types = [3 if t in CONTROL else 1 for t in tokens] + [4] * len(USER)
    merges = [m if isinstance(m, str) else " ".join(m) for m in model["merges"]]
    with open(DATA / "vocabulary.json", "w", encoding="ascii") as out:
        json.dump({"tokens": tokens + USER, "types": types, "merges": merges, "bos": 1, "eos": 2}, out)
        out.write("\n")
    print(len(tokens), "tokens,", len(merges), "merges")


if __name__ == "__main__":
    main()
