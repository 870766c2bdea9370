"""tenon conformance on a backend of this repository: nothing fails, and what README.md says it does is not refused.

    backend_test.py BACKEND [OPTIONS of tenon conformance]

avx2 and neon have levels beyond their ISA that some of their kernels are named after.
"""

import json
import os
import subprocess
import sys

WEIGHTS = ["f32", "f16", "bf16", "q4_0", "q4_1", "q5_0", "q5_1", "q8_0", "q2_K", "q3_K", "q4_K", "q5_K", "q6_K", "iq4_nl",
           "iq4_xs", "mxfp4"]

LEVELS = {"avx2": ["avx2", "avx512"], "neon": ["neon", "neon_dotprod", "neon_i8mm"]}


def is_promised(backend: str, row: dict) -> bool:
    if backend == "reference":
        return True
    if row["class"] == "exact64":
        return False
    if backend == "onednn":
        return row["op"] == "linear" or (row["op"], row["format"]) == ("matmul", "f32")  # moe: not with a shared expert
    return True  # the hand-written ones do everything else


def main() -> int:
    backend, *options = sys.argv[1:]
    done = subprocess.run([os.environ["TENON_EXECUTABLE"], "conformance", backend, "--json", *options],
                          capture_output=True, text=True, check=False)
    if not done.stdout:
        print(f"exit code {done.returncode}: {done.stderr}")
        return 1
    report = json.loads(done.stdout)
    problems = []
    for row in report["rows"]:
        name = "/".join((row["op"], row["format"], row["class"]))
        problems += [f"{f['verdict']} {f['case']}: {f['message']} {f.get('measure', '')}\n    {f['reproduce']}"
                     for f in row["failures"][:3]]
        if is_promised(backend, row) and row["passed"] < row["cases"] and not row["failures"]:
            problems.append(f"{name}: {row['refused']} of {row['cases']} cases are refused: {row['reason']}")
        if row["kernel"] and not any(row["kernel"].endswith("_" + name) for name in LEVELS.get(backend, [backend])):
            problems.append(f"{name} was run by {row['kernel']}")
    formats = {row["format"] for row in report["rows"] if row["op"] == "linear" and row["passed"]}
    if formats != set(WEIGHTS):
        problems.append(f"linear has these formats: {sorted(formats)}")
    if done.returncode != 0 and not problems:
        problems.append(f"exit code {done.returncode}")
    print("\n".join(problems) or f"{sum(row['passed'] for row in report['rows'])} cases pass in {report['seconds']:.0f} s")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
