"""Rounds written by hand: what a recording would hold if base and head took given times."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tools/benchdiff"), str(ROOT / "tools/benchdiff/proof")]

from paired.calibration import Calibration  # noqa: E402
from paired.host import fingerprint  # noqa: E402
from paired.rounds import Arm, Recording, Round  # noqa: E402

HOST = {"machine": "x86_64", "cpu": "made up", "cpus": 2}
CREATED = "2026-01-10T00:00:00+00:00"
# Twelve ratios that scatter by about 1% around 1 and lean to neither side.
SCATTER = [1.010, 0.991, 1.004, 0.996, 0.988, 1.013, 1.001, 0.999, 0.994, 1.007, 0.985, 1.016]


def recording(heads: dict[str, float], base_ns: float = 1000.0, pin: dict[str, float] | None = None,
              scatter: list[float] | None = None) -> Recording:
    """`heads`: scenario -> head's time as a multiple of base's; `pin`: the same for the pin."""
    arms = {"base": Arm("b" * 40), "head": Arm("c" * 40), **({"pin": Arm("a" * 40)} if pin else {})}
    rounds = []
    for noise in scatter or SCATTER:
        times = {"base": {name: [base_ns] for name in heads}, "head": {name: [base_ns * x * noise] for name, x in heads.items()}}
        if pin:
            times["pin"] = {name: [base_ns * x] for name, x in pin.items()}
        rounds.append(Round(list(times), times))
    return Recording(arms, rounds, dict(HOST), 1, CREATED, {"build": "made"})


def calibration(names: list[str], floor: float = 0.01, created: str = CREATED) -> Calibration:
    return Calibration(fingerprint(HOST), "made", created, 10, 60, dict.fromkeys(names, floor))
