#!/usr/bin/env python3
"""make_cases.py: renders snippets.py and templates/ with the `jinja2` package into cases.json.

The templates are written for these tests in the style of the model families that name them.
"""
import json
from importlib.metadata import version
from pathlib import Path

import chats
import reference
import snippets

HERE = Path(__file__).resolve().parent


def main() -> None:
    small = [{"template": source, "input": snippets.INPUT, "expected": reference.render(source, snippets.INPUT)}
             for source in snippets.all_snippets()]
    whole = []
    for path in sorted((HERE / "templates").glob("*.jinja")):
        source = path.read_text(encoding="utf-8")
        for about, values in chats.conversations():
            whole.append({"file": path.name, "about": about, "input": values, "expected": reference.render(source, values)})
    head = json.dumps({"made_by": "tests/unit/jinja/make_cases.py", "jinja2": version("jinja2")})[1:-1]
    rows = lambda cases: ",\n".join(json.dumps(case) for case in cases)
    # One case a line, and the input that all snippets share once.
    for case in small:
        del case["input"]
    text = "{%s,\n\"input\": %s,\n\"snippets\": [\n%s\n],\n\"chats\": [\n%s\n]}\n" % (
        head, json.dumps(snippets.INPUT), rows(small), rows(whole))
    (HERE / "cases.json").write_text(text, encoding="ascii")
    count = lambda cases: f"{len(cases)} ({sum('text' in case['expected'] for case in cases)} rendered)"
    print(f"snippets: {count(small)}, chats: {count(whole)}")


if __name__ == "__main__":
    main()
