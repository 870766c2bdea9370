#!/usr/bin/env python3
"""make_tokens.py MODEL.gguf [OUTPUT.json]: token ids of many texts by the `tokenizers` package, checked against llama.cpp.

A case has the text, or {"repeat": unit, "times": n}, and its ids: `ids` where the text is ordinary throughout, and
`ids_added` where control tokens in it become their ids (absent when it is the same). A repeated text has `runs` and
`runs_added` instead: [[ids, how often in a row], ...]. Invalid UTF-8 has no oracle here: `tokenizers` takes only strings.
"""
import json
import sys
from importlib.metadata import version
from pathlib import Path

import gguf_tokenizer
import peer
import reference
from token_texts import SUBJECTS

OUTPUT = Path(__file__).resolve().parent.parent / "data" / "smollm2" / "tokens.json"


def expand(text: str | dict) -> str:
    return text if isinstance(text, str) else text["repeat"] * text["times"]


def runs(ids: list[int], longest_period: int = 32) -> list[list]:
    """[[ids, how often in a row], ...]: a long text of one unit in few numbers."""
    result: list[list] = []
    i = 0
    while i < len(ids):
        best, times = ids[i:i + 1], 1
        for period in range(1, longest_period + 1):
            unit, n = ids[i:i + period], 1
            while ids[i + n * period:i + (n + 1) * period] == unit:
                n += 1
            if n > 1 and n * period > len(best) * times:
                best, times = unit, n
        if times == 1 and result and result[-1][1] == 1:
            result[-1][0].extend(best)  # ids that do not repeat stand together
        else:
            result.append([list(best), times])
        i += len(best) * times
    assert [token for unit, times in result for token in unit * times] == ids
    return result


def main() -> None:
    model = Path(sys.argv[1])
    output = Path(sys.argv[2]) if len(sys.argv) > 2 else OUTPUT
    plain, added = gguf_tokenizer.load(model), gguf_tokenizer.load(model, added_tokens=True)
    llama = peer.open_model(model, vocab_only=True)
    cases, disagreements, lost = [], [], []
    for subject, texts in SUBJECTS.items():
        for text in texts:
            whole = expand(text)
            ids, ids_added = gguf_tokenizer.encode(plain, whole), gguf_tokenizer.encode(added, whole)
            for special, expected in ((False, ids), (True, ids_added)):
                got = llama.tokenize(whole.encode(), add_bos=False, special=special)
                if got != expected:
                    disagreements.append({"text": text, "parse_special": special,
                                          "llama.cpp": got[:16], "tokenizers": expected[:16]})
            if plain.decode(ids) != whole:
                lost.append(text)
            case = {"subject": subject, "text": text}
            shape, name = (runs, "runs") if isinstance(text, dict) else (list, "ids")
            case[name] = shape(ids)
            if ids_added != ids:
                case[f"{name}_added"] = shape(ids_added)
            cases.append(case)
    golden = {
        "made_by": "tests/oracle/make_tokens.py",
        "model": {"file": model.name, "sha256": reference.sha256(model)},
        "tokenizers": version("tokenizers"),
        "pre_tokenizer": "Sequence[Digits(individual_digits=True), ByteLevel(add_prefix_space=False, use_regex=True)]",
        "format": __doc__.splitlines()[2:],
        "notes": {"cross_check": {"llama-cpp-python": version("llama-cpp-python"), "cases": len(cases),
                                  "disagreements": disagreements},
                  "texts_that_ids_do_not_give_back": lost},
    }
    with open(output, "w", encoding="ascii") as out:
        head = json.dumps(golden, indent=1)
        lines = ",\n".join("  " + json.dumps(case, separators=(",", ":")) for case in cases)
        out.write(f"{head[:-2]},\n \"cases\": [\n{lines}\n ]\n}}\n")
    print(f"{len(cases)} cases, {len(disagreements)} disagreements with llama.cpp, {len(lost)} texts lose bytes")


if __name__ == "__main__":
    main()
