"""F1, speed independence: a flight is the same at any speed, in any blocks, compiled or not.

A change of speed must never change the physics; it did in several simulators (see the design
notes on lock-step). Here the same flight is flown in many ways and the digests of all that the
aircraft sent, and of all truth and sensor values, are compared.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

from simulation.autopilot.autopilot import LOOP_US, Autopilot
from simulation.records.interface import AXIS_LOCK, VERTICAL_TAKEOFF
from simulation.scenarios.experiment import Experiment, RunOutcome, outcome_of
from simulation.scenarios.figures import draw
from simulation.scenarios.flight import SimulatedFlight
from simulation.scenarios.scenario import Scenario, ScenarioError, ScenarioStep
from simulation.serving.real_time_flight import FASTEST, RealTimeFlight
from telemetry.base.installation import ROOT
from telemetry.protocol.objects.catalogue import load_catalogue

SPEEDS = (1.0, 7.0)
BLOCKS = ((1,), (7,), (20,), (1000,), (3, 64, 1, 501))
"""Steps per call of the bare simulator."""
_SHORT = (
    ScenarioStep("wait", seconds=1.0),
    ScenarioStep("arm"),
    ScenarioStep("fly", seconds=100.0, throttle=0.75, roll=0.2),
)
_TICK_S = 1.0 / 60.0
_PAUSE_AFTER_S, _PAUSE_S = 3.0, 10.0
_READY_STEPS = 6000


def run(experiment: Experiment) -> RunOutcome:
    """How many different digests came out, by kind of change. With `other_seed` one flight of
    each kind has another seed, which must show."""
    experiment = replace(experiment, without_link=False)  # what it sends is compared
    odd = int(experiment.values["other_seed"])
    whole = experiment.fly()
    paced = [whole.log_hash, *(_paced(experiment, speed, odd) for speed in SPEEDS)]
    blocks = [_in_blocks(experiment, sizes, odd * (sizes == BLOCKS[-1])) for sizes in BLOCKS]
    served = [_served(experiment, s, odd * (s == FASTEST)) for s in (*SPEEDS, FASTEST)]
    programs = [
        _short_flight(experiment).log_hash,
        digest_of_process(experiment, is_compiled=True, seed_offset=0),
        digest_of_process(experiment, is_compiled=False, seed_offset=odd),
    ]
    kinds = {"paced": paced, "block": blocks, "served": served, "program": programs}
    metrics = {f"{kind}_hashes": float(len(set(hashes))) for kind, hashes in kinds.items()}
    metrics["flights"] = float(sum(map(len, kinds.values())))
    return outcome_of(whole, metrics, draw(whole))


def _ticks(speed: float) -> Iterator[float]:
    """What a clock shows 60 times a second that goes `speed` times as fast and pauses once."""
    now_s = 0.0
    while True:
        now_s += _TICK_S * speed
        yield now_s
        if _PAUSE_AFTER_S <= now_s < _PAUSE_AFTER_S + _TICK_S * speed:
            yield from (now_s for _ in range(round(_PAUSE_S / _TICK_S)))


def _paced(experiment: Experiment, speed: float, seed_offset: int) -> str:
    """The scripted flight in step with such a clock: several loops at once, or none."""
    flight = experiment.flight(seed_offset=seed_offset)
    for now_s in _ticks(speed):
        while flight.autopilot.now_s + LOOP_US / 1e6 <= now_s and not flight.is_done:
            flight.run_loop()
        if flight.is_done:
            break
    return flight.log_hash


def _in_blocks(experiment: Experiment, sizes: Sequence[int], seed_offset: int) -> str:
    """A bare simulator climbs while it is advanced by blocks of these sizes in turn."""
    simulator = experiment.simulator(seed_offset)

    def advance(steps: int) -> None:
        number = 0
        while steps > 0:
            block = min(steps, sizes[number % len(sizes)])
            simulator.advance(block)
            steps -= block
            number += 1

    advance(_READY_STEPS)
    command = simulator.command
    command["armed"] = 1
    command["axis_mode"][2] = AXIS_LOCK
    command["vertical_mode"] = VERTICAL_TAKEOFF
    command["down_m"], command["velocity_down"] = -5.0, -2.0
    advance(_READY_STEPS)
    return hashlib.sha256(simulator.snapshot()).hexdigest()


class _Ear:
    """A link at whose other end somebody only listens."""

    name = address = "ear"
    can_write = False

    def read(self, timeout_s: float) -> bytes:
        """Nobody speaks."""
        return b""

    def write(self, data: bytes) -> None:
        """Somebody hears it."""

    def close(self) -> None:
        """Nothing is held."""


def _served(experiment: Experiment, speed: float, seed_offset: int) -> str:
    """What serves stations, hurried by `speed`, and paused by its operator for 10 s.

    Nobody flies it: when a station's words arrive depends on the speed, and rightly so.
    """
    config, end_s = experiment.config(seed_offset), experiment.values["served_s"]
    digest, clock_s = hashlib.sha256(), 0.0

    def note(_t_s: float, data: bytes, _received: bool) -> None:
        if flight.autopilot.now_s <= end_s:
            digest.update(data)

    def power_up() -> Autopilot:
        return Autopilot(config, experiment.catalogue)

    flight = RealTimeFlight(power_up, _Ear(), lambda: clock_s, note)
    experiment.made.append(flight.autopilot.simulator)
    pause_ticks = round(_PAUSE_S / _TICK_S)
    while flight.autopilot.now_s < end_s:
        is_paused = flight.autopilot.now_s > _PAUSE_AFTER_S and pause_ticks > 0
        pause_ticks -= is_paused
        flight.speed = 0.0 if is_paused else speed
        clock_s += _TICK_S
        flight.catch_up()
    return digest.hexdigest()


def _short_flight(experiment: Experiment) -> SimulatedFlight:
    """A take-off by hand in turbulent air that a process of its own can fly too."""
    short = Scenario("short", "Short", world={"turbulence_mps": 5.0}, steps=_SHORT)
    limit_s = experiment.values["program_s"]
    return replace(experiment, scenario=short, record=None, limit_s=limit_s).fly()


def digest_of_process(experiment: Experiment, is_compiled: bool, seed_offset: int) -> str:
    """The digest of the short flight in a new process, compiled or as pure Python, however long
    that takes. Raises ScenarioError if the process fails."""
    words = (experiment.seed + seed_offset, experiment.aircraft, experiment.values["program_s"])
    try:
        finished = subprocess.run(
            [sys.executable, "-m", __name__, *map(str, words)],
            cwd=ROOT,
            env={**os.environ, "LAPWING_PLAIN_PYTHON": str(int(not is_compiled))},
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        raise ScenarioError(f"No second process can be started to compare with: {error}.") from None
    if finished.returncode != 0:
        last = finished.stderr.strip().splitlines()[-1:] or [f"code {finished.returncode}"]
        raise ScenarioError(
            f"The process that flew {'compiled' if is_compiled else 'in pure Python'} to compare "
            f"with has failed: {last[0]}. Try it again; if memory is short, close other programs."
        )
    return finished.stdout.strip()


def _main() -> None:
    """Print the digest of the short flight."""
    seed, aircraft, seconds = sys.argv[1:]
    asked = Scenario("asked", "Asked", values={"program_s": float(seconds)})
    print(_short_flight(Experiment(asked, int(seed), aircraft, load_catalogue())).log_hash)


if __name__ == "__main__":
    _main()
