"""Links of the same objects that differ only in where the code lies.

A function's speed can depend on its address modulo 64 (fetch windows, branch predictors), and every edit moves all
functions behind it. Eight links show what that alone is worth: two shuffles of the functions, each at four distances
from the start of the section. Compilers align functions to 16 bytes, so a shuffle with 0, 16, 32 and 48 bytes in
front shows every function at all its four places of a cache line, instead of leaving that to luck.
"""

import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .elf import sections
from .errors import ToolError

COMPILE_FLAGS = "-ffunction-sections"
_PADS = (0, 16, 32, 48)


@dataclass(frozen=True)
class Layout:
    seed: int
    pad: int  # bytes

    @property
    def name(self) -> str:
        return f"layout{self.seed}p{self.pad}"


def layouts(count: int) -> list[Layout]:
    return [Layout(seed=1 + i // len(_PADS), pad=_PADS[i % len(_PADS)]) for i in range(count)]


def code_sections(build: Path) -> list[str]:
    """Names of all code sections of the objects below a build folder, sorted."""
    names = {section.name for path in build.rglob("*.o") for section in sections(path)
             if section.name.startswith(".text.")}
    if not names:
        raise ToolError(f"no object below {build} has sections of its own for functions; is it built with {COMPILE_FLAGS}?")
    return sorted(names)


def linker_flags(layout: Layout, names: list[str], folder: Path, compiler: str = "cc") -> list[str]:
    """Options for the compiler driver that links. Writes the order and a padding object into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    order = list(names)
    random.Random(layout.seed).shuffle(order)
    order_file = folder / f"{layout.name}.order"
    order_file.write_text(".text.benchdiff_pad\n" + "\n".join(order) + "\n", encoding="utf-8")
    flags = ["-fuse-ld=gold", f"-Wl,--section-ordering-file={order_file}"]
    return flags + [str(_pad_object(layout.pad, folder, compiler))]


def _pad_object(size: int, folder: Path, compiler: str) -> Path:
    source, target = folder / f"pad{size}.s", folder / f"pad{size}.o"
    # A whole line more than asked: an empty section would be dropped, and its alignment with it.
    source.write_text(f'.section .text.benchdiff_pad,"ax"\n.balign 64\n.skip {64 + size}\n'
                      '.section .note.GNU-stack,"",@progbits\n', encoding="utf-8")
    done = subprocess.run([compiler, "-c", str(source), "-o", str(target)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ToolError(f"{compiler} cannot assemble {source}: {done.stderr.strip()}")
    return target
