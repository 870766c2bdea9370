"""Builds an arm with cmake: every arm with the same preset, options and compiler."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from .elf import build_id
from .errors import ToolError
from .process import Program
from .settings import Settings


# A function starts on a cache line and so do its loops: what an edit elsewhere moves is then a multiple of 64 bytes, and
# the largest part of layout luck is gone before anything is measured. The rest is what a calibration finds.
ALIGN_FLAGS = "-falign-functions=64 -falign-loops=64"


def configure(source: Path, build: Path, settings: Settings, compile_flags: str = "", linker_flags: str = "") -> None:
    """Flags are added to those that the project and its preset have."""
    if not (source / "CMakeLists.txt").is_file():
        raise ToolError(f"{source} has no CMakeLists.txt; benchdiff builds CMake projects")
    preset = ["--preset", settings.preset] if settings.preset else []
    kind = [] if settings.preset or any("CMAKE_BUILD_TYPE" in each for each in settings.configure) else [
        "-DCMAKE_BUILD_TYPE=Release"]
    command = ["cmake", *preset, "-S", str(source), "-B", str(build), *kind, *_launcher(), *settings.configure]
    _run(command, source)
    if settings.align:
        compile_flags = f"{ALIGN_FLAGS} {compile_flags}".strip()
    wanted = [_with(build, f"CMAKE_{language}_FLAGS", compile_flags) for language in ("C", "CXX")
              if compile_flags and cached(build, f"CMAKE_{language}_COMPILER")]
    wanted += [_with(build, f"CMAKE_{linked}_LINKER_FLAGS", linker_flags) for linked in ("EXE", "SHARED", "MODULE")
               if linker_flags]
    if wanted:
        _run([*command, *wanted], source)


def _with(build: Path, variable: str, flags: str) -> str:
    """Once, however often a folder is configured."""
    own = cached(build, variable).replace(flags, "").strip()
    return f"-D{variable}={own} {flags}"


def _launcher() -> list[str]:
    """With ccache a second link costs no second compilation."""
    return ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache", "-DCMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []


def build(source: Path, folder: Path, settings: Settings, jobs: int) -> None:
    """The benchmark targets and what they load; everything where no target is named."""
    targets = settings.targets + settings.also_build
    chosen = ["--target", *targets] if targets else []
    _run(["cmake", "--build", str(folder), "-j", str(jobs), *chosen], source)


def programs(folder: Path, settings: Settings) -> list[Program]:
    """The benchmark executables of a build folder."""
    if not settings.targets:
        raise ToolError("no benchmark target is named; use --target NAME, or 'targets' in bench/benchdiff.json")
    variables = {name: value.replace("{build}", str(folder)) for name, value in settings.variables.items()}
    return [Program(_executable(folder, target), variables) for target in settings.targets]


def build_ids(folder: Path) -> dict[str, str]:
    """Of all executables and shared objects that were linked."""
    found = {}
    for path in sorted(folder.rglob("*")):
        linked = path.suffix == ".so" or ".so." in path.name or os.access(path, os.X_OK)
        if linked and path.suffix != ".o" and path.is_file() and not path.is_symlink() and "CMakeFiles" not in path.parts:
            found[str(path.relative_to(folder))] = build_id(path)
    return {name: value for name, value in found.items() if value}


def _executable(folder: Path, target: str) -> Path:
    found = [path for path in folder.rglob(target) if path.is_file() and os.access(path, os.X_OK)]
    if len(found) != 1:
        raise ToolError(f"{len(found)} executables are called {target} below {folder}; one is expected")
    return found[0]


def _run(command: list[str], source: Path) -> None:
    print("+", " ".join(command), file=sys.stderr)
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = "\n".join((done.stdout + done.stderr).strip().splitlines()[-25:])
        raise ToolError(f"{' '.join(command[:2])} failed:\n{last}")


def cached(folder: Path, variable: str) -> str:
    """A variable's value in a configured build folder; empty where it has none."""
    for line in (folder / "CMakeCache.txt").read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith(f"{variable}:"):
            return line.partition("=")[2]
    return ""


def compiler_of(folder: Path) -> str:
    """The first line of what the C++ compiler says of itself."""
    compiler = cached(folder, "CMAKE_CXX_COMPILER") or "c++"
    done = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.splitlines()[0].strip() if done.stdout else compiler
