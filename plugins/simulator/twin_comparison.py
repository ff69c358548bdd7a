"""Digital twin comparison: how far a simulated twin and the aircraft it follows are apart."""

import math
from dataclasses import dataclass

from telemetry.recording.flight_state import read_flight_state
from telemetry.recording.recording import Recording
from telemetry.vehicle.vehicle import Vehicle

_RATES = ("GyroState", "Gyros")


@dataclass(frozen=True, slots=True)
class TwinDifference:
    """Twin less aircraft at one instant, by their own estimates; None where one of them is silent.

    Angles in degrees, -180 to 180; `moved_m` (north, east, up) is by how much farther the twin has
    moved since it began to follow, so that two homes do not matter; `rates_dps` are about the axes
    of the body.
    """

    roll_deg: float | None
    pitch_deg: float | None
    yaw_deg: float | None
    moved_m: tuple[float, float, float] | None
    rates_dps: tuple[float, float, float] | None


def compare(real: Vehicle, twin: Vehicle, since_s: tuple[float, float]) -> TwinDifference:
    """The difference now. `since_s`: when the twin began to follow, in the time of either."""
    one = read_flight_state(real.recording, real.end_s)
    other = read_flight_state(twin.recording, twin.end_s)
    moved = [_moved(v, at_s) for v, at_s in zip((real, twin), since_s, strict=True)]
    rates = [_rates(v.recording, v.end_s) for v in (real, twin)]
    return TwinDifference(
        _turned(other.roll_deg, one.roll_deg),
        _turned(other.pitch_deg, one.pitch_deg),
        _turned(other.yaw_deg, one.yaw_deg),
        _less(moved[1], moved[0]),
        _less(rates[1], rates[0]),
    )


Vector = tuple[float, float, float]


def _turned(a: float | None, b: float | None) -> float | None:
    return None if a is None or b is None else math.remainder(a - b, 360.0)


def _less(a: Vector | None, b: Vector | None) -> Vector | None:
    return None if a is None or b is None else (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def _moved(vehicle: Vehicle, since_s: float) -> Vector | None:
    then, now = (_place(vehicle.recording, t) for t in (since_s, vehicle.end_s))
    return _less(now, then)


def _place(recording: Recording, t: float) -> Vector | None:
    state = read_flight_state(recording, t)
    if state.north_m is None or state.east_m is None or state.height_m is None:
        return None
    return state.north_m, state.east_m, state.height_m


def _rates(recording: Recording, t: float) -> Vector | None:
    sample = next((s for name in _RATES if (s := recording.latest(name, t)) is not None), None)
    if sample is None:
        return None
    return float(sample["x"]), float(sample["y"]), float(sample["z"])
