"""A project's settings: what to build and how, kept beside its benchmarks so that a command line can be short."""

import hashlib
import json
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from .errors import ToolError

PLACES = ("bench/benchdiff.json", "benchmarks/benchdiff.json", "benchdiff.json")


@dataclass
class Settings:
    preset: str = ""  # a configure preset of CMakePresets.json
    configure: list[str] = field(default_factory=list)  # options of cmake, such as -DWITH_TESTS=OFF
    targets: list[str] = field(default_factory=list)  # benchmark executables; their target names
    also_build: list[str] = field(default_factory=list)  # targets that those load at run time
    filter: str = ""  # of scenarios, Google Benchmark's regular expression
    arguments: list[str] = field(default_factory=list)  # more arguments of the executables
    variables: dict[str, str] = field(default_factory=dict)  # of their environment; {build} is the arm's build folder
    rounds: int = 40
    repetitions: int = 9
    min_seconds: float = 0.001  # a repetition
    metric: str = "auto"
    align: bool = True  # build.ALIGN_FLAGS
    controls: list[dict[str, Any]] = field(default_factory=list)  # see controls.py

    def build_key(self) -> str:
        """Equal for builds whose floors are the same question; it is part of a calibration."""
        text = json.dumps([self.preset, self.configure, self.targets, self.arguments, self.variables, self.metric, self.align])
        return f"{self.preset or 'no preset'} {hashlib.sha256(text.encode()).hexdigest()[:12]}"


def load(path: Path) -> Settings:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise ToolError(f"{path}: {problem.strerror}") from None
    except ValueError as problem:
        raise ToolError(f"{path} is no JSON: {problem}") from None
    known = {each.name: each for each in fields(Settings)}
    if not isinstance(document, dict):
        raise ToolError(f"{path} holds a {type(document).__name__}; an object is expected")
    unknown = sorted(set(document) - set(known))
    if unknown:
        raise ToolError(f"{path}: unknown {', '.join(unknown)}; known are {', '.join(known)}")
    defaults = Settings()
    for name, value in document.items():
        kind = type(getattr(defaults, name))
        if not isinstance(value, kind) and not (kind is float and isinstance(value, int)):
            raise ToolError(f"{path}: {name} is {value!r}; {kind.__name__} is expected")
    return Settings(**document)


def find(repository: Path) -> Settings:
    """Of the repository, or the defaults where it has none."""
    for place in PLACES:
        if (repository / place).is_file():
            return load(repository / place)
    return Settings()
