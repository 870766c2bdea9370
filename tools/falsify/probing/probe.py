"""A probe: one way to break the code, and which tests have to notice. Probes are TOML files beside the tests."""

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

from paired.errors import ToolError
from paired.worktree import git

FILE_NAME = "probes.toml"


@dataclass(frozen=True)
class Probe:
    id: str
    file: str  # of the source, relative to the repository's root
    find: str  # exact text, once in the file
    replace: str
    binary: str  # that the file is linked into, relative to the build folder
    red: tuple[str, ...] = ()  # ctest names that must fail
    green: tuple[str, ...] = ()  # ctest names that must pass all the same
    targets: tuple[str, ...] = ()  # to build; all where none is named
    expect: str = "KILLED"  # NO-OP for the control that changes nothing
    control: bool = False  # says whether the run itself can be trusted
    seconds: float = 60.0  # a test may take


def read(path: Path) -> list[Probe]:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise ToolError(f"{path}: {problem}") from None
    stray = sorted(set(document) - {"probe"})
    if stray or not isinstance(document.get("probe", []), list):
        raise ToolError(f"{path}: [[probe]] tables are expected, found {', '.join(stray) or 'something else'}")
    return [_probe(path, number, table) for number, table in enumerate(document.get("probe", []), 1)]


def read_all(root: Path) -> list[Probe]:
    """Of all probe files of a working tree that git does not ignore; ids are unique."""
    files = git(root, "ls-files", "--cached", "--others", "--exclude-standard", "--", FILE_NAME, f"**/{FILE_NAME}")
    probes = [probe for name in sorted(set(files.splitlines())) if (root / name).is_file() for probe in read(root / name)]
    ids = [probe.id for probe in probes]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        raise ToolError(f"two probes have the id {', '.join(twice)}")
    return probes


def occurrences(root: Path, probe: Probe) -> int:
    """How often the text is in the file; 0 where there is no file."""
    try:
        return (root / probe.file).read_text(encoding="utf-8").count(probe.find)
    except (OSError, UnicodeDecodeError):
        return 0


def _probe(path: Path, number: int, table: dict) -> Probe:
    where = f"{path}: probe {number} ({table.get('id', 'no id')})"
    known = {each.name for each in fields(Probe)}
    unknown, missing = sorted(set(table) - known), sorted({"id", "file", "find", "replace", "binary"} - set(table))
    if unknown or missing:
        raise ToolError(f"{where}: unknown {unknown}, missing {missing}; known are {', '.join(sorted(known))}")
    for name in ("red", "green", "targets"):
        value = table.get(name, [])
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise ToolError(f"{where}: {name} is a list of names")
    for name in ("id", "file", "find", "replace", "binary", "expect"):
        if not isinstance(table.get(name, ""), str):
            raise ToolError(f"{where}: {name} is a text")
    if not table["find"] or (not table.get("red") and table.get("expect", "KILLED") == "KILLED"):
        raise ToolError(f"{where}: 'find' has to hold text, and 'red' a test that must fail")
    return Probe(**{key: tuple(value) if isinstance(value, list) else value for key, value in table.items()})
