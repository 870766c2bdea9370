#!/usr/bin/env python3
"""make_golden.py [MODEL.gguf OUTPUT.json]: ids of nasty texts by llama.cpp, checked against the `sentencepiece` package.

Without arguments: data/golden.json, for data/vocabulary.json with and without a space in front. With a model: its own
vocabulary, as tests/data/gemma3-270m/tokens.json. The file says:

  sets[name]: cases of one vocabulary. A case has `text`, {"hex": bytes} or {"repeat": unit, "times": n}; `ids`, all of it
    ordinary text; `special`, with control tokens allowed anywhere (absent when it is the same). A repeated text has its
    ids as runs: [[id, how often in a row], ...].
  differ[name]: how many texts the two packages give different ids for, with the first of them; the case holds
    llama.cpp's. The reasons: llama.cpp puts a space in front of every piece of text behind an added token, sentencepiece
    one in front of the whole text; and user-defined pieces of spaces match spaces there, the escaped text here. One
    reason makes sentencepiece's the ids of the case: llama.cpp takes </s> for a control token where the file says that it
    is a piece of text, as Gemma's, whose </s> is a tag of HTML.
"""
import itertools
import json
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import gguf

from vocabularies import NORMAL, USER, LlamaCpp, SentencePiece, write_gguf

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "bpe"))
sys.path.insert(0, str(HERE.parents[1] / "oracle"))
from strings import HAND_PICKED, random_texts  # noqa: E402
from token_texts import SUBJECTS  # noqa: E402

RUNS = [("a", 100000), ("^", 50000), ("Z", 131072), (" ", 70001), ("\n", 65536), ("é", 30000), ("字", 30000), ("0", 50000),
        ("ab", 40000), (" \n", 20001), ("the ", 20000), ("👍", 8192), ("\t", 20000), ("<|im_end|>", 3000), ("▁", 30001)]
INVALID = [b"\xff", b"\x80", b"caf\xc3", b"caf\xc3 x", b"caf\xe9 au lait", b"\xf0\x9f\x91", b"\xf0\x9f\x91 a", b"a\xf0\x9f\x91b",
           b"\xed\xa0\x80", b"\xc0\xaf", b"\xe2\x96", b"\xe2\x96x", b"\xe2\x96 ", b"\xf8\x88\x80\x80\x80", b"\xfe\xff ok",
           bytes(range(256)), bytes(range(255, -1, -1)), b"\xe4\xb8", b"\xe4\xb8\xad\xe4", b"abc\xffdef\xfe ghi", b"\x00\xff\x00"]
SPECIAL = ["<s>", "</s>", "<unk>", "<bos>", "<eos>", "<start_of_turn>user\nHi<end_of_turn>\n<start_of_turn>model\n", "<pad>", "<s>G",
           "text<s> text", "text<s>text", "<s><s> a", "<bos><bos>", "a<bos> b", "<start_of_turn", "< bos>", "<0x41>", "<0x-1>", "a<0x0A>b",
           "<|im_start|>user\nHi<|im_end|>\n", "x<|im_end|> y", "<think> a</think>", "abcdgym", "a abcd", "[multimodal]", "<unused7>x",
           "<start_of_image>", "▁", "▁▁", "a▁b", "▁a", " ▁ a", "a▁ b", "> </", "a> </b>", "> </ > </"]


def text_of(written) -> bytes:
    if isinstance(written, str):
        return written.encode()
    return bytes.fromhex(written["hex"]) if "hex" in written else (written["repeat"] * written["times"]).encode()


def all_texts() -> list:
    words = (HERE.parent / "bpe" / "data" / "corpus.txt").read_text(encoding="utf-8").split()
    plain = [t for texts in SUBJECTS.values() for t in texts if isinstance(t, str)]
    texts = list(dict.fromkeys([*HAND_PICKED, *plain, *SPECIAL, *random_texts(2025, 150, words)]))
    return texts + [{"hex": t.hex()} for t in INVALID] + [{"repeat": u, "times": n} for u, n in RUNS]


def cases_of(path: Path) -> tuple[list, list]:
    llama, sentencepiece = LlamaCpp(path), SentencePiece(path)
    cases, differ = [], []
    kinds = dict(zip(*(gguf.GGUFReader(path).get_field(f"tokenizer.ggml.{key}").contents() for key in ("tokens", "token_type"))))
    for written in all_texts():
        text = text_of(written)
        ids, special, other = llama.encode(text), llama.encode(text, True), sentencepiece.encode(text)
        if other is not None and other != ids:
            differ.append({"text": written, "llama.cpp": ids[:24], "sentencepiece": other[:24]})
            if kinds.get("</s>") == USER and b"</s>" in text:
                ids = other
        is_run = isinstance(written, dict) and "repeat" in written
        shape = (lambda x: [[i, len(list(g))] for i, g in itertools.groupby(x)]) if is_run else list
        case = {"text": written, "ids": shape(ids)}
        if special != ids:
            case["special"] = shape(special)
        if not is_run or len(case["ids"]) <= 40:
            cases.append(case)
    return cases, differ


def write(path: Path, sets: dict) -> None:
    golden = {"made_by": "tests/unit/spm/make_golden.py", "format": __doc__.splitlines()[5:-1],
              "versions": {name: version(name) for name in ("llama-cpp-python", "sentencepiece")},
              "differ": {name: {"texts": len(differ), "first": differ[:3]} for name, (_, differ) in sets.items()}}
    with open(path, "w", encoding="ascii") as out:
        out.write(json.dumps(golden, indent=1)[:-2] + ',\n "sets": {')
        for i, (name, (cases, differ)) in enumerate(sets.items()):
            lines = ",\n".join("  " + json.dumps(case, separators=(",", ":")) for case in cases)
            out.write(f'{"," if i else ""}\n "{name}": [\n{lines}\n ]')
            print(f"{name}: {len(cases)} cases, the packages differ on {len(differ)} texts")
        out.write("\n }\n}\n")


def main() -> None:
    if len(sys.argv) == 3:
        return write(Path(sys.argv[2]), {"model": cases_of(Path(sys.argv[1]))})
    vocabulary = json.loads((HERE / "data" / "vocabulary.json").read_text())
    no_user = {**vocabulary, "tokens": [f"[gone{i}]" if kind == USER else token for i, (token, kind) in
                                        enumerate(zip(vocabulary["tokens"], vocabulary["types"]))],
               "types": [NORMAL if kind == USER else kind for kind in vocabulary["types"]]}
    sets = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, prefix, used in (("with_space", True, vocabulary), ("without_space", False, vocabulary),
                                   ("no_user_pieces", True, no_user)):
            path = Path(folder) / f"{name}.gguf"
            write_gguf(path, used, prefix)
            sets[name] = cases_of(path)
    write(HERE / "data" / "golden.json", sets)


if __name__ == "__main__":
    main()
