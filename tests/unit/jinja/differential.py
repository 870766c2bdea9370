#!/usr/bin/env python3
"""differential.py [SECONDS] [SEED] [JINJA_RENDER]: random small templates, rendered by the plug-in and by `jinja2`.

By hand: build the target jinja_render first. Prints each template that the two render differently, or that only one of them
renders. What is known to differ, and why, stands in known_difference().
"""
import json
import random
import re
import subprocess
import sys
import time
import warnings
from pathlib import Path

import reference
from snippets import INPUT

BUILD = Path(__file__).resolve().parents[3] / "build" / "release" / "tests" / "jinja_render"

NAMES = ["name", "empty", "text", "lines", "unicode", "n", "zero", "minus", "x", "yes", "no", "nothing", "list", "words",
         "nested", "d", "people", "html", "json", "missing", "v", "w", "loop.index", "ns.a", "people[0]", "d.a", "d.a.c"]
STRINGS = ["''", "'a'", "'b c'", "' x '", "'ß'", "'Ab-cD e'", "'1'", "'4.5'", "'a,b,,c'", "'\\n'", "'ΑΣ'", "'é'", "'name'", "'k'", "'\\t q'", "'%'", "'<&>'"]
NUMBERS = ["0", "1", "2", "3", "-1", "7", "10", "1.5", "2.0", "-0.5", "1e3", "0.1", "100000"]
BINARY = ["+", "-", "*", "/", "//", "%", "~", "and", "or", "==", "!=", "<", ">", "<=", ">=", "in", "not in"]
FILTERS = ["abs", "capitalize", "count", "d", "default", "dictsort", "e", "escape", "first", "float", "int", "join", "last", "length", "list",
           "lower", "max", "min", "reverse", "round", "safe", "select", "reject", "sort", "string", "sum", "title", "tojson", "trim", "unique",
           "upper", "wordcount", "items", "indent", "urlencode"]
CALLED_FILTERS = ["default({e})", "default({e}, true)", "join({s})", "join({s}, attribute={s})", "replace({s}, {s})", "replace({s}, {s}, {i})",
                  "indent({i})", "indent({i}, true, true)", "round({i})", "round({i}, 'floor')", "int({i})", "float({f})", "map('upper') | list",
                  "map('string') | list", "map(attribute={s}) | list", "map('default', {e}) | list", "select('string') | list",
                  "reject('none') | list", "select('equalto', {e}) | list", "selectattr({s}) | list", "selectattr({s}, 'defined') | list",
                  "rejectattr({s}, 'eq', {e}) | list", "sort(true)", "sort(attribute={s})", "batch({i}) | list", "slice({p}) | list", "groupby({s})",
                  "tojson(indent={i})", "truncate({p})", "truncate({p}, true, '')", "center({i})", "trim({s})", "sum(start={e})", "unique(true) | list",
                  "dictsort(false, 'value')", "first | string", "list | length", "attr({s})", "format({e})"]
TESTS = ["defined", "undefined", "none", "string", "number", "integer", "float", "boolean", "true", "false", "mapping", "iterable", "sequence",
         "odd", "even", "lower", "upper", "divisibleby {p}", "eq {e}", "ne({e})", "in({e})", "gt {n}", "sameas none", "callable", "escaped"]
METHODS = ["strip()", "strip({s})", "lstrip()", "rstrip({s})", "split()", "split({s})", "split({s}, {i})", "rsplit({s}, {i})", "split(none, {i})",
           "rsplit(none, {i})", "splitlines()", "upper()", "lower()", "title()", "capitalize()", "swapcase()", "startswith({s})", "endswith({s})",
           "find({s})", "rfind({s})", "find({s}, {i})", "count({s})", "replace({s}, {s})", "replace({s}, {s}, {i})", "join({e})", "partition({s})",
           "rpartition({s})", "zfill({i})", "center({i})", "ljust({i}, 'x')", "rjust({i})", "isdigit()", "isupper()", "isalpha()", "isspace()",
           "items()", "keys()", "values()", "get({s})", "get({s}, {e})", "index({e})", "count({e})", "removeprefix({s})", "copy()", "format({e})"]
ATTRIBUTES = ["name", "age", "tags", "k", "a", "b", "c", "items", "zz", "index0", "last", "0", "1"]


