"""D5: the coaxial helicopter flies along a corridor by its optic flow and finds the middle (seed
003, figure 42).

It begins near a wall, with a constant pitch command, and flies 1200 cycles with the controller of
`simulation/scenarios/controllers/corridor_following.py`. The flight ends where it touches
something, which its rotors would not survive.
"""

from typing import Final

import numpy as np

from simulation.perception.flow.ring_layout import LAYOUTS
from simulation.scenarios.coaxial_flight import CYCLE_S
from simulation.scenarios.controllers.corridor_following import ROLL_WEIGHTS, CorridorFollowing
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.figure import Axes, Figure, series
from simulation.scenarios.flow_flight import fly_in_world
from simulation.scenarios.scenario import ScenarioError

CYCLES: Final = 1200
_HEIGHT_M: Final = 1.5


def run(experiment: Experiment) -> RunOutcome:
    """Root mean square and largest distance from the middle in the second half of the flight, its
    speed at the end, and when it hit a wall."""
    values = experiment.values
    width = values["width_m"]
    world = experiment.flown_world
    if world is None:
        raise ScenarioError("A corridor is followed in a world; give the scenario a 'world_file'.")
    layout = LAYOUTS["direct" if values["fast"] != 0.0 else "A"]
    start = (0.0, values["start_m"], -_HEIGHT_M)
    weights = tuple(values["roll_weight"] / ROLL_WEIGHTS[0] * weight for weight in ROLL_WEIGHTS)
    controller = CorridorFollowing(weights)
    servo_constant = values["servo_constant"]
    loop = fly_in_world(experiment, world, controller, start, layout, servo_constant)
    flight, cycles = loop.flight, loop.fly(CYCLES)
    track = flight.track
    east = np.asarray(track["true_position"])[:, 1]
    second_half = east[CYCLES // 2 :]
    hit = cycles < CYCLES
    metrics = {
        "rms_m": float(np.sqrt(np.mean(second_half**2))) if not hit else np.nan,
        "largest_m": float(np.abs(second_half).max()) if not hit else np.nan,
        "speed_mps": float(track["true_velocity"][-1, 0]),
        "cycles_flown": float(cycles),
    }
    note = f"It hit the wall after {cycles * CYCLE_S:.1f} s." if hit else ""
    figure = _figure(np.asarray(track["true_position"]), width)
    return RunOutcome(metrics, figure, track.digest(), hit or flight.has_crashed, note=note)


def _figure(place: np.ndarray[tuple[int, ...], np.dtype[np.float64]], width: float) -> Figure:
    lines = (series("flown", place[:, 0], place[:, 1]),)
    return Figure(
        "Along a corridor",
        (Axes("Seen from above", "north, m", "east, m", lines, bands=(-width / 2, width / 2)),),
    )
