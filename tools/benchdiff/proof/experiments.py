"""The experiments of the proof: each replays recorded rounds and says whether it reaches its bar."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from replay import RULES, Choice, compose, ours, score_flags, subset, uniform

from paired import rounds
from paired.calibration import Calibration, calibrate
from paired.compare import compare
from paired.pin import Pin
from paired.rounds import Recording
from paired.signed_rank import detectable, estimate
from paired.verdict import Row, Status

_FLAG = {Status.SLOWER: 1, Status.FASTER: -1}


@dataclass
class Outcome:
    experiment: str
    bar: str
    ours: str
    reached: bool
    others: dict[str, str] = field(default_factory=dict)  # rule -> its score on the same data


class Evidence:
    """The recordings of a folder, read once, and the calibration made of them."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._read = folder, {}
        self.calibration: Calibration = calibrate(self["calibration"])

    def __getitem__(self, name: str) -> Recording:
        if name not in self._read:
            self._read[name] = rounds.load(self._folder / f"{name}.json.gz")
        return self._read[name]


def flags_of(rows: list[Row]) -> dict[str, int]:
    return {row.scenario: _FLAG.get(row.status, 0) for row in rows}


def _raw_rounds(recording: Recording) -> int:
    return sum(all(len(values) > 1 for times in each.times.values() for values in times.values()) for each in recording.rounds)


def _others(comparisons: list[tuple[Recording, set[str]]], raw: int, total: int) -> dict[str, str]:
    """Sums over comparisons: how many of the touched were found, how many of the untouched flagged."""
    said = {}
    for name, rule in RULES.items():
        scores = [rule(recording, touched, raw) for recording, touched in comparisons]
        found, false = sum(s.found for s in scores), sum(s.false for s in scores)
        said[name] = (f"{found:.0f} of {total}, " if total else "") + f"{false:.0f} false flags"
    return said


def same_code(evidence: Evidence) -> Outcome:
    """A/A: 59 comparisons of the same code with its relinked copy, each of 100 rounds drawn from those recorded."""
    recording = evidence["injected"]
    head = uniform(recording, "relink")
    comparisons = [compose(recording, "base", head, rounds=subset(len(recording.rounds), 100, seed)) for seed in range(58)]
    comparisons.append(compose(recording, "base", head))
    flags = [sum(flag != 0 for flag in flags_of(ours(each, evidence.calibration)).values()) for each in comparisons]
    return Outcome("A/A, relinked, 59 comparisons", "no flag in any",
                   f"{sum(flags)} flags in 59 comparisons of {len(head)} rows", sum(flags) == 0,
                   {name: f"{text} in one comparison of {len(head)} rows" for name, text in
                    _others([(comparisons[-1], set())], _raw_rounds(recording), 0).items()})


def shuffled(evidence: Evidence) -> Outcome:
    """20 links whose layout the calibration never saw."""
    recording = evidence["layouts"]
    comparisons = [compose(recording, "base", uniform(recording, arm)) for arm in recording.arms if arm != "base"]
    flags = [sum(flag != 0 for flag in flags_of(ours(each, evidence.calibration)).values()) for each in comparisons]
    return Outcome("20 layout-shuffled A/A", "at most 1 flag", f"{sum(flags)} flags in {len(comparisons)} comparisons "
                   f"({len(comparisons) * len(evidence.calibration.floors)} rows)", sum(flags) <= 1,
                   _others([(each, set()) for each in comparisons], _raw_rounds(recording), 0))


def injected(evidence: Evidence, arm: str, bar: int, chosen: list[set[str]]) -> Outcome:
    """Each set of scenarios is one comparison in which these run with extra work and all others do not."""
    recording = evidence["injected"]
    same: Choice = uniform(recording, "relink")
    comparisons, found, false = [], 0, 0
    for touched in chosen:
        made = compose(recording, "base", {**same, **dict.fromkeys(touched, arm)})
        score = score_flags(flags_of(ours(made, evidence.calibration)), touched)
        found += score.found == len(touched) and score.false == 0
        false += score.false
        comparisons.append((made, touched))
    percent = int(arm[1:]) / 10
    total = sum(len(touched) for touched in chosen)
    return Outcome(f"injected +{percent:g}%, {len(chosen)} comparisons", f"at least {bar}",
                   f"{found} right of {len(chosen)}, {false} false flags", found >= bar,
                   _others(comparisons, _raw_rounds(recording), total))


