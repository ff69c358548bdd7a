"""Run every benchmark and print measured numbers beside their bars: `make bench`.

`python -m benchmarks gui logs` runs only those named, `--runs 1` once instead of three times, and
`--readme` what README's table of speeds shows, and writes it there. Each run is a process of its
own, so that none warms up or burdens another. Bars hold for the machine that
`benchmarks/calibration.py` calls 1.00; figures measured while something else was running are not
judged.
"""

import argparse
import json
import pkgutil
import subprocess
import sys
from collections.abc import Sequence
from compileall import compile_dir
from importlib import import_module
from itertools import chain
from pathlib import Path

import benchmarks
from benchmarks import readme_table
from benchmarks.calibration import calibrate
from benchmarks.measured import Measured, Summary, Verdict, as_table, measure, summarize

_PREFIX = "bench_"
_ROOT = Path(__file__).resolve().parents[1]
_ROOMS = ("app", "plugins", "widgets", "telemetry", "simulation", "benchmarks")
_TIMEOUT_S = 1800
_RUNS = 3


def main(words: Sequence[str]) -> int:
    """Run the benchmarks named (all of them if none is).

    Returns 1 when a bar was missed, otherwise 2 when a figure could not be judged.
    """
    if words and words[0] == "--one":
        print(json.dumps([one.to_json() for one in measure(import_module(words[1]).run())]))
        return 0
    options = _parser().parse_args(words)
    _compile_sources()
    print(f"this machine: {calibrate().slowness:.2f} (1.00 is the machine of the bars)")
    names = list(readme_table.FIGURES) if options.readme else options.names or _all_names()
    measured = {name: _summaries(name, options.runs) for name in names}
    summaries = list(chain.from_iterable(measured.values()))
    print(as_table(summaries))
    if options.readme:
        readme_table.write(measured)
    verdicts = {summary.verdict for summary in summaries}
    return 1 if Verdict.MISSED in verdicts else 2 if Verdict.NOISY in verdicts else 0


def _compile_sources() -> None:
    """As an installed program has them: what is compiled first is no part of what is measured."""
    for room in _ROOMS:
        compile_dir(_ROOT / room, quiet=2)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *_all_names()], metavar="NAME")
    parser.add_argument("--runs", type=int, default=_RUNS)
    parser.add_argument("--readme", action="store_true")
    return parser


def _all_names() -> list[str]:
    found = [module.name for module in pkgutil.iter_modules(benchmarks.__path__)]
    return [name.removeprefix(_PREFIX) for name in found if name.startswith(_PREFIX)]


def _summaries(name: str, runs: int) -> list[Summary]:
    measured = []
    for number in range(runs):
        print(f"{name}, run {number + 1} of {runs} …", file=sys.stderr, flush=True)
        measured.append(_run_apart(name))
    return summarize(measured)


def _run_apart(name: str) -> list[Measured]:
    command = [sys.executable, "-m", "benchmarks", "--one", f"benchmarks.{_PREFIX}{name}"]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=False, timeout=_TIMEOUT_S
    )
    if done.returncode:
        raise SystemExit(f"the benchmark {name!r} ended with code {done.returncode}")
    return [Measured.from_json(entry) for entry in json.loads(done.stdout.splitlines()[-1])]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
