"""Facts of the machine that a reader of times has to know, and that make a calibration stale when they change."""

import os
import platform
import re
from pathlib import Path
from typing import Any


def host_facts() -> dict[str, Any]:
    facts = {
        "machine": platform.machine(),
        "cpu": _from_file("/proc/cpuinfo", r"model name\s*:\s*(.+)"),
        "cpus": len(os.sched_getaffinity(0)),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "kernel": platform.release(),
        "governor": _from_file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", r"(\S+)"),
        "virtual": "hypervisor" in _from_file("/proc/cpuinfo", r"flags\s*:\s*(.+)").split(),
    }
    return {name: value for name, value in facts.items() if value != ""}


def fingerprint(facts: dict[str, Any]) -> str:
    """Equal for recordings whose times may be compared with one calibration."""
    return " | ".join(f"{name}={facts.get(name, '?')}" for name in ("machine", "cpu", "cpus", "kernel", "governor"))


def _from_file(path: str, pattern: str) -> str:
    try:
        found = re.search(pattern, Path(path).read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return ""
    return found.group(1).strip() if found else ""