# A lazy filter whose result is not made a list at once.
LAZY = re.compile(r"\|\s*(unique|select|reject|items|reverse)\b(?!.{0,40}\|\s*list)")


class Maker:
    def __init__(self, seed: int):
        self.random = random.Random(seed)

    def fill(self, pattern: str, depth: int) -> str:
        kinds = {"e": lambda: self.expression(depth), "s": lambda: self.pick(STRINGS), "n": lambda: self.pick(NUMBERS),
                 "i": lambda: self.pick(["0", "1", "2", "3", "5", "-1", "12"]), "p": lambda: self.pick(["1", "2", "3", "4", "9"]),
                 "f": lambda: self.pick(["1.5", "2.0"])}
        return re.sub(r"\{([esnipf])\}", lambda m: kinds[m[1]](), pattern)

    def pick(self, options):
        return self.random.choice(options)

    def atom(self) -> str:
        kind = self.random.random()
        if kind < 0.5:
            return self.pick(NAMES)
        if kind < 0.7:
            return self.pick(STRINGS)
        if kind < 0.88:
            return self.pick(NUMBERS)
        return self.pick(["true", "false", "none", "[]", "{}", "()", "range(3)", "range(2, 9, 3)", "[1, 'a', none]", "{'a': 1, 'b': [2]}", "(1, 'x')", "['b', 'A']"])

    def expression(self, depth: int) -> str:
        if depth <= 0:
            return self.atom()
        e = lambda: self.expression(depth - 1)
        return self.pick([
            lambda: self.atom(),
            lambda: f"{e()} {self.pick(BINARY)} {e()}",
            lambda: f"({e()}) {self.pick(BINARY)} ({e()})",
            lambda: f"{e()} {self.pick(['<', '==', '<=', '!='])} {e()} {self.pick(['<', '>', '=='])} {e()}",
            lambda: f"{self.pick(['not ', '-', '+', 'not not '])}{e()}",
            lambda: f"{e()} | {self.pick(FILTERS)}",
            lambda: f"({e()}) | {self.fill(self.pick(CALLED_FILTERS), depth - 1)}",
            lambda: f"({e()}) | {self.fill(self.pick(CALLED_FILTERS), depth - 1)}",
            lambda: f"{e()} is {self.pick(['', 'not '])}{self.fill(self.pick(TESTS), depth - 2)}",
            lambda: f"({e()}).{self.fill(self.pick(METHODS), depth - 1)}",
            lambda: f"{self.pick(STRINGS + NAMES)}.{self.fill(self.pick(METHODS), depth - 1)}",
            lambda: f"({e()}).{self.pick(ATTRIBUTES)}",
            lambda: f"({e()})[{e()}]",
            lambda: f"({e()})[{self.pick(['', '1', '-1', '-2', '2', 'n'])}:{self.pick(['', '1', '-1', '3'])}{self.pick(['', ':', ':-1', ':2', ':-2'])}]",
            lambda: f"{e()} if {e()} else {e()}",
            lambda: f"({e()} if {e()})",
            lambda: f"[{e()}, {e()}]",
            lambda: f"({e()}, {e()})",
            lambda: f"{{{self.pick(STRINGS)}: {e()}, {e()}: {e()}}}",
            lambda: f"m({e()}, b={e()})",
            lambda: f"'{self.pick(['%s', '%d', '%r', '%5s|', '%.1f', '%x', '%s %s', '%03d'])}' % {e()}",
        ])()

    def space(self) -> str:
        return self.pick(["", " ", "\n", "\n  ", "  ", "\n\n", " \n", "\t", "x", " y\n"])

    def tag(self, inside: str) -> str:
        return "{%" + self.pick(["", "-", "", "", "+"]) + " " + inside + " " + self.pick(["", "-", "", "", "+"]) + "%}"

    def statement(self, depth: int) -> str:
        if depth <= 0:
            return self.output()
        e, body = lambda: self.expression(2), lambda: self.body(depth - 1)
        return self.pick([
            self.output, self.output,
            lambda: self.tag(f"if {e()}") + body() + self.pick(["", self.tag("else") + body(), self.tag(f"elif {e()}") + body()]) + self.tag("endif"),
            lambda: self.tag(f"for v in {e()}") + body() + self.pick(["", self.tag("else") + body()]) + self.tag("endfor"),
            lambda: self.tag(f"for v in {self.pick(['list', 'people', 'words', 'range(3)'])} if {e()}") + body() + self.tag("endfor"),
            lambda: self.tag(f"for v, w in {self.pick(['d.items()', 'd | dictsort', '[(1, 2), (3, 4)]', 'd | items'])}") + body() + self.tag("endfor"),
            lambda: self.tag(f"for v in list") + self.tag(f"if {e()}") + self.tag(self.pick(["break", "continue"])) + self.tag("endif") + body() + self.tag("endfor"),
            lambda: self.tag(f"set {self.pick(['v', 'w', 'ns.a'])} = {e()}"),
            lambda: self.tag(f"set v, w = {e()}, {e()}"),
            lambda: self.tag(f"set v") + body() + self.tag("endset"),
            lambda: self.tag(f"filter {self.pick(['upper', 'trim', 'indent(2)', 'title'])}") + body() + self.tag("endfilter"),
            lambda: self.tag(f"with v = {e()}") + body() + self.tag("endwith"),
            lambda: self.tag(f"call(w) c({e()})") + body() + self.tag("endcall"),
            lambda: self.tag("generation") + body() + self.tag("endgeneration"),
            lambda: "{#" + self.pick(["", "-"]) + " c " + self.pick(["", "-"]) + "#}",
            lambda: self.tag("raw") + self.pick(["{{ x }}", " {% a %} "]) + self.tag("endraw"),
        ])()

    def output(self) -> str:
        return "{{" + self.pick(["", "", "-"]) + " " + self.expression(3) + " " + self.pick(["", "", "-"]) + "}}"

    def body(self, depth: int) -> str:
        return "".join(self.space() + self.statement(depth) for _ in range(self.random.randint(1, 2))) + self.space()

    def template(self) -> str:
        head = ("{% set ns = namespace(a=1) %}{% macro m(a, b=2) %}[{{ a }}|{{ b }}]{% endmacro %}"
                "{% macro c(a) %}<{{ caller(a) }}>{% endmacro %}")
        return head + self.body(self.random.randint(0, 2))


