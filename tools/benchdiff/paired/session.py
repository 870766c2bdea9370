"""What the commands do that build and measure: arms from revisions, links from one revision, two plug-ins."""

import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from . import callgrind
from .build import build, build_ids, compiler_of, configure, programs
from .elf import build_id
from .layout import COMPILE_FLAGS, code_sections, layouts, linker_flags
from .process import Program, Sampling, scenarios_of
from .record import record, record_alternating
from .rounds import Arm, Recording
from .settings import Settings
from .worktree import cache_of, check_out, commit_of

# Folders of equal length: the path of a program is on its stack, and its length moves what lies below.
_FOLDERS = {"base": "base", "head": "head", "pin": "pin_", "links": "link"}


@dataclass(frozen=True)
class Job:
    repository: Path
    settings: Settings
    seed: int
    jobs: int = 2
    instruction_seconds: float = 120.0  # an arm

    def sampling(self) -> Sampling:
        s = self.settings
        return Sampling(s.repetitions, s.min_seconds, s.filter, tuple(s.arguments))


def compare_revisions(job: Job, revisions: dict[str, str]) -> Recording:
    """`revisions`: arm (base, head, pin) -> what git calls it."""
    arms, executables = {}, {}
    commits = {arm: commit_of(job.repository, revision) for arm, revision in revisions.items()}
    compiler = ""
    for arm, commit in commits.items():
        folder = cache_of(job.repository) / _FOLDERS[arm]
        check_out(job.repository, commit, folder / "src")
        configure(folder / "src", folder / "build", job.settings)
        build(folder / "src", folder / "build", job.settings, job.jobs)
        executables[arm] = programs(folder / "build", job.settings)
        arms[arm] = Arm(revision=commit, build_ids=build_ids(folder / "build"))
        compiler = compiler_of(folder / "build")
    recording = _recorded(job, arms, executables, compiler)
    if job.instruction_seconds > 0 and callgrind.available():
        _count_instructions(job, recording, executables)
    return recording


def calibration_links(job: Job, revision: str, n_links: int) -> Recording:
    """Measures links of one revision: twice the usual one, and `n_links` with the functions in other places."""
    root = cache_of(job.repository) / _FOLDERS["links"]
    commit = commit_of(job.repository, revision)
    check_out(job.repository, commit, root / "src")
    usual = ["plain0", "plain1"]
    for name in usual:
        _link(job, root, name, "")
    names = code_sections(root / usual[0])
    shuffled = layouts(n_links)
    for layout in shuffled:
        _link(job, root, layout.name, " ".join(linker_flags(layout, names, root / "orders")))
    arms, executables = {}, {}
    for name in [*usual, *(layout.name for layout in shuffled)]:
        executables[name] = programs(root / name, job.settings)
        arms[name] = Arm(revision=commit, build_ids=build_ids(root / name))
    return _recorded(job, arms, executables, compiler_of(root / usual[0]))


def compare_plugins(job: Job, program: Path, base: Path, head: Path) -> Recording:
    """Two plug-ins by turns in one process of a program that offers it (see README)."""
    variables = {**job.settings.variables, "BENCHDIFF_PLUGIN_A": str(base.resolve()),
                 "BENCHDIFF_PLUGIN_B": str(head.resolve())}
    arms = {"base": Arm(str(base), {"plugin": build_id(base)}), "head": Arm(str(head), {"plugin": build_id(head)})}
    recording = record_alternating(arms, Program(program.resolve(), variables), job.settings.rounds, job.seed,
                                   job.sampling(), job.settings.metric, _progress(job.settings.rounds))
    return _described(job, recording, "")


def _link(job: Job, root: Path, name: str, flags: str) -> None:
    configure(root / "src", root / name, job.settings, COMPILE_FLAGS, flags)
    build(root / "src", root / name, job.settings, job.jobs)


def _recorded(job: Job, arms: dict[str, Arm], executables: dict[str, list[Program]], compiler: str) -> Recording:
    recording = record(arms, executables, job.settings.rounds, job.seed, job.sampling(), job.settings.metric,
                       _progress(job.settings.rounds))
    return _described(job, recording, compiler)


def _described(job: Job, recording: Recording, compiler: str) -> Recording:
    recording.settings = {**asdict(job.settings), "build": f"{job.settings.build_key()} {compiler}".strip()}
    return recording


def _count_instructions(job: Job, recording: Recording, executables: dict[str, list[Program]]) -> None:
    arguments = tuple(job.settings.arguments)
    for arm in recording.arms:
        for program in executables[arm]:
            own = set(scenarios_of(program))
            names = [name for name in recording.scenarios(arm) if name in own]
            print(f"counting instructions of {arm}, at most {job.instruction_seconds:.0f} s", file=sys.stderr)
            found = callgrind.instructions(program, names, arguments, job.instruction_seconds)
            recording.arms[arm].instructions.update(found)


def _progress(total: int) -> Callable[[int], None]:
    ending = "\r" if sys.stderr.isatty() else "\n"

    def show(done: int) -> None:
        if sys.stderr.isatty() or done == total or done % 10 == 0:
            print(f"round {done} of {total}", end="\n" if done == total else ending, file=sys.stderr, flush=True)

    return show
