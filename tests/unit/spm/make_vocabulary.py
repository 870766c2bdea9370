#!/usr/bin/env python3
"""Writes data/vocabulary.json: 1,500 pieces that the `sentencepiece` package learns from the corpus of tests/unit/bpe, its
256 bytes, control tokens, and user-defined pieces as converters write them (with the spaces of the text)."""
import json
import tempfile
from pathlib import Path

import sentencepiece
from sentencepiece import sentencepiece_model_pb2 as model_pb2

HERE = Path(__file__).parent
CORPUS = HERE.parent / "bpe" / "data" / "corpus.txt"
CONTROL = ["<|im_start|>", "<|im_end|>"]
USER = ["<think>", "</think>", "<|im", "abcd", "\n", "\n\n", "\n\n\n", "\t\t", "▁▁", "▁▁▁", "▁▁▁▁"]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        sentencepiece.SentencePieceTrainer.train(
            input=str(CORPUS), model_prefix=f"{folder}/m", model_type="bpe", vocab_size=1800, byte_fallback=True,
            normalization_rule_name="identity", remove_extra_whitespaces=False, control_symbols=CONTROL,
            user_defined_symbols=USER, character_coverage=0.98, minloglevel=2, num_threads=1)
        model = model_pb2.ModelProto()
        model.ParseFromString(Path(f"{folder}/m.model").read_bytes())
    pieces = [(p.piece.replace("▁", " ") if p.type == 4 else p.piece, p.score, p.type) for p in model.pieces]
    vocabulary = {"tokens": [p[0] for p in pieces], "scores": [p[1] for p in pieces], "types": [p[2] for p in pieces]}
    (HERE / "data" / "vocabulary.json").write_text(json.dumps(vocabulary, separators=(",", ":")) + "\n", encoding="ascii")
    print(len(pieces), "tokens,", pieces[:5], pieces[270:285])


if __name__ == "__main__":
    main()
