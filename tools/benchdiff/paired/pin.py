"""A pinned baseline: small steps, each too small to be seen, add up, and the pin sees the sum.

The pinned revision is built and run as a third arm of every comparison. The ratio of head to it may exceed what was
last acknowledged by no more than the budget. An acknowledgement is a signed decision: who reads the file sees why.
"""

import json
import math
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .errors import ToolError
from .holm import adjusted
from .rounds import Recording
from .signed_rank import estimate, p_above
from .verdict import Drift

FORMAT = "benchdiff-pin/1"
BUDGET = math.log(1.03)


@dataclass
class Pin:
    revision: str
    acknowledged: dict[str, dict[str, Any]] = field(default_factory=dict)  # scenario -> log_ratio, revision, reason, date
    history: list[dict[str, Any]] = field(default_factory=list)  # a comparison: revision, date, log_ratios

    def allowed(self, scenario: str) -> float:
        return float(self.acknowledged.get(scenario, {}).get("log_ratio", 0.0))


def drifts_of(recording: Recording, head: str, pin: Pin, floors: dict[str, float], level: float) -> list[Drift]:
    """Only calibrated scenarios: a budget below the floor would gate on layout luck, so the floor is the least budget."""
    names = sorted(set(recording.scenarios("pin")) & set(recording.scenarios(head)) & set(floors))
    logs = {name: recording.log_ratios("pin", head, name, name) for name in names}
    budgets = {name: max(BUDGET, floors[name]) for name in names}
    over = adjusted([p_above(logs[name], pin.allowed(name) + budgets[name]) for name in names])
    return [Drift(name, estimate(logs[name]), pin.allowed(name), budgets[name], p, p <= level)
            for name, p in zip(names, over, strict=True)]


def remember(pin: Pin, recording: Recording, drifts: list[Drift], head: str = "head") -> None:
    """Keeps the ratios to the pin, for the plot of drift."""
    pin.history.append({"revision": recording.arms[head].revision, "date": recording.created,
                        "log_ratios": {drift.scenario: round(drift.ratio.centre, 5) for drift in drifts}})


def acknowledge(pin: Pin, recording: Recording, drifts: list[Drift], scenarios: list[str], reason: str,
                head: str = "head") -> list[str]:
    """From now on the budget of these scenarios counts from what they cost today. Gives back what was acknowledged."""
    known = {drift.scenario: drift for drift in drifts}
    unknown = [name for name in scenarios if name not in known]
    if unknown:
        raise ToolError(f"not compared with the pin: {', '.join(unknown)}")
    chosen = scenarios or [drift.scenario for drift in drifts if drift.over]
    for name in chosen:
        pin.acknowledged[name] = {"log_ratio": round(known[name].ratio.centre, 5), "reason": reason,
                                  "revision": recording.arms[head].revision, "date": recording.created}
    return chosen


def save(pin: Pin, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"format": FORMAT, **asdict(pin)}, indent=1), encoding="utf-8")


def load(path: Path) -> Pin | None:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document.pop("format") != FORMAT:
            raise ValueError(f"its format is not {FORMAT!r}")
        return Pin(**document)
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise ToolError(f"{path} is no pin: {problem}") from None
