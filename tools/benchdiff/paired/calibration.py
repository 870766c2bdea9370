"""What the same code differs by: several links of one revision, measured like any comparison.

The floor of a scenario is the spread between the links, fastest to slowest; a change has to exceed it. Noise is no part
of a floor, each run measures its own: of the spread, the share of variance that the noise explains is taken off. A
floor is known for one machine, compiler and set of options, and for a
limited time; whatever does not match is stale, and a row without a floor is INCONCLUSIVE.
"""

import datetime
import json
import math
import statistics
from dataclasses import asdict, dataclass, field
from pathlib import Path

from .errors import ToolError
from .host import fingerprint
from .rounds import Recording
from .signed_rank import estimate

FORMAT = "benchdiff-calibration/1"
LEAST_FLOOR = math.log(1.015)  # what is smaller is not worth a stop; the pin sees when it adds up
LEAST_LINKS = 4
_NORMAL_95 = 1.96  # half of a 95% interval in standard errors
MOST_DAYS = 30


@dataclass
class Calibration:
    machine: str  # host.fingerprint
    build: str  # what was built and how: Settings.build_key
    created: str  # ISO 8601, UTC
    links: int
    rounds: int
    floors: dict[str, float] = field(default_factory=dict)  # scenario -> log ratio

    def stale(self, recording: Recording) -> str:
        """Why it does not hold for a recording; empty where it does."""
        if self.machine != fingerprint(recording.host):
            return f"the calibration is of another machine ({self.machine})"
        if self.build != recording.settings.get("build", ""):
            return f"the calibration is of another build ({self.build})"
        if self.links < LEAST_LINKS:
            return f"the calibration has {self.links} links; {LEAST_LINKS} or more are needed"
        age = _days_between(self.created, recording.created)
        return f"the calibration is {age} days old; {MOST_DAYS} are allowed" if age > MOST_DAYS else ""


def calibrate(recording: Recording) -> Calibration:
    """From a recording whose arms are links of one revision."""
    arms = list(recording.arms)
    shared = set.intersection(*(set(recording.scenarios(arm)) for arm in arms))
    floors = {name: max(LEAST_FLOOR, _spread(recording, arms, name)) for name in sorted(shared)}
    return Calibration(fingerprint(recording.host), recording.settings.get("build", ""), recording.created,
                       len(arms), len(recording.rounds), floors)


def _spread(recording: Recording, arms: list[str], scenario: str) -> float:
    """Log ratio of the slowest link to the fastest. In each round the mean over the links is taken off first: what
    slows a whole round says nothing about a link."""
    rows = [[math.log(statistics.median(each.times[arm][scenario])) for arm in arms] for each in recording.rounds]
    means = [statistics.fmean(row) for row in rows]
    links = [estimate(tuple(row[i] - mean for row, mean in zip(rows, means, strict=True))) for i in range(len(arms))]
    centres = [link.centre for link in links]
    if not math.isfinite(links[0].low):
        raise ToolError(f"{len(rows)} rounds are too few to calibrate; 6 or more are needed")
    noise = statistics.fmean(((link.high - link.low) / (2 * _NORMAL_95)) ** 2 for link in links)
    variance = statistics.variance(centres)
    real = max(0.0, 1 - noise / variance) if variance > 0 else 0.0
    return (max(centres) - min(centres)) * math.sqrt(real)


def save(calibration: Calibration, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"format": FORMAT, **asdict(calibration)}, indent=1), encoding="utf-8")


def load(path: Path) -> Calibration | None:
    """None where there is no such file: the rows will say so."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document.pop("format") != FORMAT:
            raise ValueError(f"its format is not {FORMAT!r}")
        return Calibration(**document)
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise ToolError(f"{path} is no calibration: {problem}; make one with 'benchdiff calibrate'") from None


def _days_between(early: str, late: str) -> int:
    try:
        return abs(datetime.datetime.fromisoformat(late) - datetime.datetime.fromisoformat(early)).days
    except (ValueError, TypeError):
        return MOST_DAYS + 1
