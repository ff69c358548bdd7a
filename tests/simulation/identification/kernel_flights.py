"""Flights for identification by the compiled kernel: what is true of them is known."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from simulation.autopilot.factory import factory_simulator
from simulation.autopilot.preset import load_preset
from simulation.identification.logged_flight import Floats, LoggedFlight, Signal
from simulation.identification.parameters import deviations
from simulation.records.interface import (
    AXIS_ATTITUDE,
    AXIS_RATE,
    HORIZONTAL_POSITION,
    STEP_S,
    VERTICAL_HOLD,
)
from simulation.scenarios.track import OutputTrack
from simulation.simulator.simulator import Simulator
from telemetry.protocol.objects.catalogue import load_catalogue

_READY_STEPS, _CLIMB_STEPS = 6000, 8000
_HEIGHT_M = 12.0
_MEMBERS = (
    "gyro",
    "accel",
    "quaternion",
    "gps_velocity",
    "gps_count",
    "actuator_command",
    "battery_voltage",
    "true_position",
)


def flown(
    values: Mapping[str, float],
    wind: tuple[float, float],
    seed: int = 1,
    every: int = 2,
    turbulence_mps: float = 0.0,
) -> LoggedFlight:
    """26 s with doublets, runs and a turn of an AR100B with these values of parameters, in this
    wind to north and east and turbulence (W20), logged every `every` ms."""
    simulator = _up(values, wind, seed)
    simulator.set_turbulence(turbulence_mps)
    track = OutputTrack(_MEMBERS)
    simulator.watch(track.add, every)
    for setpoints, steps in _manoeuvres():
        simulator.command["axis_setpoint"] = setpoints
        simulator.advance(steps)
    return logged(track)


def hovered(
    seconds: int, wind: tuple[float, float], turn_dps: float = 0.0, seed: int = 1
) -> LoggedFlight:
    """An AR100B that holds its place in the wind while it turns."""
    simulator = _up({}, wind, seed)
    simulator.command["horizontal_mode"] = HORIZONTAL_POSITION
    simulator.advance(_CLIMB_STEPS)
    simulator.command["axis_setpoint"] = (0.0, 0.0, turn_dps)
    track = OutputTrack(_MEMBERS)
    simulator.watch(track.add, 2)
    simulator.advance(1000 * seconds)
    return logged(track)


def _up(values: Mapping[str, float], wind: tuple[float, float], seed: int) -> Simulator:
    preset = load_preset("ar100b")
    preset = replace(preset, deviations=deviations("ar100b", values) if values else {})
    simulator = factory_simulator(preset, load_catalogue(), seed)
    simulator.advance(_READY_STEPS)
    command = simulator.command
    command["armed"] = 1
    command["axis_mode"] = (AXIS_ATTITUDE, AXIS_ATTITUDE, AXIS_RATE)
    command["vertical_mode"] = VERTICAL_HOLD
    command["down_m"] = -_HEIGHT_M
    simulator.advance(_CLIMB_STEPS)
    simulator.world["wind"][:2] = wind
    simulator.world["roughness"] = 0.0
    simulator.advance(_CLIMB_STEPS)
    return simulator


def _manoeuvres() -> list[tuple[tuple[float, float, float], int]]:
    doublets = [
        (tuple(side * size if axis == row else 0.0 for row in range(3)), 500)
        for axis, size in ((0, 15.0), (1, 15.0), (2, 60.0))
        for side in (1.0, -1.0, 0.0)
    ]
    runs = [
        ((angle if axis == 0 else 0.0, angle if axis == 1 else 0.0, 0.0), 2000)
        for axis in (0, 1)
        for angle in (-15.0, 15.0)
    ]
    return [*doublets, *runs, *doublets, ((0.0, 0.0, 40.0), 9000)]


def logged(track: OutputTrack) -> LoggedFlight:
    """What a log of these rows would have, with the stamps of the simulator."""
    times = track["step"] * STEP_S
    new_fix = np.flatnonzero(np.diff(track["gps_count"], prepend=-1) > 0)
    fixes = new_fix[1:]
    height = -track["true_position"][:, 2:]
    return LoggedFlight(
        gyro=_signal(times, track["gyro"]),
        accel=_signal(times, track["accel"]),
        attitude=_signal(times, track["quaternion"]),
        velocity=_signal(times[fixes], track["gps_velocity"][fixes]),
        is_gps=True,
        pulses=_signal(times, track["actuator_command"]),
        voltage=_signal(times[::25], track["battery_voltage"][::25, None]),
        height_m=_signal(times[::50], height[::50]),
        altitude_m=270.0,
    )


def _signal(times: Floats, values: Floats) -> Signal:
    return Signal(np.asarray(times, np.float64), np.asarray(values, np.float64))
