"""Run every benchmark and print measured numbers beside their bars: `make bench`.

`python -m benchmarks gui logs` runs only those named. Each runs in a process of its own, so that
none warms up or burdens another.
"""

import json
import pkgutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from importlib import import_module

import benchmarks
from benchmarks.result import BenchmarkResult, as_table

_PREFIX = "bench_"
_TIMEOUT_S = 900


def main(words: Sequence[str]) -> int:
    """Run the benchmarks named (all of them if none is); 1 when a bar was missed."""
    if words and words[0] == "--one":
        print(json.dumps([asdict(result) for result in import_module(words[1]).run()]))
        return 0
    results: list[BenchmarkResult] = []
    for name in _names(words):
        print(f"{name} …", file=sys.stderr, flush=True)
        results += _run_apart(name)
    print(as_table(results))
    return 0 if all(result.ok for result in results) else 1


def _names(words: Sequence[str]) -> list[str]:
    found = [module.name for module in pkgutil.iter_modules(benchmarks.__path__)]
    names = [name.removeprefix(_PREFIX) for name in found if name.startswith(_PREFIX)]
    if unknown := sorted(set(words) - set(names)):
        raise SystemExit(f"there is no benchmark {unknown[0]!r}; there are {', '.join(names)}")
    return [name for name in names if not words or name in words]


def _run_apart(name: str) -> list[BenchmarkResult]:
    module = f"benchmarks.{_PREFIX}{name}"
    command = [sys.executable, "-m", "benchmarks", "--one", module]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=False, timeout=_TIMEOUT_S
    )
    if done.returncode:
        return [BenchmarkResult(f"{name} ended with code {done.returncode}", 0.0, "", "", ok=False)]
    return [BenchmarkResult(**entry) for entry in json.loads(done.stdout.splitlines()[-1])]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