def coverage(evidence: Evidence, n_replays: int = 200, size: int = 20) -> Outcome:
    """Intervals of the same code: how many hold the truth, which is no change. Each replay draws its rounds anew."""
    recording = evidence["injected"]
    names = recording.scenarios("base")
    logs = {name: recording.log_ratios("base", "relink", name, name) for name in names}
    inside = 0
    for seed in range(n_replays):
        drawn = subset(len(recording.rounds), size, 1000 + seed)
        found = [estimate(tuple(logs[name][i] for i in drawn)) for name in names]
        inside += sum(each.low <= 0.0 <= each.high for each in found)
    share = inside / (n_replays * len(names))
    return Outcome(f"interval coverage over {n_replays} replays of {size} rounds", "93 to 97%",
                   f"{100 * share:.1f}% of {n_replays * len(names)} intervals", 0.93 <= share <= 0.97)


def busy(evidence: Evidence) -> Outcome:
    """One core spins through memory. No flag on same code; no green tick on 20% more work."""
    recording = evidence["busy"]
    same = ours(compose(recording, "base", uniform(recording, "relink")), evidence.calibration)
    slow = ours(compose(recording, "base", uniform(recording, "x200")), evidence.calibration)
    false = sum(flag != 0 for flag in flags_of(same).values()) + sum(row.status in (Status.STEADY, Status.FASTER) for row in slow)
    found = sum(row.status is Status.SLOWER for row in slow)
    blind = sum(row.status is Status.INSENSITIVE for row in same)
    touched = set(recording.scenarios("x200"))
    others = _others([(compose(recording, "base", uniform(recording, "relink")), set()),
                      (compose(recording, "base", uniform(recording, "x200")), touched)], _raw_rounds(recording), len(touched))
    return Outcome("the other core kept busy", "no false verdict", f"{false} false verdicts; +20% found in {found} of {len(slow)}, "
                   f"{blind} of {len(same)} same rows called insensitive", false == 0, others)


def small_steps(evidence: Evidence) -> Outcome:
    """Ten commits of +1.5% in every scenario: each against the one before, and each against the pin."""
    recording = evidence["steps"]
    arms = list(recording.arms)
    loud, first, over_at_4 = 0, 0, 0
    comparisons = []
    for step in range(1, len(arms)):
        made = compose(recording, arms[step - 1], uniform(recording, arms[step]), pin="base")
        comparison = compare(made, evidence.calibration, pin=Pin(revision="pin"))
        loud += sum(flag != 0 for flag in flags_of(comparison.rows).values())
        over = sum(drift.over for drift in comparison.drifts)
        first = first or (step if over else 0)
        over_at_4 = over if step == 4 else over_at_4
        comparisons.append((made, set()))
    return Outcome("ten commits of +1.5%", "each quiet; the pin flags by commit 4",
                   f"{loud} flags in ten comparisons; the pin flags at commit {first or 'none'} ({over_at_4} scenarios at commit 4)",
                   loud == 0 and 0 < first <= 4,
                   {name: f"{text} in ten comparisons; no pin" for name, text in
                    _others(comparisons, _raw_rounds(recording), 0).items()})


def sensitivity(evidence: Evidence, scenario: str, rows: int = 59) -> float:
    """As log ratio, from rounds of the same code: known before any change is looked at."""
    logs = evidence["injected"].log_ratios("base", "relink", scenario, scenario)
    return detectable(logs, evidence.calibration.floors[scenario], 0.05 / rows)


def all_experiments(evidence: Evidence) -> list[Callable[[], Outcome]]:
    names = evidence["injected"].scenarios("base")
    keen = sorted(names, key=lambda name: sensitivity(evidence, name))[:30]
    single = [{name} for name in names]
    return [
        lambda: same_code(evidence),
        lambda: shuffled(evidence),
        lambda: injected(evidence, "x200", 59, single),
        lambda: injected(evidence, "x100", 59, [*single, set(names), set(names[::2])]),
        lambda: injected(evidence, "x50", 28, [{name} for name in keen]),
        lambda: coverage(evidence),
        lambda: busy(evidence),
        lambda: small_steps(evidence),
    ]


def without_alignment(evidence: Evidence) -> Calibration:
    """The same links, compiled without build.ALIGN_FLAGS."""
    return calibrate(evidence["unaligned"])


def sensitive_enough(evidence: Evidence, percent: float) -> int:
    return sum(sensitivity(evidence, name) <= math.log1p(percent / 100) for name in evidence["injected"].scenarios("base"))
