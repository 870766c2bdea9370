"""What each command does, once its options are understood."""

import datetime
import sys
from dataclasses import dataclass, field
from pathlib import Path

from . import calibration, machine, markdown, page, pin, rounds, words
from .compare import Rules, compare
from .errors import ToolError
from .session import Job, calibration_links, compare_plugins, compare_revisions
from .verdict import FINE, Comparison
from .worktree import commit_of, remove_all


@dataclass(frozen=True)
class Judging:
    """What recorded rounds are judged by, and where the reports go."""

    calibration: Path
    pin_file: Path
    renamed: dict[str, str] = field(default_factory=dict)
    out: Path | None = None


def run(job: Job, judging: Judging, base: str, head: str, pinned: str | None) -> int:
    revisions = {"base": base, "head": head}
    state = pin.load(judging.pin_file)
    if pinned is not None:
        state = _pinned(job, judging, state, pinned)
        revisions["pin"] = state.revision
    recording = compare_revisions(job, revisions)
    comparison, state = _judged(recording, judging, state, "base", "head")
    if state is not None and comparison.drifts and not comparison.void:
        pin.remember(state, recording, comparison.drifts)
        pin.save(state, judging.pin_file)
    return _report(recording, comparison, judging, state, "base", "head", _out(judging))


def run_plugins(job: Job, judging: Judging, program: Path, base: Path, head: Path) -> int:
    for path in (program, base, head):
        if not path.is_file():
            raise ToolError(f"{path} is not there")
    recording = compare_plugins(job, program, base, head)
    comparison, _ = _judged(recording, judging, None, "base", "head")
    return _report(recording, comparison, judging, None, "base", "head", _out(judging))


def replay(path: Path, judging: Judging, base: str, head: str) -> int:
    recording = rounds.load(path)
    comparison, state = _judged(recording, judging, pin.load(judging.pin_file), base, head)
    return _report(recording, comparison, judging, state, base, head, judging.out)


def acknowledge(path: Path, judging: Judging, scenarios: list[str], reason: str) -> int:
    state = pin.load(judging.pin_file)
    if state is None:
        raise ToolError(f"{judging.pin_file} is not there: nothing is pinned")
    recording = rounds.load(path)
    comparison, _ = _judged(recording, judging, state, "base", "head")
    if not comparison.drifts or comparison.void:
        raise ToolError(f"{path} gives no drift to acknowledge: {comparison.void or '; '.join(comparison.warnings) or 'it has no pin'}")
    for name in pin.acknowledge(state, recording, comparison.drifts, scenarios, reason):
        print(f"{name}: {words.change(state.allowed(name))} since {state.revision[:12]} is acknowledged")
    pin.save(state, judging.pin_file)
    return FINE


def calibrate(job: Job, revision: str, n_links: int, recorded: Path | None, target: Path, out: Path | None) -> int:
    recording = rounds.load(recorded) if recorded else calibration_links(job, revision, n_links)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        rounds.save(recording, out / "calibration-rounds.json.gz")
    found = calibration.calibrate(recording)
    calibration.save(found, target)
    floors = sorted(found.floors.values())
    if not floors:
        raise ToolError("no scenario was measured in all links")
    print(f"{len(floors)} scenarios, {found.links} links, {found.rounds} rounds: floors {words.size(floors[0])} to "
          f"{words.size(floors[-1])}, half of them under {words.size(floors[len(floors) // 2])}; written to {target}")
    return FINE


def clean(repository: Path) -> int:
    for path in remove_all(repository):
        print(f"removed {path}")
    return FINE


def _pinned(job: Job, judging: Judging, state: pin.Pin | None, revision: str) -> pin.Pin:
    if state is None:
        if not revision:
            raise ToolError(f"nothing is pinned in {judging.pin_file}; name a revision: --pin REV")
        return pin.Pin(commit_of(job.repository, revision))
    if revision and commit_of(job.repository, revision) != state.revision:
        raise ToolError(f"{state.revision[:12]} is pinned in {judging.pin_file}, with what was acknowledged since; "
                        "to pin another revision remove that file")
    return state


def _judged(recording: rounds.Recording, judging: Judging, state: pin.Pin | None, base: str,
            head: str) -> tuple[Comparison, pin.Pin | None]:
    floors = calibration.load(judging.calibration)
    if state is not None and "pin" in recording.arms and recording.arms["pin"].revision != state.revision:
        raise ToolError(f"the rounds hold the pin {recording.arms['pin'].revision[:12]}, {judging.pin_file} holds "
                        f"{state.revision[:12]}")
    return compare(recording, floors, Rules(renamed=judging.renamed), state, base, head), state


def _out(judging: Judging) -> Path:
    if judging.out is not None:
        return judging.out
    return judging.calibration.parent / "runs" / datetime.datetime.now().strftime("%Y-%m-%d-%H%M%S")


def _report(recording: rounds.Recording, comparison: Comparison, judging: Judging, state: pin.Pin | None, base: str,
            head: str, out: Path | None) -> int:
    text = markdown.report(comparison, recording, base, head)
    print(text)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        rounds.save(recording, out / "rounds.json.gz")
        (out / "report.md").write_text(text, encoding="utf-8")
        (out / "report.json").write_text(machine.document(comparison, recording), encoding="utf-8")
        (out / "report.html").write_text(page.page(comparison, recording, state, base, head), encoding="utf-8")
        print(f"reports are in {out}", file=sys.stderr)
    return comparison.exit_code()
