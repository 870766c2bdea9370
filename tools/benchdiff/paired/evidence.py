"""Counters: what a change did without asking a clock. The names of a benchmark's own counters say what they are.

`digest:*`  must be equal: a checksum of the result or of the tokens written.
`route:*`   must be equal: how many ops which backend ran. Which kernel runs is a choice; it must not change unseen.
`alloc*`, `bytes*`   must not grow: allocations, bytes touched. Rates (a name that ends in /s) are no counts.
"""

from collections.abc import Mapping

from .rounds import Arm
from .verdict import Status

MOST_INSTRUCTIONS = 1.03  # a ratio; below it compilers and libraries differ without anyone's doing


def counter_findings(base: Arm, head: Arm, base_name: str, head_name: str) -> tuple[Status | None, list[str]]:
    """The worst finding and what is shown of all of them."""
    before, after = base.counters.get(base_name, {}), head.counters.get(head_name, {})
    worst: Status | None = None
    shown: list[str] = []
    for name in sorted(set(before) | set(after)):
        status = _judge(name, before, after)
        if status is not None:
            shown.append(f"{name} {_number(before.get(name))} -> {_number(after.get(name))}")
            worst = _worse(worst, status)
    if base.labels.get(base_name, "") != head.labels.get(head_name, ""):
        shown.append(f"label {base.labels.get(base_name, '')!r} -> {head.labels.get(head_name, '')!r}")
    return worst, shown


def routes(arm: Arm, scenario: str) -> str:
    counters = arm.counters.get(scenario, {})
    return ", ".join(f"{name.removeprefix('route:')} {_number(value)}" for name, value in sorted(counters.items())
                     if name.startswith("route:") and value is not None)


def instruction_ratio(base: Arm, head: Arm, base_name: str, head_name: str) -> float | None:
    before, after = base.instructions.get(base_name), head.instructions.get(head_name)
    return after / before if before and after is not None else None


def _judge(name: str, before: Mapping[str, float | None], after: Mapping[str, float | None]) -> Status | None:
    old, new = before.get(name, 0.0), after.get(name, 0.0)
    if old is None or new is None or old == new:  # it varies from process to process, or nothing changed
        return None
    if name.startswith("route:"):  # no such counter: the backend ran nothing
        return Status.ROUTE
    if name not in before or name not in after:
        return None
    if name.startswith("digest:"):
        return Status.RESULT
    if name.startswith(("alloc", "bytes")) and not name.endswith("/s"):
        return Status.MORE_WORK if new > old else None
    return None


def _worse(one: Status | None, other: Status) -> Status:
    order = [Status.RESULT, Status.ROUTE, Status.MORE_WORK]
    return other if one is None or order.index(other) < order.index(one) else one


def _number(value: float | None) -> str:
    if value is None:
        return "none"
    return str(int(value)) if float(value).is_integer() else f"{value:.6g}"
