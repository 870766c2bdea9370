"""What can be said about a row and about a whole comparison, and the exit code of each."""

from dataclasses import dataclass, field
from enum import Enum

from .signed_rank import Estimate


class Status(Enum):
    """A row's. The value is what a reader sees."""

    SLOWER = "🔴 slower"
    RESULT = "🔴 result differs"
    ROUTE = "🔴 route differs"
    MORE_WORK = "🔴 more work"
    FASTER = "🟢 faster"
    STEADY = "✅ steady"
    INSENSITIVE = "⚪ insensitive"
    INCONCLUSIVE = "❔ INCONCLUSIVE"
    CONTROL = "▫️ control"
    CONTROL_MOVED = "❌ control moved"
    FAILED = "🔴 fails"
    ADDED = "➕ added"
    REMOVED = "⚠️ removed"
    RENAMED = "⚠️ renamed?"


REGRESSIONS = {Status.SLOWER, Status.RESULT, Status.ROUTE, Status.MORE_WORK, Status.FAILED}
UNDECIDED = {Status.INSENSITIVE, Status.INCONCLUSIVE}
FINE, REGRESSION, INCONCLUSIVE, TOOL_ERROR = 0, 1, 2, 3  # exit codes


@dataclass
class Row:
    scenario: str
    status: Status
    base_ns: float | None = None  # median of the process medians
    head_ns: float | None = None
    ratio: Estimate | None = None  # log of head to base
    p_slower: float = 1.0  # adjusted over the family
    p_faster: float = 1.0
    floor: float | None = None  # log ratio; None: not calibrated
    detectable: float | None = None  # log ratio
    evidence: list[str] = field(default_factory=list)  # what counters say
    note: str = ""


@dataclass
class Drift:
    """A row of the comparison with the pinned baseline."""

    scenario: str
    ratio: Estimate  # log of head to pin
    acknowledged: float  # log ratio that someone signed for
    budget: float  # log ratio allowed beyond it
    p_over: float  # adjusted: that the budget is not exceeded
    over: bool


@dataclass
class Comparison:
    rows: list[Row]
    drifts: list[Drift] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    void: str = ""  # why nothing can be concluded

    def exit_code(self) -> int:
        if self.void:
            return INCONCLUSIVE
        if any(row.status in REGRESSIONS for row in self.rows) or any(drift.over for drift in self.drifts):
            return REGRESSION
        return INCONCLUSIVE if not self.rows or any(row.status in UNDECIDED for row in self.rows) else FINE

    def headline(self) -> str:
        if self.void:
            return f"VOID: {self.void}"
        bad = sum(row.status in REGRESSIONS for row in self.rows)
        over = sum(drift.over for drift in self.drifts)
        undecided = sum(row.status in UNDECIDED for row in self.rows)
        parts = [f"{bad} regressed" if bad else "", f"{over} over the drift budget" if over else "",
                 f"{undecided} undecided" if undecided else ""]
        said = ", ".join(part for part in parts if part)
        word = {FINE: "fine", REGRESSION: "REGRESSION", INCONCLUSIVE: "INCONCLUSIVE"}[self.exit_code()]
        return f"{word}: {said}" if said else f"{word}: nothing slower, every row sensitive"
