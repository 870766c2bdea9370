#!/usr/bin/env python3
"""Holds the tree to its own rules: includes point one way, files keep to one subject, text stays portable."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Each folder may include the public headers of those before it in the list, and its own.
CORE_ORDER = ["abi", "sdk", "base", "config", "registry", "model", "engine"]
MOST_LINES = 600
# Folders with a README that says what they hold.
WITH_README = ["core", "plugins", "backends", "configs", "tests", "bench", "tools"]
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:work|root|home)/\w")
CODE = {".c", ".h", ".cpp", ".hpp"}
# A model family is its recipe: no other place knows one by name. Vocabularies are named after models, so their names
# stand where tokenizers read them.
FAMILY_FREE = ["core", "backends", "plugins"]
WITH_VOCABULARIES = Path("plugins/tokenizers")
MORE_FAMILIES = ["mistral", "smollm", "gpt_oss", "qwen", "deepseek", "phi3", "granite"]
GENERATED = re.compile(r"(tables|generated)")


def tracked_files() -> list[Path]:
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True).stdout.decode()
    return [Path(name) for name in listing.split("\0") if name and (ROOT / name).is_file()]


def layer_of_include(include: str) -> str | None:
    """The core folder that an include names; None where it is none of the core's."""
    if include == "tenon.h" or re.fullmatch(r"tenon_\w+\.h", include):
        return "abi"
    if include == "tenon/engine.hpp":
        return "engine"
    parts = include.split("/")
    if parts[0] != "tenon":
        return None
    return parts[1] if len(parts) > 2 and parts[1] in CORE_ORDER else "sdk"


def allowed_layers(path: Path) -> list[str] | None:
    top = path.parts[0]
    if top == "core":
        return CORE_ORDER[: CORE_ORDER.index(path.parts[1]) + 1]
    if top in ("backends", "plugins"):
        return ["abi", "sdk"]
    return None  # tools, tests and bench may use all of it


def check_includes(path: Path, text: str) -> list[str]:
    layers = allowed_layers(path)
    if layers is None:
        return []
    wrong = []
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
        layer = layer_of_include(match.group(1)) if match else None
        if layer is not None and layer not in layers:
            wrong.append(f"{path}:{number}: includes <{match.group(1)}> of {layer}; {path.parts[0]} may use {', '.join(layers)}")
    return wrong


def family_names() -> re.Pattern:
    """Of the recipes: their files' names and the architectures they match; llama.cpp is a program."""
    names = set(MORE_FAMILIES)
    for recipe in (ROOT / "configs" / "models").glob("*.yaml"):
        names.add(recipe.stem)
        for match in re.finditer(r"^(?:architecture:|    architectures:) *\[?([^\]\n#]+)", recipe.read_text(), re.MULTILINE):
            names.update(name.strip() for name in match.group(1).split(","))
    words = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?<![a-z])(?:{words})(?!\.cpp)", re.IGNORECASE)


def check_families(path: Path, text: str, families: re.Pattern) -> list[str]:
    if path.parts[0] not in FAMILY_FREE or path.is_relative_to(WITH_VOCABULARIES) or path.suffix == ".md":
        return []
    return [f"{path}:{number}: names the model family '{match.group(0)}'; what a family needs stands in its recipe"
            for number, line in enumerate(text.splitlines(), 1) for match in families.finditer(line)]


def check_file(path: Path, families: re.Pattern) -> list[str]:
    try:
        text = (ROOT / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return []
    problems = [f"{path}:{n}: a path of one machine" for n, line in enumerate(text.splitlines(), 1)
                if MACHINE_PATH.search(line) and path != Path(__file__).relative_to(ROOT)]
    if path.suffix in CODE:
        problems += check_includes(path, text) + check_families(path, text, families)
        lines = text.count("\n")
        if lines > MOST_LINES and not GENERATED.search(path.name):
            problems.append(f"{path}: {lines} lines; above {MOST_LINES} it holds more than one subject")
    return problems


def main() -> int:
    families = family_names()
    problems = [problem for path in tracked_files() for problem in check_file(path, families)]
    problems += [f"{folder}/README.md is missing" for folder in WITH_README if not (ROOT / folder / "README.md").exists()]
    print("\n".join(problems) if problems else "the tree keeps its rules")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
