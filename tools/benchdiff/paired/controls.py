"""Scenarios that the change cannot touch. They must stand still; if one moves, something else moved the others too.

A scenario is a control where every file that it runs has the same GNU build-id in both arms. Which files those are is
stated in the project's settings: a pattern over names and the files it stands for, `\\1` being its first group.
"""

import re
from dataclasses import dataclass
from typing import Any

from .errors import ToolError
from .rounds import Arm


@dataclass(frozen=True)
class Rule:
    scenarios: re.Pattern[str]
    files: tuple[str, ...]  # relative to the build folder
    frozen: bool = False  # stated to be beyond any change, whatever the files are


def rules_of(settings: dict[str, Any]) -> list[Rule]:
    """From `"controls": [{"scenarios": REGEX, "files": [...]} or {"scenarios": REGEX, "frozen": true}]`."""
    try:
        return [Rule(re.compile(each["scenarios"]), tuple(each.get("files", ())), bool(each.get("frozen", False)))
                for each in settings.get("controls", [])]
    except (KeyError, TypeError, AttributeError, re.error) as problem:
        raise ToolError(f"settings: 'controls' is a list of {{scenarios, files}} or {{scenarios, frozen}}: {problem}") from None


def is_control(scenario: str, rules: list[Rule], base: Arm, head: Arm) -> bool:
    if base.build_ids and base.build_ids == head.build_ids:
        return True  # nothing that was built differs
    for rule in rules:
        match = rule.scenarios.search(scenario)
        if match is None:
            continue
        if rule.frozen:
            return True
        files = [match.expand(name) for name in rule.files]
        return bool(files) and all(_same(name, base, head) for name in files)
    return False


def _same(name: str, base: Arm, head: Arm) -> bool:
    found = base.build_ids.get(name, "")
    return found != "" and found == head.build_ids.get(name)
