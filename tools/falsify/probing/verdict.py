"""What became of a probe. Only the expected verdict passes, and every probe stays in the denominator."""

from dataclasses import dataclass
from enum import Enum


class Verdict(Enum):
    KILLED = "KILLED"  # the named tests ran, with the broken binary, and failed by assertion
    SURVIVED = "SURVIVED"  # a named test passed on the broken binary
    NOT_APPLIED = "NOT-APPLIED"  # the text is not in the file exactly once
    NOT_BUILT = "NOT-BUILT"  # it does not compile, or the binary does not hold the broken file
    NO_OP = "NO-OP"  # the binary is the same without the change
    NOT_LOADED = "NOT-LOADED"  # the test ran another binary
    CRASH = "CRASH"  # it ended without an assertion
    TIMEOUT = "TIMEOUT"
    NOT_RUN = "NOT-RUN"  # no such test, skipped, or it fails on sound code
    COLLATERAL = "COLLATERAL"  # a test that had to stay green failed
    RESTORE_FAILED = "RESTORE-FAILED"  # after the probe the binary is not what it was


@dataclass(frozen=True)
class Judged:
    probe: str
    verdict: Verdict
    why: str = ""
    expected: str = "KILLED"
    control: bool = False

    @property
    def passed(self) -> bool:
        return self.verdict.value == self.expected


def exit_code(judged: list[Judged]) -> int:
    """0 all as expected, 1 a probe is not, 2 a control is not or there is none: the run proves nothing."""
    controls = [each for each in judged if each.control]
    kinds = {each.expected for each in controls}
    if not {"KILLED", "NO-OP"} <= kinds or not all(each.passed for each in controls):
        return 2
    return 0 if all(each.passed for each in judged) else 1
