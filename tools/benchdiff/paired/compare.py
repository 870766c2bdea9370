"""From recorded rounds to verdicts. A pure function of its arguments: a replay gives the same answer."""

import math
from dataclasses import dataclass, field

from .calibration import Calibration
from .controls import is_control, rules_of
from .errors import ToolError
from .evidence import MOST_INSTRUCTIONS, counter_findings, instruction_ratio
from .holm import adjusted
from .names import match
from .pin import Pin, drifts_of
from .rounds import Arm, Recording
from .signed_rank import detectable, estimate, p_above, p_below, smallest_level
from .verdict import Comparison, Row, Status


@dataclass(frozen=True)
class Rules:
    """How much is allowed to be wrong, and how blind a row may be."""

    level: float = 0.05  # chance of any false "slower" in a comparison, and again of any false "faster"
    most_detectable: float = math.log(1.10)  # a row that could not see this is no green tick
    renamed: dict[str, str] = field(default_factory=dict)


def compare(recording: Recording, calibration: Calibration | None, rules: Rules = Rules(), pin: Pin | None = None,
            base: str = "base", head: str = "head") -> Comparison:
    for arm in (base, head):
        if arm not in recording.arms:
            raise ToolError(f"the recording has no arm {arm!r}, only {', '.join(recording.arms)}")
    matching = match(recording.scenarios(base), recording.scenarios(head), rules.renamed)
    stale = calibration.stale(recording) if calibration else "there is no calibration; make one with 'benchdiff calibrate'"
    floors = calibration.floors if calibration and not stale else {}
    control_rules = rules_of(recording.settings)
    measured, controls = [], []
    for pair in matching.pairs:
        control = is_control(pair[1], control_rules, recording.arms[base], recording.arms[head])
        (controls if control else measured).append(pair)

    rows = _timed(recording, base, head, measured, floors, rules)
    for row, pair in zip(rows, measured, strict=True):
        _weigh_counters(row, recording.arms[base], recording.arms[head], *pair)
    control_rows = _timed(recording, base, head, controls, floors, rules)
    for row in control_rows:
        row.status = (Status.CONTROL_MOVED if row.status in (Status.SLOWER, Status.FASTER)
                      else Status.INCONCLUSIVE if row.status is Status.INCONCLUSIVE else Status.CONTROL)
    comparison = Comparison(rows + control_rows + _failed(recording.arms[base], recording.arms[head]))
    _list_unmatched(comparison, recording, base, head, matching.added, matching.removed, matching.perhaps_renamed)
    if stale and matching.pairs:
        comparison.warnings.append(stale)
    moved = [row.scenario for row in control_rows if row.status is Status.CONTROL_MOVED]
    if moved:
        comparison.void = f"control scenarios moved that the change cannot touch: {', '.join(moved)}"
    if pin is not None and "pin" in recording.arms:
        comparison.drifts = drifts_of(recording, head, pin, floors, rules.level)
    return comparison


def _timed(recording: Recording, base: str, head: str, pairs: list[tuple[str, str]], floors: dict[str, float],
           rules: Rules) -> list[Row]:
    rows, slower, faster = [], [], []
    for base_name, head_name in pairs:
        logs = recording.log_ratios(base, head, base_name, head_name)
        floor = floors.get(head_name, floors.get(base_name))
        margin = floor if floor is not None else 0.0
        row = Row(head_name if base_name == head_name else f"{base_name} → {head_name}", Status.STEADY,
                  recording.typical_ns(base, base_name), recording.typical_ns(head, head_name), estimate(logs), floor=floor)
        row.detectable = detectable(logs, margin, rules.level / len(pairs))
        rows.append(row)
        slower.append(p_above(logs, margin))
        faster.append(p_below(logs, -margin))
    for row, up, down in zip(rows, adjusted(slower), adjusted(faster), strict=True):
        row.p_slower, row.p_faster = up, down
        _judge(row, len(recording.rounds), len(rows), rules)
    return rows


def _judge(row: Row, n_rounds: int, n_rows: int, rules: Rules) -> None:
    if smallest_level(n_rounds) * n_rows > rules.level:
        least = math.ceil(math.log2(n_rows / rules.level))
        row.status, row.note = Status.INCONCLUSIVE, f"{n_rounds} rounds; {n_rows} rows need {least} or more"
    elif row.floor is None:
        row.status, row.note = Status.INCONCLUSIVE, "no floor: not calibrated"
    elif row.p_slower <= rules.level:
        row.status = Status.SLOWER
    elif row.p_faster <= rules.level:
        row.status = Status.FASTER
    elif row.detectable is None or row.detectable > rules.most_detectable:
        row.status = Status.INSENSITIVE


def _weigh_counters(row: Row, base: Arm, head: Arm, base_name: str, head_name: str) -> None:
    """Counters are exact and need no calibration: what they find stands before what the clock says."""
    finding, row.evidence = counter_findings(base, head, base_name, head_name)
    ratio = instruction_ratio(base, head, base_name, head_name)
    if ratio is not None and abs(ratio - 1) > 0.001:
        row.evidence.append(f"instructions {100 * (ratio - 1):+.1f}%")
    if finding is None and ratio is not None and ratio > MOST_INSTRUCTIONS and row.status is not Status.FASTER:
        finding = Status.MORE_WORK
    if finding is not None and row.status is not Status.SLOWER:
        row.status = finding


def _failed(base: Arm, head: Arm) -> list[Row]:
    """Scenarios that stopped with an error in head. Those that fail in base too are no news, and no row."""
    return [Row(name, Status.FAILED, note=message) for name, message in sorted(head.errors.items()) if name not in base.errors]


def _list_unmatched(comparison: Comparison, recording: Recording, base: str, head: str, added: list[str],
                    removed: list[str], renamed: list[tuple[str, str]]) -> None:
    guessed = dict(renamed)
    for name in removed:
        row = Row(name, Status.REMOVED, base_ns=recording.typical_ns(base, name))
        if name in guessed:
            row.status, row.note = Status.RENAMED, f"perhaps now {guessed[name]}; say so with --renamed to compare them"
        elif name in recording.arms[head].errors:
            continue  # it fails: that is a row already
        comparison.rows.append(row)
        comparison.warnings.append(f"{name} is no longer measured" + (f" ({row.note})" if row.note else ""))
    comparison.rows += [Row(name, Status.ADDED, head_ns=recording.typical_ns(head, name)) for name in added]
