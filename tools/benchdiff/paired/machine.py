"""The report for machines. Ratios are head / base; null where there is none."""

import json
import math
from typing import Any

from .rounds import Recording
from .signed_rank import Estimate
from .verdict import Comparison

FORMAT = "benchdiff-report/1"


def document(comparison: Comparison, recording: Recording) -> str:
    rows = [{"scenario": row.scenario, "status": row.status.name.lower(), "base_ns": row.base_ns, "head_ns": row.head_ns,
             **_ratio(row.ratio), "p_slower": row.p_slower, "p_faster": row.p_faster, "floor": _factor(row.floor),
             "detectable": _factor(row.detectable), "evidence": row.evidence, "note": row.note} for row in comparison.rows]
    drifts = [{"scenario": drift.scenario, "over": drift.over, **_ratio(drift.ratio), "p_over": drift.p_over,
               "acknowledged": _factor(drift.acknowledged), "budget": _factor(drift.budget)} for drift in comparison.drifts]
    return json.dumps({
        "format": FORMAT, "exit_code": comparison.exit_code(), "headline": comparison.headline(), "void": comparison.void,
        "warnings": comparison.warnings, "host": recording.host, "created": recording.created, "seed": recording.seed,
        "rounds": len(recording.rounds), "revisions": {name: arm.revision for name, arm in recording.arms.items()},
        "rows": rows, "drifts": drifts}, indent=1, allow_nan=False) + "\n"


def _ratio(ratio: Estimate | None) -> dict[str, Any]:
    if ratio is None:
        return {"ratio": None, "ratio_low": None, "ratio_high": None}
    return {"ratio": _factor(ratio.centre), "ratio_low": _factor(ratio.low), "ratio_high": _factor(ratio.high)}


def _factor(log_ratio: float | None) -> float | None:
    return None if log_ratio is None or not math.isfinite(log_ratio) else math.exp(log_ratio)
