"""Missions: to a board and back over TCP, over a link that loses packets, and flown fast."""

import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from threading import Event

from benchmarks.result import BenchmarkResult, at_least, at_most
from plugins.simulator.link import open_simulator
from simulation.command.mission_flight import MissionTask, fly_mission
from telemetry.base.clock import monotonic_s
from telemetry.base.folders import HOME_VARIABLE
from telemetry.missions.board.transfer import MissionDownload, MissionUpload, PlanTransfer
from telemetry.missions.local_coordinates import MissionHome, to_latitude_longitude
from telemetry.missions.mission import LegAction, Mission, MissionWaypoint
from telemetry.protocol.links.faulty import Faults, FaultyLink
from telemetry.protocol.links.link import Link
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.vehicle.connection import connect
from telemetry.vehicle.vehicle import LinkState, Vehicle

WAYPOINTS = 100
LOSSY = Faults(loss=0.05)
_LOSSY_RUNS = 5
_STEP_S = 0.02
"""As often as the window's tick looks."""
_PATIENCE_S = 60.0
_HOME = MissionHome(48.946, 9.43, 270.0)


def run() -> Iterator[BenchmarkResult]:
    """Measure uploads to a simulator's process, and a flight."""
    catalogue = load_catalogue()
    with tempfile.TemporaryDirectory() as folder:
        os.environ[HOME_VARIABLE] = folder
        clean = [_carry(catalogue, None, seed) for seed in range(3)]
        yield at_most(f"{WAYPOINTS} waypoints up and verified, TCP", max(clean), "s", 3.0)
        lossy = [_carry(catalogue, LOSSY, seed) for seed in range(_LOSSY_RUNS)]
        right = sum(took < _PATIENCE_S for took in lossy)
        yield at_least("the same right with 5 % loss", right, f"of {_LOSSY_RUNS}", _LOSSY_RUNS)
        yield at_most("the same with 5 % loss", max(lossy), "s", 20.0)
    yield at_least("a mission in simulation", _fly(catalogue), "x real time", 10.0)


def _grid(count: int) -> Mission:
    """Lines there and back, each row with a share of its own at which it turns."""
    points = []
    for i in range(count):
        row, column = divmod(i, 10)
        across = column if row % 2 == 0 else 9 - column
        place = to_latitude_longitude(_HOME, 12.0 * row, 12.0 * across)
        action = LegAction(condition_parameters=(0.01 * row, 0.0, 0.0, 0.0))
        points.append(MissionWaypoint(*place, 20.0, 4.0, action=action))
    return Mission(tuple(points), _HOME)


def _carry(catalogue: Catalogue, faults: Faults | None, seed: int) -> float:
    """Seconds for the upload; beyond the patience if what is on board is not what was sent."""
    simulator = open_simulator("sim:ar100b")
    while not simulator.read(0.1):
        pass
    link: Link = simulator
    if faults is not None:
        link = FaultyLink(simulator, faults, monotonic_s, seed)
    vehicle = connect(simulator.address, lambda _address: link, catalogue, None)
    try:
        _wait_for(vehicle)
        upload = MissionUpload(vehicle, _grid(WAYPOINTS))
        took_s = _finish(upload)
        download = MissionDownload(vehicle)
        _finish(download)
        is_right = not (upload.problem or download.problem) and download.image == upload.image
        return took_s if is_right else 10.0 * _PATIENCE_S
    finally:
        vehicle.close()


def _wait_for(vehicle: Vehicle) -> None:
    pause, start_s = Event(), monotonic_s()
    while vehicle.status.state is not LinkState.CONNECTED:
        if monotonic_s() - start_s > _PATIENCE_S:
            raise TimeoutError(vehicle.status.word)
        pause.wait(_STEP_S)


def _finish(transfer: PlanTransfer) -> float:
    pause, start_s = Event(), monotonic_s()
    while not transfer.poll() and monotonic_s() - start_s < _PATIENCE_S:
        pause.wait(_STEP_S)
    return monotonic_s() - start_s


def _fly(catalogue: Catalogue) -> float:
    """Simulated seconds in a second, from power-up to landing."""
    grid = _grid(6)
    down = replace(grid.waypoints[-1], action=LegAction("Land", end_condition="None"))
    task = MissionTask(grid.with_waypoints((*grid.waypoints, down)), _HOME, "ar100b")
    start_s = monotonic_s()
    flight = fly_mission(task, catalogue)
    took_s = monotonic_s() - start_s
    if not flight.is_good:
        raise RuntimeError(f"the mission ended otherwise: {flight.ending} {flight.reason}")
    return flight.track[-1].time_s / took_s
