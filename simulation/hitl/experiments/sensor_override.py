"""E8: hardware in the loop by access flags, against a simulated board.

Seed 004: an object of a sensor is made read-only for the board, and the simulator writes it in the
sensor's place. First each sensor by itself, on an aircraft that has them all: its object has to say
what our sensor said and all others what the board's own did, and no other object may be changed.
Then with all of them the board, which stands on the ground of a world of its own, flies ours.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from simulation.hitl.config import HitlConfig
from simulation.hitl.flight import HitlPhase
from simulation.hitl.sensors import SensorFeed
from simulation.hitl.takeover import ACTUATORS, TRUTH
from simulation.hitl.wired_board import ADDRESS, LOOP_S, RATE_HZ, WiredBoard
from simulation.records.sensor_table import SUPPLIED_SENSORS
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.figure import Figure, curves
from simulation.scenarios.track import OutputTrack

_WITH_ALL = "sea-vixen"
_SETTLE_S, _WATCHED_S = 0.3, 0.4
_LONGEST_S = 20.0
_HOLD_STEP = 2
"""Number of the script's step in which it hovers."""


def run(experiment: Experiment) -> RunOutcome:
    """Metrics: how many sensors were overridden, how many others with them, how many objects were
    changed that need not be or stayed changed; height and unrest of the hover."""
    metrics = dict.fromkeys(
        ("sensors_overridden", "overridden_besides", "changed_besides", "not_restored"), 0.0
    )
    with _board(experiment, _WITH_ALL) as board:
        for name in SUPPLIED_SENSORS:
            for metric, count in _override(experiment, board, name).items():
                metrics[metric] += count
    with _board(experiment, experiment.aircraft) as board:
        track = _fly(experiment, board)
    hovering = track.script == _HOLD_STEP
    place = track["true_position"][hovering]
    metrics["hover_height_m"] = float(-place[:, 2].mean()) if len(place) else 0.0
    metrics["hover_unrest_m"] = float(place.std(axis=0).max()) if len(place) else np.inf
    flown = {"flown": -track["true_position"][:, 2]}
    axes = curves("Height", ("time, s", track.time_s), "m", flown)
    figure = Figure(experiment.scenario.title, (axes,))
    crashed = bool(track["crashed"][-1])
    return RunOutcome(metrics, figure, track.digest(), crashed, duration_s=board.now_s)


@contextmanager
def _board(experiment: Experiment, aircraft: str) -> Iterator[WiredBoard]:
    with TemporaryDirectory() as folder:
        config = experiment.config(aircraft=aircraft)
        yield WiredBoard(config, experiment.catalogue, Path(folder))


def _plan(experiment: Experiment, board: WiredBoard, sensors: tuple[str, ...]) -> HitlConfig:
    """Other noise than that of the board's own sensors."""
    aircraft = board.board.simulator.aircraft
    return HitlConfig(aircraft, ADDRESS, experiment.seed + 1, sensors, RATE_HZ)


def _override(experiment: Experiment, board: WiredBoard, name: str) -> dict[str, float]:
    before = _metadata(board)
    flight = board.begin(_plan(experiment, board, (name,)))
    board.run_until(HitlPhase.FLYING)
    changed = {key for key, packed in _metadata(board).items() if packed != before[key]}
    needed = {SUPPLIED_SENSORS[name].names[0], ACTUATORS, *TRUTH}
    _give_back_flags(experiment, board)
    ours = _are_ours(board)
    flight.stop(board.now_s)
    board.run_until(HitlPhase.DONE)
    after = _metadata(board)
    return {
        "sensors_overridden": float(ours[name] == 1.0),
        "overridden_besides": float(sum(share > 0.5 for key, share in ours.items() if key != name)),
        "changed_besides": float(len(changed - needed)),
        "not_restored": float(sum(after[key] != packed for key, packed in before.items())),
    }


def _metadata(board: WiredBoard) -> dict[str, bytes]:
    entries = board.board.board.objects()
    return {entry.definition.name: entry.metadata.pack(8) for entry in entries}


def _give_back_flags(experiment: Experiment, board: WiredBoard) -> None:
    """If that is asked for: the board's drivers write their objects again, whatever we send."""
    if experiment.values["keep_flags"] != 0.0:
        return
    for mapping in SUPPLIED_SENSORS.values():
        entry = board.board.board[mapping.names[0]]
        entry.metadata = replace(entry.metadata, flight_readonly=False)


def _are_ours(board: WiredBoard) -> dict[str, float]:
    """The share of loops in which the object of each sensor on board held our newest value or the
    one before. Its own may be the same by chance, as those of barometers are now and then."""
    physics, entries = board.physics, board.board.board
    physics.record["parameters"]["gps_first_fix"] = 0
    feeds = {
        name: SensorFeed(mapping, entries[mapping.names[0]].definition)
        for name, mapping in SUPPLIED_SENSORS.items()
    }
    said: dict[str, tuple[bytes | None, ...]] = dict.fromkeys(feeds, ())
    count = dict.fromkeys(feeds, 0)
    settling, watched = round(_SETTLE_S / LOOP_S), round(_WATCHED_S / LOOP_S)
    for loop in range(settling + watched):
        board.run_loop()
        for name, feed in feeds.items():
            payload = feed.payload(physics.output)
            if payload is not None:
                said[name] = (payload, *said[name][:1])
            held = entries[SUPPLIED_SENSORS[name].names[0]].payload(0)
            count[name] += loop >= settling and held in said[name]
    return {name: number / watched for name, number in count.items()}


def _fly(experiment: Experiment, board: WiredBoard) -> OutputTrack:
    """The scenario's script with all sensors; how it really moved."""
    flight = board.begin(_plan(experiment, board, tuple(SUPPLIED_SENSORS)), experiment.scenario)
    board.run_until(HitlPhase.FLYING)
    _give_back_flags(experiment, board)
    pilot, end_s = flight.pilot, board.now_s + _LONGEST_S
    assert pilot is not None
    while flight.phase is HitlPhase.FLYING and not pilot.is_done and board.now_s < end_s:
        board.run_loop()
        if board.physics.output["crashed"]:
            break
    return pilot.track
