"""Goes through probes: mark, break, test, restore, each step attested by content."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from paired import build as cmake
from paired.errors import ToolError
from paired.settings import Settings

from .binary import Binary
from .ctest import End, Ran, run
from .probe import Probe, occurrences
from .source import Source
from .verdict import Judged, Verdict

_OF_END = {End.CRASHED: Verdict.CRASH, End.TIMED_OUT: Verdict.TIMEOUT, End.NOT_RUN: Verdict.NOT_RUN, End.PASSED: Verdict.SURVIVED}


class _Stop(Exception):
    """A probe is decided."""

    def __init__(self, verdict: Verdict, why: str = "") -> None:
        super().__init__(why)
        self.verdict, self.why = verdict, why


@dataclass
class Session:
    """A worktree with its build folder, and how to run its tests."""

    source: Path
    build: Path
    settings: Settings
    audit: Path
    jobs: int = 2
    open_source: Callable[[Path, Probe], Source] = Source
    _sound: dict[str, Ran] = field(default_factory=dict)  # tests on sound code

    def prepare(self) -> None:
        cmake.configure(self.source, self.build, self.settings)
        cmake.build(self.source, self.build, self.settings, self.jobs)

    def judge(self, probe: Probe) -> Judged:
        try:
            verdict, why = self._probed(probe)
        except _Stop as stop:
            verdict, why = stop.verdict, stop.why
        return Judged(probe.id, verdict, why, probe.expect, probe.control)

    def _probed(self, probe: Probe) -> tuple[Verdict, str]:
        count = occurrences(self.source, probe)
        if count != 1:
            raise _Stop(Verdict.NOT_APPLIED, f"the text is {count} times in {probe.file}")
        sound = self._snapshot(probe)
        if not sound.id or sound.nonces:
            raise _Stop(Verdict.NOT_BUILT, f"{probe.binary} has no build-id, or is not the sound one")
        self._check_sound(probe, sound)
        source = self.open_source(self.source, probe)
        try:
            outcome = self._broken(probe, source)
        except _Stop as stop:
            outcome = stop.verdict, stop.why
        finally:
            source.restore()  # also on the way out of an interruption
        built = self._built(probe)
        after = self._snapshot(probe)
        if not built or after.nonces or after.id != sound.id:
            return Verdict.RESTORE_FAILED, f"{probe.binary} is {after.id[:12] or 'not there'}, was {sound.id[:12]} (before: {outcome[0].value})"
        return outcome

    def _broken(self, probe: Probe, source: Source) -> tuple[Verdict, str]:
        marked = self._attested(probe, source.mark(), "marked")
        broken = self._attested(probe, source.break_it(), "broken")
        if marked.blank == broken.blank:
            return Verdict.NO_OP, "the same code comes out"
        for name in probe.red:
            ran = run(self.build, name, self.audit, probe.seconds)
            self._check_loaded(probe, broken, name, ran)
            if ran.end is not End.ASSERTED:
                return _OF_END[ran.end], f"{name}: {ran.detail or ran.end.value}"
        for name in probe.green:
            ran = run(self.build, name, self.audit, probe.seconds)
            if ran.end is not End.PASSED:
                return Verdict.COLLATERAL, f"{name}: {ran.detail or ran.end.value}"
        return Verdict.KILLED, ""

    def _attested(self, probe: Probe, nonce: str, what: str) -> Binary:
        """The binary, once it holds this nonce and no other: no test runs on a binary of another text."""
        if not self._built(probe):
            raise _Stop(Verdict.NOT_BUILT, f"the {what} code does not build")
        found = self._snapshot(probe)
        if found.nonces != {nonce}:
            raise _Stop(Verdict.NOT_BUILT, f"{probe.binary} does not hold the {what} {probe.file}: not linked into it, or not rebuilt")
        return found

    def _check_sound(self, probe: Probe, sound: Binary) -> None:
        for name in (*probe.red, *probe.green):
            if name not in self._sound:
                self._sound[name] = run(self.build, name, self.audit, probe.seconds)
            ran = self._sound[name]
            if ran.end is not End.PASSED:
                raise _Stop(Verdict.NOT_RUN, f"on sound code {name} {ran.end.value} {ran.detail}".strip())
        for name in probe.red:
            self._check_loaded(probe, sound, name, self._sound[name])

    def _check_loaded(self, probe: Probe, expected: Binary, name: str, ran: Ran) -> None:
        """The process says what it mapped; another file of that name earlier on a path does not have the id."""
        if ran.end is End.NOT_RUN or expected.id in ran.loaded.values():
            return
        same_name = [f"{path} ({value[:12]})" for path, value in ran.loaded.items() if Path(path).name == Path(probe.binary).name]
        raise _Stop(Verdict.NOT_LOADED, f"{name} loaded {', '.join(same_name) or 'no file of that name'}, not {expected.id[:12]}")

    def _built(self, probe: Probe) -> bool:
        settings = Settings(targets=list(probe.targets))
        try:
            cmake.build(self.source, self.build, settings, self.jobs)
        except ToolError:
            return False
        return True

    def _snapshot(self, probe: Probe) -> Binary:
        return Binary.at(self.build / probe.binary)
