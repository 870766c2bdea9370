"""Comparisons put together from recorded rounds, and what each rule says about them."""

import random
import statistics
import sys
from dataclasses import dataclass, replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from paired.calibration import Calibration  # noqa: E402
from paired.compare import compare  # noqa: E402
from paired.rounds import Arm, Recording, Round  # noqa: E402
from paired.verdict import Row  # noqa: E402
from rules import old_rule, u_rule  # noqa: E402

Choice = dict[str, str]  # scenario -> the recorded arm that stands for head


def uniform(recording: Recording, arm: str) -> Choice:
    return dict.fromkeys(recording.scenarios(arm), arm)


def compose(recording: Recording, base: str, head: Choice, pin: str | None = None,
            rounds: list[int] | None = None) -> Recording:
    """A recording with the arms base and head, and pin if asked for, as `benchdiff run` would have written it. A head that
    takes single scenarios from another arm is a change that touches these alone."""
    parts = {"base": dict.fromkeys(head, base), "head": head, **({"pin": dict.fromkeys(head, pin)} if pin else {})}
    chosen = recording.rounds if rounds is None else [recording.rounds[i] for i in rounds]
    made = [Round(each.order, {part: {name: each.times[arm][name] for name, arm in choice.items()}
                               for part, choice in parts.items()}, each.load) for each in chosen]
    return replace(recording, arms={part: Arm(revision=part) for part in parts}, rounds=made)


def ours(recording: Recording, calibration: Calibration) -> list[Row]:
    return compare(recording, calibration).rows


@dataclass
class Score:
    """Flags of a rule in one comparison: right ones, and those on scenarios that were not touched."""

    found: float
    false: float


def score_flags(flags: dict[str, int], touched: set[str]) -> Score:
    """`flags`: +1 slower, -1 faster, 0 not flagged."""
    return Score(sum(flags[name] > 0 for name in touched), sum(flag != 0 for name, flag in flags.items() if name not in touched))


def halves_old(recording: Recording, touched: set[str]) -> Score:
    """The old rule with all the time that ours had: every base process of the first half of the rounds, then every head
    process of the second half, as a job that runs base first and head after it."""
    middle = len(recording.rounds) // 2
    early, late = recording.rounds[:middle], recording.rounds[middle:]
    return score_flags({name: old_rule([statistics.fmean(each.times["base"][name]) for each in early],
                                       [statistics.fmean(each.times["head"][name]) for each in late])
                        for name in recording.scenarios("head")}, touched)


def single_processes(recording: Recording, touched: set[str], rule, raw_rounds: int) -> Score:  # noqa: ANN001
    """A rule that takes the repetitions of one process as its samples: the mean of its scores over the rounds whose
    repetitions were kept."""
    scores = [score_flags({name: rule(each.times["base"][name], each.times["head"][name]) for name in each.times["head"]},
                          touched) for each in recording.rounds[:raw_rounds]]
    return Score(statistics.fmean(s.found for s in scores), statistics.fmean(s.false for s in scores))


RULES = {
    "old rule, one process each": lambda recording, touched, raw: single_processes(recording, touched, old_rule, raw),
    "old rule, all rounds in two halves": lambda recording, touched, raw: halves_old(recording, touched),
    "compare.py, one process each": lambda recording, touched, raw: single_processes(recording, touched, u_rule, raw),
}


def subset(n: int, size: int, seed: int) -> list[int]:
    return sorted(random.Random(seed).sample(range(n), size))