def known_difference(source: str, ours: dict, theirs: dict) -> bool:
    """Where the plug-in differs on purpose."""
    if "beyond 64 bits" in ours.get("error", "") or "of memory" in ours.get("error", ""):
        return True  # integers of any size
    if "cannot be sliced" in ours.get("error", ""):
        return True  # jinja2 folds a slice of a constant that has none into undefined, and refuses it elsewhere
    if "error" in ours and "text" in theirs and re.search(r"\b(map|select|reject|selectattr|rejectattr|unique|batch|slice|items)\b", source):
        return LAZY.search(source) is not None  # a generator that nobody goes through raises nothing
    if re.search(r"<(generator|built-in|function|bound|class|Macro|jinja2|LoopContext|method|reversed|list_reverse|range_iterator|dict_)", theirs.get("text", "")) or \
            re.search(r"&lt;(generator|built-in|function|Macro|bound|jinja2)| object at 0x|Object At 0X|OBJECT AT 0X", theirs.get("text", "")):
        return True  # the names of Python's own objects
    return False


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
    program = sys.argv[3] if len(sys.argv) > 3 else str(BUILD)
    maker = Maker(seed)
    warnings.simplefilter("ignore")  # of Python about the code that jinja2 makes
    process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    end, counts, shown = time.time() + seconds, {"same": 0, "both refuse": 0, "known": 0, "different": 0}, 0
    while time.time() < end:
        source = maker.template()
        process.stdin.write(json.dumps({"template": source, "input": INPUT}) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            sys.exit(f"the plug-in ended on seed {seed}: {source!r}")
        ours, theirs = json.loads(line), reference.render(source, INPUT)
        if ours.get("text") == theirs.get("text"):
            counts["same" if "text" in ours else "both refuse"] += 1
        elif known_difference(source, ours, theirs):
            counts["known"] += 1
        else:
            counts["different"] += 1
            shown += 1
            if shown <= 40:
                print(f"--- {source[source.rindex('endmacro %}') + 11:]!r}\n ours   {ours}\n theirs {theirs}")
    print(f"seed {seed}: {counts}")


if __name__ == "__main__":
    main()
