#!/usr/bin/env python3
"""Writes data/golden.json: what the `tokenizers` package (0.23) makes of nasty texts, for every scanner.

  texts: the texts. pieces[pre][i]: the ends, in bytes, of the pieces that texts[i] is split into.
  ids[pre][i]: its ids in data/vocabulary.json.
  runs[pre]: [unit, count, [[id, how often in a row], ...]]: the ids of unit * count.
"""
import itertools
import json
from pathlib import Path

from differential import reference
from patterns import PRE_TOKENIZERS
from strings import HAND_PICKED, random_texts

DATA = Path(__file__).parent / "data"
RUNS = [("Z", 131072), ("a", 100000), ("^", 200000), ("ab", 40000), (" ", 70001), ("\n", 65536), ("é", 30000), ("字", 30000), ("0", 50000),
        ("'", 40000), (" \n", 20001), ("piece, ", 6000), ("Aa", 30000), ("e\u0301", 20000), ("\u200b", 20000), ("abcdefghijklmnopqrstuvwxyz", 3000)]


def ends(pre_tokenizer, text):
    return list(itertools.accumulate(len(piece) for piece, _ in pre_tokenizer.pre_tokenize_str(text)))


def run_lengths(ids):
    return [[i, len(list(group))] for i, group in itertools.groupby(ids)]


def main():
    vocabulary = json.loads((DATA / "vocabulary.json").read_text())
    words = (DATA / "corpus.txt").read_text(encoding="utf-8").split()
    texts = HAND_PICKED + random_texts(2024, 100, words)
    golden = {"texts": texts, "pieces": {}, "ids": {}, "runs": {}}
    for pre, (pre_tokenizer, _) in PRE_TOKENIZERS.items():
        tokenizer = reference(vocabulary, pre)
        golden["pieces"][pre] = [ends(pre_tokenizer, text) for text in texts]
        golden["ids"][pre] = [tokenizer.encode(text, add_special_tokens=False).ids for text in texts]
        golden["runs"][pre] = []
        for unit, count in RUNS:
            runs = run_lengths(tokenizer.encode(unit * count, add_special_tokens=False).ids)
            if len(runs) <= 40:
                golden["runs"][pre].append([unit, count, runs])
    with open(DATA / "golden.json", "w", encoding="ascii") as out:
        json.dump(golden, out, separators=(",", ":"))
        out.write("\n")
    print({pre: len(runs) for pre, runs in golden["runs"].items()})


if __name__ == "__main__":
    main()
