"""Plots as SVG text: forest, rounds, drift."""

import math
from html import escape

from . import words
from .rounds import Recording
from .verdict import REGRESSIONS, Comparison, Row, Status

_WIDTH, _NAMES = 980, 430
_COLOURS = {"bad": "#c0392b", "good": "#1e8449", "plain": "#34495e", "pale": "#a6acaf"}


def _svg(width: int, height: int, body: list[str], title: str) -> str:
    return (f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
            f'xmlns="http://www.w3.org/2000/svg"><title>{escape(title)}</title>' + "".join(body) + "</svg>")


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1.0) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"/>'


def _colour(status: Status) -> str:
    if status in REGRESSIONS or status is Status.CONTROL_MOVED:
        return _COLOURS["bad"]
    if status is Status.FASTER:
        return _COLOURS["good"]
    return _COLOURS["plain"] if status is Status.STEADY else _COLOURS["pale"]


def forest(rows: list[Row]) -> str:
    """A row a scenario: its interval, its estimate, and the band of its floor."""
    shown = [row for row in rows if row.ratio is not None]
    finite = [abs(x) for row in shown for x in (row.ratio.low, row.ratio.high) if math.isfinite(x)]
    reach = min(max([0.03, *finite]) * 1.1, 2.0)

    def x_of(log_ratio: float) -> float:
        return _NAMES + (max(-reach, min(reach, log_ratio)) + reach) / (2 * reach) * (_WIDTH - _NAMES - 20)

    body = []
    for i, row in enumerate(shown):
        y, colour = 34 + 17 * i, _colour(row.status)
        if row.floor is not None:
            body.append(f'<rect x="{x_of(-row.floor):.1f}" y="{y - 7}" width="{x_of(row.floor) - x_of(-row.floor):.1f}" '
                        'height="14" fill="#eaecee"/>')
        body += [_line(x_of(row.ratio.low), y, x_of(row.ratio.high), y, colour, 2),
                 f'<circle cx="{x_of(row.ratio.centre):.1f}" cy="{y}" r="3.5" fill="{colour}"><title>'
                 f'{escape(row.scenario)}: {words.change(row.ratio.centre)} ({words.interval(row.ratio)})</title></circle>',
                 _text(_NAMES - 8, y + 4, _short(row.scenario), "end")]
    height = 34 + 17 * len(shown) + 10
    ticks = [_line(x_of(t), 22, x_of(t), height - 10, "#d5d8dc") + _text(x_of(t), 15, words.change(t), "middle")
             for t in (-reach, -reach / 2, 0.0, reach / 2, reach)]
    return _svg(_WIDTH, height, ticks + body, "Change of each scenario with its 95% interval; grey: the layout floor")


def rounds(recording: Recording, row: Row, base: str = "base", head: str = "head") -> str:
    """The ratio of each round, in the order in which they ran: a disturbed stretch or a trend is seen here."""
    old, new = (row.scenario.split(" → ") * 2)[:2]
    logs = recording.log_ratios(base, head, old, new)
    reach = max([0.03, *(abs(d) for d in logs)])
    width, height = 300, 90

    def y_of(log_ratio: float) -> float:
        return height / 2 - log_ratio / reach * (height / 2 - 14)

    step = (width - 20) / max(1, len(logs))
    points = [f'<circle cx="{10 + step * (i + 0.5):.1f}" cy="{y_of(d):.1f}" r="2" fill="{_colour(row.status)}"/>'
              for i, d in enumerate(logs)]
    centre = y_of(row.ratio.centre) if row.ratio else height / 2
    body = [_line(10, y_of(0), width - 10, y_of(0), "#aab7b8"), _line(10, centre, width - 10, centre, _colour(row.status)),
            *points, _text(10, 10, _short(row.scenario, 44)), _text(width - 10, height - 2, f"±{words.size(reach)}", "end")]
    return _svg(width, height, body, f"{row.scenario}: ratio in each round")


def drift(history: list[dict], comparison: Comparison) -> str:
    """Ratio to the pin over the comparisons that were made, for the scenarios that lie highest and lowest."""
    names = sorted((d.scenario for d in comparison.drifts), key=lambda name: -abs(history[-1]["log_ratios"].get(name, 0.0)))[:8]
    width, height = _WIDTH, 260
    values = [entry["log_ratios"].get(name) for entry in history for name in names]
    reach = max([0.05, *(abs(v) for v in values if v is not None)]) * 1.1

    def at(i: int, value: float) -> tuple[float, float]:
        return 60 + i * (width - 480) / max(1, len(history) - 1), height / 2 - value / reach * (height / 2 - 20)

    body = [_line(60, at(0, t)[1], width - 420, at(0, t)[1], "#d5d8dc") + _text(52, at(0, t)[1] + 4, words.change(t), "end")
            for t in (-reach, 0.0, math.log(1.03), reach)]
    for k, name in enumerate(names):
        colour = f"hsl({k * 45}, 60%, 40%)"
        points = [at(i, e["log_ratios"][name]) for i, e in enumerate(history) if name in e["log_ratios"]]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>' for x, y in points)
        body.append(f'<polyline points="{path}" fill="none" stroke="{colour}"/>{dots}'
                    f'<text x="{width - 408}" y="{24 + 18 * k}" fill="{colour}">{escape(_short(name, 58))}</text>')
    return _svg(width, height, body, "Ratio to the pinned baseline over the comparisons")


def _short(name: str, most: int = 62) -> str:
    return name if len(name) <= most else name[: most // 2 - 1] + "…" + name[-(most // 2):]
