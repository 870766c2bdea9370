"""Measures arms in rounds. In a round every arm's programs run once, back to back, in an order drawn by seed."""

import datetime
import os
import random
from collections.abc import Callable

from .errors import ToolError
from .google_json import Measured, metric_of
from .host import host_facts
from .process import Program, Sampling, measure
from .rounds import Arm, Recording, Round


def record(arms: dict[str, Arm], programs: dict[str, list[Program]], n_rounds: int, seed: int, sampling: Sampling,
           metric: str = "auto", progress: Callable[[int], None] = lambda done: None) -> Recording:
    """`programs[arm]` are the executables of an arm; the i-th of all arms run back to back. `metric`: real, cpu or auto
    (the clock that a scenario's author chose)."""
    draw = random.Random(seed)
    recording = Recording(arms=arms, rounds=[], host=host_facts(), seed=seed, created=_now())
    names = list(programs)
    for index in range(n_rounds):
        order = draw.sample(names, len(names))
        each = Round(order=order, times={name: {} for name in names}, load=os.getloadavg()[0])
        for position in range(max(len(list_) for list_ in programs.values())):
            # One seed for all arms: they run the same scenarios in the same order.
            order_seed = draw.getrandbits(63)
            for name in order:
                if position < len(programs[name]):
                    found = measure(programs[name][position], sampling, order_seed)
                    _keep(arms[name], each.times[name], found, metric)
        recording.rounds.append(each)
        progress(index + 1)
    return recording


def record_alternating(arms: dict[str, Arm], program: Program, n_rounds: int, seed: int, sampling: Sampling,
                       metric: str = "auto", progress: Callable[[int], None] = lambda done: None) -> Recording:
    """Both arms in one process: the program names its scenarios `a:NAME` (base) and `b:NAME` (head) and Google Benchmark
    shuffles their repetitions, so they alternate within milliseconds. The process is still the unit."""
    draw = random.Random(seed)
    recording = Recording(arms=arms, rounds=[], host=host_facts(), seed=seed, created=_now())
    for index in range(n_rounds):
        found = measure(program, sampling, draw.getrandbits(63))
        each = Round(order=["base", "head"], times={"base": {}, "head": {}}, load=os.getloadavg()[0])
        for arm, mark in (("base", "a:"), ("head", "b:")):
            own = {name.removeprefix(mark): measured for name, measured in found.items() if name.startswith(mark)}
            if not own:
                raise ToolError(f"{program.path} has no scenarios that start with {mark!r}: it does not offer to alternate "
                                "two plug-ins, or they have none; see tools/benchdiff/README.md")
            _keep(arms[arm], each.times[arm], own, metric)
        recording.rounds.append(each)
        progress(index + 1)
    return recording


def _now() -> str:
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")


def _keep(arm: Arm, times: dict[str, list[float]], found: dict[str, Measured], metric: str) -> None:
    for scenario, measured in found.items():
        if scenario in times:
            raise ToolError(f"two benchmarks are called {scenario!r}; names have to be unique over all targets")
        if measured.error:
            arm.errors[scenario] = measured.error
            continue
        times[scenario] = measured.times(metric_of(scenario) if metric == "auto" else metric)
        if measured.label:
            arm.labels[scenario] = measured.label
        _keep_counters(arm, scenario, measured.counters)


def _keep_counters(arm: Arm, scenario: str, counters: dict[str, float]) -> None:
    """A counter that differs between two processes of one arm is a rate or noise, and no evidence: it becomes None."""
    if scenario not in arm.counters:
        arm.counters[scenario] = dict(counters)
        return
    kept = arm.counters[scenario]
    for name in set(kept) | set(counters):
        if kept.get(name) != counters.get(name):
            kept[name] = None
