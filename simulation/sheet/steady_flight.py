"""Steady flights of a rotorcraft, flown rather than solved for: hover in wind, and full sticks.

Its own autopilot flies through sensors without noise, with the battery half full, which gives the
voltage that is printed on it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from simulation.autopilot.factory import factory_simulator
from simulation.autopilot.preset import Preset
from simulation.records.interface import (
    AXIS_ATTITUDE,
    HORIZONTAL_NONE,
    HORIZONTAL_POSITION,
    VERTICAL_HOLD,
    VERTICAL_MANUAL,
)
from simulation.scenarios.bare_flight import BareFlight
from simulation.scenarios.flight_measures import tilts_deg
from simulation.scenarios.track import OutputTrack
from simulation.simulator.simulator import Diverged
from telemetry.protocol.objects.catalogue import Catalogue

_HEIGHT_M = 6.1  # where the wind is what was set
_READY_S, _CLIMB_S = 8.0, 12.0
_SETTLE_S, _MEASURED_S = 20.0, 8.0
_FULL_STICK_S = 20.0
_VERTICAL_S = 6.0
_PITCH_STEP_DEG = 2.5
_SUNK_M = 3.0
_HELD_M = 1.0
_STRONGEST_MPS = 40.0
_MEMBERS = (
    "true_position",
    "true_velocity",
    "true_quaternion",
    "true_battery_voltage",
    "true_battery_current",
)


@dataclass(frozen=True, slots=True)
class SteadyFlight:
    """Means over the last seconds of a flight: speed through the air, tilt, what the battery
    gives, and how far from its place it stood."""

    speed_mps: float
    tilt_deg: float
    power_w: float
    away_m: float

    @property
    def is_held(self) -> bool:
        """Whether it kept its place."""
        return self.away_m < _HELD_M


def hover_in_wind(preset: Preset, catalogue: Catalogue, step_mps: float) -> Iterator[SteadyFlight]:
    """Hold a place in ever stronger wind, until it cannot; the last one is not held."""
    for wind_mps in np.arange(0.0, _STRONGEST_MPS, step_mps).tolist():
        flight = _hovering(preset, catalogue)
        flight.simulator.set_wind(wind_mps, 0.0)
        flown = _flown(flight, _SETTLE_S)
        yield flown
        if not flown.is_held:
            return


def level_flights(preset: Preset, catalogue: Catalogue) -> Iterator[SteadyFlight]:
    """Level flight with the nose held ever lower, to the end of the stick or until the height is
    lost; `away_m` is how much height was."""
    steepest = float(_hovering(preset, catalogue).simulator.settings["maximum_angle"][1])
    for pitch_deg in np.arange(_PITCH_STEP_DEG, steepest + 0.1, _PITCH_STEP_DEG).tolist():
        flight = _hovering(preset, catalogue)
        command = flight.simulator.command
        command["horizontal_mode"] = HORIZONTAL_NONE
        command["axis_setpoint"] = (0.0, -pitch_deg, 0.0)
        flown = _flown(flight, _FULL_STICK_S, axes=(2,))
        if not flown.away_m < _SUNK_M:
            return
        yield flown


def fastest_climb_mps(preset: Preset, catalogue: Catalogue) -> float:
    """Straight up at full throttle."""
    flight = _hovering(preset, catalogue)
    flight.simulator.command["vertical_mode"] = VERTICAL_MANUAL
    flight.simulator.command["thrust"] = 1.0
    flight.advance(_VERTICAL_S)
    return float(-flight.track["true_velocity"][:, 2].min())


def _hovering(preset: Preset, catalogue: Catalogue) -> BareFlight:
    """Over its place, without wind. Where it believes to be is not the aircraft's doing, so the
    better filter flies."""
    simulator = factory_simulator(replace(preset, has_own_filter=True), catalogue)
    simulator.world["sensor_noise"] = 0.0
    simulator.set_charge(0.5)
    flight = BareFlight(simulator, _MEMBERS)
    flight.advance(_READY_S)
    command = simulator.command
    command["armed"] = 1
    command["axis_mode"] = AXIS_ATTITUDE
    command["horizontal_mode"] = HORIZONTAL_POSITION
    command["vertical_mode"] = VERTICAL_HOLD
    command["down_m"] = -_HEIGHT_M
    flight.advance(_CLIMB_S)
    simulator.set_charge(0.5)
    return flight


def _flown(flight: BareFlight, seconds: float, axes: Sequence[int] = (0, 1, 2)) -> SteadyFlight:
    """The means of the end, and the largest distance from the place then along these axes; a
    flight that came apart stood nowhere."""
    try:
        flight.advance(seconds)
    except Diverged:
        return SteadyFlight(np.nan, np.nan, np.nan, np.inf)
    track = flight.track
    last = track.time_s > track.time_s[-1] - _MEASURED_S
    away = track["true_position"][last] - (0.0, 0.0, -_HEIGHT_M)
    return SteadyFlight(
        _airspeed(flight, track, last),
        float(tilts_deg(track)[last].mean()),
        float((track["true_battery_voltage"] * track["true_battery_current"])[last].mean()),
        float(np.linalg.norm(away[:, axes], axis=1).max()),
    )


def _airspeed(flight: BareFlight, track: OutputTrack, rows: np.ndarray) -> float:
    through = track["true_velocity"][rows] - flight.simulator.output["true_wind"]
    return float(np.linalg.norm(through, axis=1).mean())
