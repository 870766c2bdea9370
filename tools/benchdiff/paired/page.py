"""The report as one HTML page that needs nothing else."""

from html import escape

from . import plots, words
from .pin import Pin
from .rounds import Recording
from .verdict import Comparison, Row, Status

_STYLE = """body{font:14px/1.45 system-ui,sans-serif;max-width:1100px;margin:2em auto;padding:0 1em;color:#1c2833}
table{border-collapse:collapse;font-size:13px}td,th{padding:2px 10px 2px 0;text-align:left;border-bottom:1px solid #e5e8e8}
td.n{text-align:right;font-variant-numeric:tabular-nums}svg text{font:11px system-ui,sans-serif;fill:#34495e}
.rounds svg{margin:0 10px 10px 0}.warn{color:#9c640c}"""
_MOST_ROUND_PLOTS = 60


def page(comparison: Comparison, recording: Recording, pin: Pin | None, base: str = "base", head: str = "head") -> str:
    rows = sorted(comparison.rows, key=lambda row: (row.ratio is None, -(row.ratio.centre if row.ratio else 0), row.scenario))
    paired = [row for row in rows if row.ratio is not None]
    parts = [f"<h1>{escape(comparison.headline())}</h1>", *(f'<p class="warn">{escape(w)}</p>' for w in comparison.warnings),
             _facts(recording, base, head), "<h2>Change</h2>", plots.forest(paired), _table(rows)]
    if comparison.drifts and pin is not None and pin.history:
        parts += ["<h2>Drift since the pin</h2>", plots.drift(pin.history, comparison)]
    shown = sorted(paired, key=lambda row: row.status in (Status.STEADY, Status.CONTROL))[:_MOST_ROUND_PLOTS]
    parts += ["<h2>Rounds</h2><p>The ratio of head to base in each round, in the order they ran.</p><div class=\"rounds\">",
              *(plots.rounds(recording, row, base, head) for row in shown), "</div>",
              "<h2>What this cannot catch</h2><ul>", *(f"<li>{escape(text)}</li>" for text in words.CANNOT_CATCH), "</ul>"]
    return (f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(comparison.headline())}</title>'
            f"<style>{_STYLE}</style></head><body>" + "\n".join(parts) + "</body></html>\n")


def _facts(recording: Recording, base: str, head: str) -> str:
    facts = {**recording.host, "base": recording.arms[base].revision, "head": recording.arms[head].revision,
             "rounds": len(recording.rounds), "from": recording.created, "seed": recording.seed}
    return "<p>" + " · ".join(f"{escape(str(name))} {escape(str(value))}" for name, value in facts.items()) + "</p>"


def _table(rows: list[Row]) -> str:
    lines = []
    for row in rows:
        numbers = (words.time(row.base_ns), words.time(row.head_ns), words.change(row.ratio.centre if row.ratio else None),
                   words.interval(row.ratio), words.probability(min(row.p_slower, row.p_faster)) if row.ratio else "–",
                   words.size(row.floor), words.size(row.detectable))
        text = "; ".join([*row.evidence, *([row.note] if row.note else [])])
        lines.append(f"<tr><td>{escape(row.status.value)}</td><td>{escape(row.scenario)}</td>"
                     + "".join(f'<td class="n">{escape(number)}</td>' for number in numbers) + f"<td>{escape(text)}</td></tr>")
    head = ("Status", "Scenario", "Base", "PR", "Change", "95% interval", "Adjusted p", "Floor", "Sees from", "Counters and notes")
    return "<table><tr>" + "".join(f"<th>{name}</th>" for name in head) + "</tr>" + "".join(lines) + "</table>"
