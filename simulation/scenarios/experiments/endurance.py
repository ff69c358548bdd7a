"""E2, endurance: how long one battery lasts in level flight.

The aeroplane flies up and down a long line, by its own guidance and through its own sensors, until
the battery no longer holds its height: at the speed asked for, and at others. At every speed there
is, down to the stall, level flight is solved for besides. None of them all may last longer than the
seed's battery can.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import numpy as np

from simulation.aircraft.trim import NoTrimError, nominal_voltage, trim
from simulation.environment.atmosphere import density
from simulation.records.flight import FIXED_WING
from simulation.records.interface import HORIZONTAL_WING, VERTICAL_PATH, VERTICAL_TAKEOFF
from simulation.scenarios.bare_flight import BareFlight
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.figure import Axes, Figure, curves, series
from simulation.scenarios.measures import Column
from simulation.scenarios.track import OutputTrack

OTHER_SPEEDS: Final = (12.0, 20.0)
SPEEDS: Final = np.arange(9.0, 25.0, 0.25)
_HEIGHT_M: Final = 50.0
_SUNK_M: Final = 10.0
_LEG_S: Final = 120.0
_GIVE_UP_S: Final = 3600.0
_MEMBERS: Final = ("true_position", "true_velocity", "true_battery_voltage", "true_battery_current")


def run(experiment: Experiment) -> RunOutcome:
    """Fly until it sinks, at every speed."""
    experiment.insist_on(FIXED_WING)
    others = OTHER_SPEEDS if experiment.values["other_speeds"] else ()
    speeds = (experiment.values["speed_mps"], *others)
    flights = [_fly(experiment, speed) for speed in speeds]
    minutes = [flight.now_s / 60.0 for flight in flights]
    solved = _solved_min(experiment)
    asked = flights[0].track
    return RunOutcome(
        {
            "endurance_min": minutes[0],
            "longest_min": max([*minutes, np.nanmax(solved)]),
            "mean_speed_mps": _mean_speed(asked),
            "mean_power_w": float(
                np.mean(asked["true_battery_voltage"] * asked["true_battery_current"])
            ),
        },
        _figure(speeds, minutes, solved, asked),
        asked.digest(),
        any(bool(flight.simulator.output["crashed"]) for flight in flights),
    )


def _fly(experiment: Experiment, speed: float) -> BareFlight:
    """One flight at this airspeed until the height is lost."""
    simulator = experiment.simulator()
    flight = experiment.bare_flight(simulator, _MEMBERS, 1000)
    flight.advance(6.0)
    command = simulator.command
    command["armed"] = 1
    command["horizontal_mode"] = HORIZONTAL_WING
    command["vertical_mode"] = VERTICAL_TAKEOFF
    command["down_m"] = -_HEIGHT_M
    command["velocity_north"] = speed
    flight.advance(10.0)
    command["vertical_mode"] = VERTICAL_PATH
    flight.advance(20.0)
    position = simulator.output["true_position"]
    while flight.now_s < _GIVE_UP_S and position[2] < _SUNK_M - _HEIGHT_M:
        if flight.now_s % _LEG_S < 1.0:
            command["velocity_north"] *= -1.0
        flight.advance(1.0)
    return flight


def _mean_speed(track: OutputTrack) -> float:
    velocity = track["true_velocity"]
    speeds = np.hypot(velocity[:, 0], velocity[:, 1])
    return float(speeds[len(speeds) // 4 :].mean())


def _solved_min(experiment: Experiment) -> Column:
    """Minutes of level flight at nominal voltage at each of SPEEDS, NaN where there is none."""
    simulator = experiment.made[0]
    aircraft, air = simulator.aircraft, density(simulator.place.altitude_m + _HEIGHT_M)
    minutes = np.full(len(SPEEDS), np.nan)
    for i, speed in enumerate(SPEEDS.tolist()):
        with suppress(NoTrimError):
            minutes[i] = trim(aircraft, speed, nominal_voltage(aircraft), air).endurance / 60.0
    return minutes


def _figure(
    speeds: Sequence[float], minutes: Sequence[float], solved: Column, asked: OutputTrack
) -> Figure:
    by_speed = (
        series("flown", speeds, minutes, "dots"),
        series("trimmed at nominal voltage", SPEEDS, solved, "dashed"),
    )
    title, bands = "Endurance over speed", (17.0, 23.0)
    time, voltage = ("time, min", asked.time_s / 60.0), {"voltage": asked["true_battery_voltage"]}
    axes = (
        Axes(title, "airspeed, m/s", "minutes", by_speed, bands=bands),
        curves("Battery", time, "V", voltage),
    )
    return Figure("Endurance on one battery", axes)
