"""What is recorded for the proof: which executables run in turns, how often, and what runs beside them."""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from paired.elf import build_id  # noqa: E402
from paired.layout import Layout, code_sections, layouts, linker_flags  # noqa: E402
from paired.process import Program, Sampling  # noqa: E402
from paired.record import record  # noqa: E402
from paired.rounds import Arm, save  # noqa: E402

SAMPLING = Sampling(repetitions=25, min_seconds=3e-5)
RAW_ROUNDS = 10  # whose repetitions are kept, for the rules that take repetitions as samples
# Ten commits, each 1.5% slower than the one before: so many units more of a thousand.
STEPS = [round(1000 * (1.015**n - 1)) for n in range(11)]
CALIBRATION = [layout.name for layout in layouts(8)]
STRANGERS = [Layout(seed=100 + n, pad=16 * (n * 7 % 4)) for n in range(20)]  # layouts that the calibration never saw


@dataclass(frozen=True)
class Plan:
    arms: list[str]
    n_rounds: int
    raw_rounds: int = RAW_ROUNDS
    busy: bool = False  # the other core is kept busy


PLANS = {
    "calibration": Plan(["base", "relink", *CALIBRATION], 200, raw_rounds=0),
    "injected": Plan(["base", "relink", "x50", "x100", "x200"], 300),
    "busy": Plan(["base", "relink", "x200"], 100, busy=True),
    "layouts": Plan(["base", *(layout.name for layout in STRANGERS)], 80, raw_rounds=1),
    "steps": Plan([f"x{extra}" if extra else "base" for extra in STEPS], 110, raw_rounds=4),
}


def build(folder: Path) -> None:
    """Compiles once, then links every arm."""
    extras = sorted({50, 100, 200, *STEPS} - {0})
    arms = ["base:0", "relink:0", *(f"x{extra}:{extra}" for extra in extras)]
    _cmake(folder, arms)
    names = code_sections(folder)
    for layout in [*layouts(8), *STRANGERS]:
        flags = ",".join(flag.replace(",", "|") for flag in linker_flags(layout, names, folder / "orders"))
        arms.append(f"{layout.name}:0:{flags}")
    _cmake(folder, arms)


def _cmake(folder: Path, arms: list[str]) -> None:
    subprocess.run(["cmake", "-S", HERE, "-B", folder, "-G", "Ninja", f"-DPROOF_ARMS={';'.join(arms)}"],
                   check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, "-j", "1"], check=True, stdout=subprocess.DEVNULL)


@contextmanager
def neighbour(busy: bool) -> Iterator[None]:
    """While it lasts, one core computes something else and we are left with the others."""
    if not busy:
        yield
        return
    cores = sorted(os.sched_getaffinity(0))
    spin = "import os\nos.sched_setaffinity(0, {%d})\nx = list(range(1 << 20))\nwhile True: x.reverse()" % cores[-1]
    hog = subprocess.Popen([sys.executable, "-c", spin])
    os.sched_setaffinity(0, cores[:-1] or cores)
    try:
        yield
    finally:
        hog.kill()
        hog.wait()
        os.sched_setaffinity(0, cores)


def record_one(name: str, build_folder: Path, target: Path) -> None:
    plan = PLANS[name]
    arms = {arm: Arm(revision=arm, build_ids={arm: build_id(build_folder / arm)}) for arm in plan.arms}
    programs = {arm: [Program(build_folder / arm)] for arm in plan.arms}
    with neighbour(plan.busy):
        recording = record(arms, programs, plan.n_rounds, seed=list(PLANS).index(name) + 1, sampling=SAMPLING,
                           progress=lambda done: print(f"\r{name} {done}/{plan.n_rounds}", end="", file=sys.stderr))
    print(file=sys.stderr)
    for arm in recording.arms.values():
        arm.counters.clear()  # the units are in the name of the arm
    save(recording, target, raw_rounds=plan.raw_rounds)


def main() -> int:
    parser = argparse.ArgumentParser(description="Records the rounds that 'prove' replays; about an hour.")
    parser.add_argument("build", type=Path, help="build folder, outside of the tree")
    parser.add_argument("names", nargs="*", choices=[*PLANS, []], help="which recordings; all by default")
    parser.add_argument("--into", type=Path, default=HERE / "recorded")
    arguments = parser.parse_args()
    build(arguments.build)
    arguments.into.mkdir(exist_ok=True)
    for name in arguments.names or PLANS:
        record_one(name, arguments.build, arguments.into / f"{name}.json.gz")
    return 0


if __name__ == "__main__":
    sys.exit(main())
