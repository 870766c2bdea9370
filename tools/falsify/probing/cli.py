"""The commands and their options."""

import argparse
import json
import sys
from pathlib import Path

from paired.errors import ToolError
from paired.settings import Settings
from paired.worktree import WORKTREE, cache_of, check_out, commit_of, remove_all, root_of

from .ctest import build_audit
from .probe import Probe, occurrences, read_all
from .session import Session
from .verdict import Judged, exit_code

_EPILOG = "Exit codes: 0 all as expected, 1 a probe is not, 2 a control is not, 3 the tool could not work. See README.md."


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # argparse ends with 2, which here means that a control failed
        self.print_usage(sys.stderr)
        self.exit(3, f"falsify: {message}\n")


def main(arguments: list[str]) -> int:
    parser = _Parser(prog="falsify", description="Breaks code on purpose: do the tests notice?", epilog=_EPILOG)
    kinds = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)
    check = kinds.add_parser("check", help="is every probe's text still in its file exactly once? Builds nothing")
    check.set_defaults(run=_check)
    run = kinds.add_parser("run", help="break, test and restore, in a worktree of its own", epilog=_EPILOG)
    run.add_argument("--revision", default=WORKTREE, help="or 'worktree': the files as they are (default)")
    run.add_argument("--only", action="append", default=[], metavar="ID", help="these probes, and the controls")
    run.add_argument("--preset", default="")
    run.add_argument("--configure", action="append", default=[], metavar="OPTION", help="as --configure=-DX=ON")
    run.add_argument("--jobs", type=int, default=2)
    run.add_argument("--json", type=Path, metavar="FILE", help="the verdicts for machines")
    run.set_defaults(run=_run)
    clean = kinds.add_parser("clean", help="remove the worktree and its build")
    clean.set_defaults(run=_clean)
    parsed = parser.parse_args(arguments)
    try:
        return parsed.run(parsed)
    except ToolError as error:
        print(f"falsify: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        print("falsify: interrupted; the tree was never touched", file=sys.stderr)
    return 3


def _check(_: argparse.Namespace) -> int:
    root = root_of(Path.cwd())
    lost = [(probe, occurrences(root, probe)) for probe in read_all(root)]
    for probe, count in lost:
        if count != 1:
            print(f"{probe.id}: its text is {count} times in {probe.file}; once is expected")
    return 1 if any(count != 1 for _, count in lost) else 0


def _run(parsed: argparse.Namespace) -> int:
    repository = root_of(Path.cwd())
    folder = cache_of(repository, "falsify")
    check_out(repository, commit_of(repository, parsed.revision), folder / "src")
    probes = _chosen(read_all(folder / "src"), parsed.only)
    targets = sorted({target for probe in probes for target in probe.targets}) if all(p.targets for p in probes) else []
    settings = Settings(preset=parsed.preset, configure=parsed.configure, targets=targets, align=False)
    session = Session(folder / "src", folder / "build", settings, build_audit(folder), parsed.jobs)
    session.prepare()
    judged = []
    for probe in probes:
        judged.append(session.judge(probe))
        print(_line(judged[-1]), flush=True)
    passed = sum(each.passed for each in judged)
    print(f"{passed} of {len(judged)} as expected" + ("" if exit_code(judged) != 2 else "; the controls do not hold: nothing is proved"))
    if parsed.json:
        parsed.json.write_text(json.dumps([{**vars(each), "verdict": each.verdict.value, "passed": each.passed} for each in judged],
                                          indent=1) + "\n", encoding="utf-8")
    return exit_code(judged)


def _chosen(probes: list[Probe], only: list[str]) -> list[Probe]:
    unknown = sorted(set(only) - {probe.id for probe in probes})
    if unknown:
        raise ToolError(f"no probe is called {', '.join(unknown)}")
    if not probes:
        raise ToolError("there is no probes.toml")
    return [probe for probe in probes if not only or probe.control or probe.id in only]


def _line(judged: Judged) -> str:
    mark = "ok " if judged.passed else "NOT"
    return f"{mark} {judged.verdict.value:<14} {judged.probe}" + (f": {judged.why}" if judged.why else "")


def _clean(_: argparse.Namespace) -> int:
    for path in remove_all(root_of(Path.cwd()), "falsify"):
        print(f"removed {path}")
    return 0
