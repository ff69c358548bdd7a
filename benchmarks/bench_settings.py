"""Getting and changing settings: over TCP, over a slow radio that loses packets, and how surely."""

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

from benchmarks.result import BenchmarkResult, at_least, at_most, beside
from plugins.simulator.link import open_simulator
from telemetry.base.clock import monotonic_s
from telemetry.base.folders import HOME_VARIABLE
from telemetry.protocol.links.faulty import Faults, FaultyLink
from telemetry.protocol.links.link import Link
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.protocol.session.config import SessionState
from telemetry.vehicle.connection import connect
from telemetry.vehicle.vehicle import LinkState, Vehicle
from tests.telemetry.configuration.settings.bench import Bench, large_board, stage_numbers
from tests.telemetry.vehicle.test_board_memory import Visit

RADIO = Faults(loss=0.05, latency_s=0.03, bytes_per_s=5760.0)
"""57,600 baud: ten bits a byte. The simulator's own telemetry fills nine tenths of it."""
BAD = Faults(loss=0.05, doubling=0.05, latency_s=0.03)
RUNS, OBJECTS = 100, 20
_RADIO_RUNS = 5
_PATIENCE_S = 90.0


def run() -> Iterator[BenchmarkResult]:
    """Measure fetching from a simulator, and applying in simulated time."""
    catalogue = load_catalogue()
    with tempfile.TemporaryDirectory() as folder:
        os.environ[HOME_VARIABLE] = folder
        yield from _over_tcp(catalogue)
        yield from _over_radio(catalogue)
    yield from _from_last_time(catalogue)
    correct = sum(_ends_as_it_should(catalogue, seed) for seed in range(RUNS))
    yield at_least(f"{OBJECTS} objects applied rightly", correct, f"of {RUNS}", RUNS)


def _over_tcp(catalogue: Catalogue) -> list[BenchmarkResult]:
    times_s = [_fetch(catalogue, lambda link: link)[0] for _ in range(3)]
    return [at_most("all settings of the simulator, TCP", max(times_s), "s", 1.0)]


def _over_radio(catalogue: Catalogue) -> list[BenchmarkResult]:
    """Several runs, since every loss is another one; the slowest counts."""
    runs = [
        _fetch(catalogue, lambda link, seed=seed: FaultyLink(link, RADIO, monotonic_s, seed))  # type: ignore[misc]
        for seed in range(_RADIO_RUNS)
    ]
    wanted = _fetch(catalogue, lambda link: link)[1]
    return [
        at_most("the same, radio of 57,600 baud, 5 % loss", max(t for t, _ in runs), "s", 20.0),
        at_most("settings missing after it", sum(wanted - got for _, got in runs), "objects", 0),
    ]


def _from_last_time(catalogue: Catalogue) -> list[BenchmarkResult]:
    """The second connection to a board over the radio, in simulated time, no packet lost."""
    taken_s = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            visit = Visit(catalogue, Path(folder), None)
            taken_s.append(visit.seconds_to_settings())
            visit.run_until(SessionState.CONNECTED)
    title = "settings shown, radio of 57,600 baud"
    return [
        beside(f"{title}, first time", taken_s[0], "s, simulated", "for comparison"),
        at_most(f"{title}, from last time", taken_s[1], "s, simulated", 1.0, waits=True),
    ]


def _fetch(catalogue: Catalogue, through: Callable[[Link], Link]) -> tuple[float, int]:
    """Seconds from connecting to the last object, and how many settings objects there are. The
    simulator runs already."""
    simulator = open_simulator("sim:ar100b")
    while not simulator.read(0.1):
        pass
    start_s = monotonic_s()
    vehicle = connect(simulator.address, lambda _address: through(simulator), catalogue, None)
    try:
        _wait_for(vehicle, start_s)
        return monotonic_s() - start_s, _settings_in(vehicle)
    finally:
        vehicle.close()


def _wait_for(vehicle: Vehicle, start_s: float) -> None:
    pause = Event()
    while vehicle.status.state is not LinkState.CONNECTED:
        if monotonic_s() - start_s > _PATIENCE_S:
            raise TimeoutError(vehicle.status.word)
        pause.wait(0.005)


def _settings_in(vehicle: Vehicle) -> int:
    definitions = [track.definition for track in vehicle.recording.tracks()]
    return sum(d.settings and d.meta_of is None for d in definitions)


def _ends_as_it_should(catalogue: Catalogue, seed: int) -> bool:
    """Apply and save over a bad radio in simulated time; look into the aircraft's memory."""
    bench = Bench(catalogue, large_board(catalogue, OBJECTS + 4), seed=seed)
    bench.link.faults = BAD
    wanted = stage_numbers(bench, OBJECTS, 1 + seed % 7)
    transfer = bench.settings.apply(save=True)
    bench.finish()
    return transfer.is_verified and all(
        bench.on_board(name, path) == value and bench.stored(name) == bench.held(name)
        for name, (path, value) in wanted.items()
    )
