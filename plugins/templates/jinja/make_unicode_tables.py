#!/usr/bin/env python3
"""make_unicode_tables.py > unicode_tables.cpp: what Python's str knows of each code point, as sorted runs."""
import sys
import unicodedata

CODE_POINTS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]


def is_case_ignorable(c: int) -> bool:
    """Seen by whether a capital sigma beside it becomes a final one."""
    s = chr(c)
    return ("A" + s + "\u03a3").lower()[-1] == "\u03c2" and ("A\u03a3" + s + "!").lower()[1] == "\u03c2"


def properties(c: int) -> int:
    s = chr(c)
    bits = [s.isspace(), s.isupper(), s.islower(), unicodedata.category(s) == "Lt", is_case_ignorable(c), s.isalpha(),
            s.isdecimal(), s.isdigit(), s.isnumeric(), s.isprintable()]
    return sum(1 << i for i, bit in enumerate(bits) if bit)


def property_runs() -> list[str]:
    runs, before = [], None
    for c in range(0x110000):
        now = 0 if 0xD800 <= c < 0xE000 else properties(c)
        if now != before:
            runs.append(f"{{{c}, {now}}}")
        before = now
    return runs


def case_runs(change) -> list[str]:
    """Runs of code points, every one or every second, that move by the same distance."""
    runs: list[list[int]] = []  # first, last, stride, distance
    for c in CODE_POINTS:
        to = change(chr(c))
        if len(to) != 1 or to == chr(c):
            continue
        distance = ord(to) - c
        if runs and runs[-1][3] == distance:
            gap = c - runs[-1][1]
            if runs[-1][2] == gap or (runs[-1][0] == runs[-1][1] and gap <= 2):
                runs[-1][1:3] = [c, gap]
                continue
        runs.append([c, c, 1, distance])
    return ["{%d, %d, %d, %d}" % tuple(run) for run in runs]


def special() -> list[str]:
    rows = []
    for c in CODE_POINTS:
        for name in ("upper", "lower", "title"):
            to = getattr(chr(c), name)()
            if len(to) != 1:
                rows.append("{%d, Case::%s, {%s}}" % (c, name, ", ".join(str(ord(x)) for x in to.ljust(3, "\0"))))
    return rows


def table(declaration: str, rows: list[str]) -> None:
    print(f"constexpr {declaration} = {{")
    line = "   "
    for row in rows:
        if len(line) + len(row) + 2 > 118:
            print(line)
            line = "   "
        line += f" {row},"
    print(line + "\n};")


def main() -> None:
    print(f"// Made by make_unicode_tables.py with Python {sys.version.split()[0]}, Unicode {unicodedata.unidata_version}.")
    print('#include "unicode_tables.hpp"\n\nnamespace tenon::jinja {\nnamespace {\n\n// clang-format off')
    table("PropertyRun kProperties[]", property_runs())
    table("CaseRun kToUpper[]", case_runs(str.upper))
    table("CaseRun kToLower[]", case_runs(str.lower))
    table("CaseRun kToTitle[]", case_runs(str.title))
    table("SpecialCase kSpecial[]", special())
    print("// clang-format on\n\n}  // namespace\n")
    print("std::span<const PropertyRun> property_runs() { return kProperties; }")
    print("std::span<const SpecialCase> special_cases() { return kSpecial; }")
    print("std::span<const CaseRun> case_runs(Case to) {")
    print("  if (to == Case::upper) return kToUpper;\n  if (to == Case::lower) return kToLower;\n  return kToTitle;\n}\n")
    print("}  // namespace tenon::jinja")


if __name__ == "__main__":
    main()
