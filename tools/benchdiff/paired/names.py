"""Which scenario of base belongs to which of head: the same name, a stated renaming, or a guess that is only listed."""

import difflib
from dataclasses import dataclass, field

_ALIKE = 0.85  # of difflib's ratio, from which two names are shown as a possible renaming


@dataclass
class Matching:
    pairs: list[tuple[str, str]] = field(default_factory=list)  # compared
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    perhaps_renamed: list[tuple[str, str]] = field(default_factory=list)  # among added and removed


def match(base: list[str], head: list[str], renamed: dict[str, str]) -> Matching:
    """`renamed`: old name -> new name, as stated by the caller."""
    in_base, in_head = set(base), set(head)
    stated = {old: new for old, new in renamed.items() if old in in_base and new in in_head}
    found = Matching(pairs=sorted([(name, name) for name in in_base & in_head if name not in stated] + list(stated.items())))
    found.removed = sorted(in_base - {old for old, _ in found.pairs})
    found.added = sorted(in_head - {new for _, new in found.pairs})
    free = list(found.added)
    for old in found.removed:
        best = max(free, key=lambda new: difflib.SequenceMatcher(None, old, new).ratio(), default=None)
        if best is not None and difflib.SequenceMatcher(None, old, best).ratio() >= _ALIKE:
            found.perhaps_renamed.append((old, best))
            free.remove(best)
    return found
