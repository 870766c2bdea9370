"""The report as Markdown: the old form first, what it rests on second, drift third."""

from . import words
from .evidence import routes
from .rounds import Recording
from .verdict import Comparison, Row, Status

_SORTED_LAST = {Status.ADDED, Status.REMOVED, Status.RENAMED, Status.CONTROL}


def report(comparison: Comparison, recording: Recording, base: str = "base", head: str = "head") -> str:
    rows = sorted(comparison.rows, key=_order)
    parts = [f"## Benchmarks: {comparison.headline()}", _warnings(comparison), _first_table(rows), _host(recording, base, head),
             "**What this cannot catch:** " + "; ".join(words.CANNOT_CATCH) + ".",
             "### What the rows rest on", _second_table(rows, recording, base, head), _notes(rows)]
    if comparison.drifts:
        parts += ["### Drift since the pin", _drift_table(comparison)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _order(row: Row) -> tuple[bool, float, str]:
    return row.status in _SORTED_LAST, -(row.ratio.centre if row.ratio else 0.0), row.scenario


def _table(head: list[str], lines: list[list[str]]) -> str:
    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    return "\n".join([line(head), "|" + "---|" * len(head), *(line(cells) for cells in lines)])


def _first_table(rows: list[Row]) -> str:
    return _table(["Status", "Scenario", "Base", "PR", "Change"],
                  [[row.status.value, row.scenario, words.time(row.base_ns), words.time(row.head_ns),
                    words.change(row.ratio.centre if row.ratio else None)] for row in rows])


def _second_table(rows: list[Row], recording: Recording, base: str, head: str) -> str:
    lines = []
    for row in rows:
        if row.ratio is None:
            continue
        p = min(row.p_slower, row.p_faster)
        blind = row.status is Status.INSENSITIVE
        lines.append([row.scenario, words.interval(row.ratio), words.probability(p), words.size(row.floor),
                      words.size(row.detectable) + (" (insensitive)" if blind else ""),
                      _instructions(row, recording, base, head), _routes(row, recording, head), "; ".join(row.evidence) or "–"])
    return _table(["Scenario", "95% interval", "Adjusted p", "Floor", "Sees from", "Instructions", "Routes", "Counters"], lines)


def _instructions(row: Row, recording: Recording, base: str, head: str) -> str:
    before = recording.arms[base].instructions.get(row.scenario)
    after = recording.arms[head].instructions.get(row.scenario)
    return "–" if before is None or after is None else f"{before:,} → {after:,}"


def _routes(row: Row, recording: Recording, head: str) -> str:
    return routes(recording.arms[head], row.scenario) or "–"


def _drift_table(comparison: Comparison) -> str:
    drifts = sorted(comparison.drifts, key=lambda drift: drift.acknowledged - drift.ratio.centre)
    return _table(["Status", "Scenario", "Since the pin", "95% interval", "Acknowledged", "Budget", "Adjusted p"],
                  [["🔴 over" if drift.over else "✅ within", drift.scenario, words.change(drift.ratio.centre),
                    words.interval(drift.ratio), words.change(drift.acknowledged), words.size(drift.budget),
                    words.probability(drift.p_over)] for drift in drifts])


def _warnings(comparison: Comparison) -> str:
    return "\n".join(f"> ⚠️ {warning}" for warning in comparison.warnings)


def _notes(rows: list[Row]) -> str:
    noted = [row for row in rows if row.note]
    if not noted:
        return ""
    common = {row.note for row in noted}
    if len(common) == 1 and len(noted) > 3:
        return f"{len(noted)} rows: {noted[0].note}."
    return "\n".join(f"- {row.scenario}: {row.note}" for row in noted)


def _host(recording: Recording, base: str, head: str) -> str:
    facts = ", ".join(f"{name} {value}" for name, value in recording.host.items())
    loads = [each.load for each in recording.rounds]
    load = f", load {min(loads):.1f} to {max(loads):.1f}" if loads else ""
    revisions = f"base {recording.arms[base].revision[:12] or '?'}, PR {recording.arms[head].revision[:12] or '?'}"
    return (f"Host: {facts}{load}. {recording.settings.get('build', '')}. {revisions}. "
            f"{len(recording.rounds)} rounds from {recording.created}, seed {recording.seed}.")
