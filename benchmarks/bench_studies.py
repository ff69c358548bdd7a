"""Studies: what a second process and a Dask cluster make of them, indices of a known function, and
memory of a hundred thousand flights."""

import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import psutil

from benchmarks.hover import steps_per_s
from benchmarks.result import BenchmarkResult, at_least, at_most
from simulation.studies.cluster import ClusterWorkers
from simulation.studies.installed import installed_versions
from simulation.studies.result_folder import begin_result
from simulation.studies.running import StudyEnd, StudyRun
from simulation.studies.sampling import draw_sample
from simulation.studies.statistics import sobol_of
from simulation.studies.study import Study, read_study
from simulation.studies.workers import ProcessWorkers, Workers
from telemetry.base.clock import monotonic_s

_MODULE: Final = "benchmarks.bench_studies"
_FLIGHTS: Final = 80
_ROUNDS: Final = 3
_SCENARIO: Final = (
    'scenario = "position-hold-wind"\n[vary]\n"scenario.wind_mps" = { uniform = [4, 8] }'
)
_KERNEL: Final = f'function = "{_MODULE}:kernel"\n[vary]\nx = {{ uniform = [0, 1] }}'
_ANGLE: Final = f"{{ uniform = [{-math.pi}, {math.pi}] }}"
_ISHIGAMI: Final = (
    f'function = "{_MODULE}:ishigami"\n[vary]\nx1 = {_ANGLE}\nx2 = {_ANGLE}\nx3 = {_ANGLE}'
)
_MANY: Final = 100_000


def kernel(parameters: Mapping[str, float], seed: int) -> dict[str, float]:
    """Fly the bare kernel for a quarter of a second or so."""
    return {"steps_per_s": steps_per_s(10_000, 80_000)}


def ishigami(parameters: Mapping[str, float], seed: int) -> dict[str, float]:
    """Ishigami and Homma (1990), with a = 7 and b = 0.1."""
    x1, x2, x3 = (parameters[name] for name in ("x1", "x2", "x3"))
    return {"y": math.sin(x1) + 7.0 * math.sin(x2) ** 2 + 0.1 * x3**4 * math.sin(x1)}


def run() -> Iterator[BenchmarkResult]:
    """Measure; takes three minutes."""
    study, bare = _study(_SCENARIO, _FLIGHTS), _study(_KERNEL, _FLIGHTS)
    one, two = (min(_by_processes(study, count)) for count in (1, 2))
    alone, both = (min(_by_processes(bare, count)) for count in (1, 2))
    yield at_most("study: position-hold-wind, one process", one / _FLIGHTS, "s", 0.25)
    gain = (one / two) / (alone / both)
    yield at_least("study: gain by a second process, of the bare kernel's", gain, "", 0.9)
    yield at_most("study: two workers of Dask, of two processes", _by_dask(study) / two, "", 1.15)
    yield at_most("study: Ishigami's indices, 2^13 rows, worst error", _worst_error(), "", 0.03)
    yield at_most(f"study: memory for {_MANY:,} flights", _memory_mb(), "MB", 500.0)


def _study(rest: str, flights: int, keys: str = "") -> Study:
    text = f'name = "bench"\nflights = {flights}\n{keys}{rest}\n'
    return read_study(text, Path())


def _by_processes(study: Study, count: int) -> list[float]:
    workers = ProcessWorkers(count)
    try:
        return _seconds(study, workers)
    finally:
        workers.close()


def _by_dask(study: Study) -> float:
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0"
    ) as cluster:
        workers = ClusterWorkers(
            cluster.scheduler_address, installed_versions(study.text, str(study.folder.absolute()))
        )
        try:
            return min(_seconds(study, workers))
        finally:
            workers.close()


def _seconds(study: Study, workers: Workers) -> list[float]:
    """So long it takes, once all workers have flown."""
    _fly(study, workers)
    seconds = []
    for _ in range(_ROUNDS):
        start_s = monotonic_s()
        _fly(study, workers)
        seconds.append(monotonic_s() - start_s)
    return seconds


def _fly(study: Study, workers: Workers) -> StudyEnd:
    with tempfile.TemporaryDirectory() as path:
        folder = begin_result(Path(path) / "out", study, {})
        with folder.written() as journal:
            run = StudyRun(draw_sample(study), folder, workers, _unseen, _unheard)
            return run.fly(journal)


def _worst_error() -> float:
    """Of first and total indices, from their closed form (Saltelli et al. 2000, page 179)."""
    of_1 = 0.5 * (1 + 0.1 * math.pi**4 / 5) ** 2
    of_2, of_13 = 49 / 8, 0.01 * math.pi**8 * (1 / 18 - 1 / 50)
    whole = of_1 + of_2 + of_13
    theory = {
        "x1": (of_1 / whole, (of_1 + of_13) / whole),
        "x2": (of_2 / whole, of_2 / whole),
        "x3": (0.0, of_13 / whole),
    }
    study = _study(_ISHIGAMI, 2**13, 'sampling = "sobol"\n')
    workers = ProcessWorkers(2)
    try:
        found = sobol_of(study, _fly(study, workers).table, "y")
    finally:
        workers.close()
    return max(
        max(abs(found[name].first.value - first), abs(found[name].total.value - total))
        for name, (first, total) in theory.items()
    )


def _memory_mb() -> float:
    """Of a process of its own, at its end, when it holds most."""
    command = [sys.executable, "-m", _MODULE]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=600)
    return float(json.loads(done.stdout))


def _main() -> None:
    workers = ProcessWorkers(2)
    end = _fly(_study(_ISHIGAMI, _MANY, 'sampling = "latin-hypercube"\n'), workers)
    workers.close()
    assert len(end.table) == _MANY
    print(psutil.Process().memory_info().rss / 2**20)


def _unseen(done: int, total: int) -> None: ...


def _unheard(what: str) -> None: ...


if __name__ == "__main__":
    _main()
