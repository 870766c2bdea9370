"""The commands and their options."""

import argparse
import secrets
import sys
from pathlib import Path

from . import calibration, commands, settings
from .errors import ToolError
from .session import Job
from .verdict import TOOL_ERROR
from .worktree import WORKTREE, cache_of, root_of

_EPILOG = "Exit codes: 0 fine, 1 regression, 2 inconclusive, 3 the tool could not do its work. See tools/benchdiff/README.md."


def main(arguments: list[str]) -> int:
    parsed = _parser().parse_args(arguments)
    try:
        return parsed.run(parsed)
    except ToolError as error:
        print(f"benchdiff: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        print("benchdiff: interrupted", file=sys.stderr)
    return TOOL_ERROR


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # argparse ends with 2, which here means inconclusive
        self.print_usage(sys.stderr)
        self.exit(TOOL_ERROR, f"benchdiff: {message}\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="benchdiff", description="Paired comparison of Google Benchmark programs.", epilog=_EPILOG)
    kinds = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)

    run = kinds.add_parser("run", help="build and measure two revisions, or two plug-ins, and compare them", epilog=_EPILOG)
    run.add_argument("--base", metavar="REV", help="what to compare with")
    run.add_argument("--head", metavar="REV", default=WORKTREE, help="a revision, or 'worktree': the files as they are (default)")
    run.add_argument("--pin", metavar="REV", nargs="?", const="", help="a third arm: the pinned revision, or the one pinned before")
    run.add_argument("--plugin-a", type=Path, metavar="X.so", help="compare two plug-ins by turns in one process: the base")
    run.add_argument("--plugin-b", type=Path, metavar="Y.so", help="and the head")
    run.add_argument("--program", type=Path, help="the benchmark executable that loads them")
    run.add_argument("--instructions", type=float, default=120.0, metavar="SECONDS",
                     help="time for counting instructions with valgrind, an arm and target; 0: none (default 120)")
    _measuring(run)
    _judging(run)
    run.set_defaults(run=_run)

    compare = kinds.add_parser("compare", help="judge recorded rounds again", epilog=_EPILOG)
    compare.add_argument("rounds", type=Path)
    compare.add_argument("--base", metavar="ARM", default="base")
    compare.add_argument("--head", metavar="ARM", default="head")
    _judging(compare)
    compare.set_defaults(run=_compare)

    calibrate = kinds.add_parser("calibrate", help="measure links of one revision: the layout floor of each scenario")
    calibrate.add_argument("--revision", metavar="REV", default="HEAD")
    calibrate.add_argument("--links", type=int, default=8, help="shuffled links beside the two usual ones (default 8)")
    calibrate.add_argument("--from", dest="recorded", type=Path, metavar="ROUNDS.json", help="judge recorded links again")
    calibrate.add_argument("--calibration", type=Path, metavar="FILE", help="where to write (default: the cache)")
    calibrate.add_argument("--out", type=Path, metavar="DIR", help="where the rounds go too")
    _measuring(calibrate)
    calibrate.set_defaults(run=_calibrate)

    acknowledge = kinds.add_parser("acknowledge", help="accept a drift since the pin: the budget counts from here")
    acknowledge.add_argument("rounds", type=Path)
    acknowledge.add_argument("--scenario", action="append", default=[], help="default: all that are over the budget")
    acknowledge.add_argument("--reason", required=True)
    _judging(acknowledge)
    acknowledge.set_defaults(run=_acknowledge)

    clean = kinds.add_parser("clean", help="remove the worktrees and builds of this repository from the cache")
    clean.set_defaults(run=lambda parsed: commands.clean(root_of(Path.cwd())))
    return parser


def _measuring(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--settings", type=Path, metavar="FILE", help=f"default: {' or '.join(settings.PLACES)}")
    parser.add_argument("--target", action="append", metavar="NAME", help="a benchmark executable")
    parser.add_argument("--also-build", action="append", metavar="NAME", help="a target that it loads at run time")
    parser.add_argument("--preset", help="a configure preset of CMakePresets.json")
    parser.add_argument("--configure", action="append", metavar="OPTION", help="an option of cmake, as --configure=-DX=ON")
    parser.add_argument("--filter", metavar="REGEX", help="which scenarios")
    parser.add_argument("--rounds", dest="n_rounds", type=int, metavar="N")
    parser.add_argument("--repetitions", type=int, metavar="N", help="in a process")
    parser.add_argument("--min-seconds", type=float, metavar="S", help="of a repetition")
    parser.add_argument("--metric", choices=("auto", "cpu", "real"), help="auto: the clock that the scenario's author chose")
    parser.add_argument("--seed", type=int, help="of coins and orders; default: drawn, and recorded")
    parser.add_argument("--jobs", type=int, default=2, help="of the build")


def _judging(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--calibration", type=Path, metavar="FILE", help="default: the one of this repository in the cache")
    parser.add_argument("--pin-file", type=Path, metavar="FILE", help="what is pinned and acknowledged; default: in the cache")
    parser.add_argument("--renamed", action="append", default=[], metavar="OLD=NEW", help="compare these two")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where rounds.json, report.md, report.json and report.html go")


def _settings(parsed: argparse.Namespace, repository: Path) -> settings.Settings:
    chosen = settings.load(parsed.settings) if parsed.settings else settings.find(repository)
    given = {"targets": parsed.target, "also_build": parsed.also_build, "preset": parsed.preset, "configure": parsed.configure,
             "filter": parsed.filter, "rounds": parsed.n_rounds, "repetitions": parsed.repetitions,
             "min_seconds": parsed.min_seconds, "metric": parsed.metric}
    for name, value in given.items():
        if value is not None:
            setattr(chosen, name, value)
    for name in ("rounds", "repetitions"):
        if getattr(chosen, name) < 1:
            raise ToolError(f"{name} is {getattr(chosen, name)}; 1 or more is expected")
    return chosen


def _job(parsed: argparse.Namespace) -> Job:
    repository = root_of(Path.cwd())
    seed = parsed.seed if parsed.seed is not None else secrets.randbits(31)
    return Job(repository, _settings(parsed, repository), seed, parsed.jobs, getattr(parsed, "instructions", 0.0))


def _judge(parsed: argparse.Namespace) -> commands.Judging:
    def in_cache(name: str) -> Path:
        try:
            return cache_of(root_of(Path.cwd())) / name
        except ToolError:  # a replay needs no repository
            return Path(name)

    renamed = dict(each.partition("=")[::2] for each in parsed.renamed)
    if not all(renamed.values()):
        raise ToolError("--renamed takes OLD=NEW")
    return commands.Judging(parsed.calibration or in_cache("calibration.json"), parsed.pin_file or in_cache("pin.json"),
                            renamed, parsed.out)


def _run(parsed: argparse.Namespace) -> int:
    plugins = [parsed.plugin_a, parsed.plugin_b, parsed.program]
    if any(plugins):
        if not all(plugins) or parsed.base:
            raise ToolError("two plug-ins are compared with --plugin-a, --plugin-b and --program, and no --base")
        return commands.run_plugins(_job(parsed), _judge(parsed), parsed.program, parsed.plugin_a, parsed.plugin_b)
    if not parsed.base:
        raise ToolError("--base REV is missing; for a branch: --base $(git merge-base origin/main HEAD)")
    return commands.run(_job(parsed), _judge(parsed), parsed.base, parsed.head, parsed.pin)


def _compare(parsed: argparse.Namespace) -> int:
    return commands.replay(parsed.rounds, _judge(parsed), parsed.base, parsed.head)


def _acknowledge(parsed: argparse.Namespace) -> int:
    return commands.acknowledge(parsed.rounds, _judge(parsed), parsed.scenario, parsed.reason)


def _calibrate(parsed: argparse.Namespace) -> int:
    job = _job(parsed)
    if parsed.links < calibration.LEAST_LINKS:
        raise ToolError(f"--links is {parsed.links}; {calibration.LEAST_LINKS} or more show a spread")
    target = parsed.calibration or cache_of(job.repository) / "calibration.json"
    return commands.calibrate(job, parsed.revision, parsed.links, parsed.recorded, target, parsed.out)
