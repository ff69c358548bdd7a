"""E3, power: what flying costs, against what motor and speed controller stand.

Level flight is solved for at every speed there is, at nominal voltage and in the air above the
field; the full throttle in the hand, where the propeller stands still in the air and takes most, is
simulated.
"""

import math
from typing import Final

import numpy as np

from simulation.aircraft.aircraft import AircraftParameters
from simulation.aircraft.trim import NoTrimError, Trim, nominal_voltage, trim
from simulation.environment.atmosphere import density
from simulation.records.flight import FIXED_WING
from simulation.records.interface import AXIS_MANUAL, HORIZONTAL_NONE, VERTICAL_MANUAL
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.figure import Figure, curves

SPEEDS: Final = np.arange(9.0, 30.01, 0.25)
_HEIGHT_M: Final = 50.0
_MEMBERS: Final = ("true_battery_current", "true_battery_voltage", "rotor_speed", "true_velocity")


def run(experiment: Experiment) -> RunOutcome:
    """Solve for level flight at all speeds and at the one asked for; run the motor in the hand."""
    experiment.insist_on(FIXED_WING)
    full_a, digest = _full_throttle(experiment)
    simulator = experiment.made[0]
    air = density(simulator.place.altitude_m + _HEIGHT_M)
    solved = [_level(simulator.aircraft, float(speed), air) for speed in SPEEDS]
    trims = [state for state in solved if state is not None]
    asked = _level(simulator.aircraft, experiment.values["speed_mps"], air)
    metrics = {
        "slowest_mps": min((state.speed for state in trims), default=math.nan),
        "fastest_mps": max((state.speed for state in trims), default=math.nan),
        "most_current_a": max((state.current for state in trims), default=math.nan),
        "most_motor_w": max((state.power for state in trims), default=math.nan),
        "current_a": math.nan if asked is None else asked.current,
        "motor_w": math.nan if asked is None else asked.power,
        "full_throttle_a": full_a,
    }
    return RunOutcome(metrics, _figure(trims), digest)


def _level(aircraft: AircraftParameters, speed: float, air: float) -> Trim | None:
    try:
        return trim(aircraft, speed, nominal_voltage(aircraft), air)
    except NoTrimError:
        return None


def _full_throttle(experiment: Experiment) -> tuple[float, str]:
    """The highest current of a throw at full throttle, and the digest of that flight."""
    simulator = experiment.simulator()
    flight = experiment.bare_flight(simulator, _MEMBERS, 1)
    flight.advance(2.0)
    command = simulator.command
    command["armed"] = 1
    command["horizontal_mode"] = HORIZONTAL_NONE
    command["axis_mode"][:] = AXIS_MANUAL
    command["vertical_mode"] = VERTICAL_MANUAL
    command["thrust"] = 1.0
    flight.advance(1.5)
    return float(flight.track["true_battery_current"].max()), flight.track.digest()


def _figure(trims: list[Trim]) -> Figure:
    speeds = ("airspeed, m/s", [state.speed for state in trims])
    watts = {
        "motor takes": [state.power for state in trims],
        "shaft gives": [state.shaft_power for state in trims],
    }
    amperes = {"battery gives": [state.current for state in trims]}
    minutes = {"level flight": [state.endurance / 60.0 for state in trims]}
    axes = (
        curves("Power", speeds, "W", watts, {"shaft gives": "dashed"}, bands=(120.0,)),
        curves("Current", speeds, "A", amperes, bands=(15.0,)),
        curves("endurance, min", speeds, "endurance, min", minutes),
    )
    return Figure("Power of level flight", axes)
