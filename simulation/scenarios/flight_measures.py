"""Flight measures of scripted flights: the names in a scenario's `measures`.

All but estimates come from the simulator's truth. Each measure is given the track and the numbers
of the steps it is to look at; rows of other steps do not count. Nothing here loads the compiler,
because the station's window reads scenarios, and with them this table.
"""

import math
from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from simulation.scenarios.measures import Column, distances, rms, touchdown_speed
from simulation.scenarios.scenario import Measure, ScenarioStep
from simulation.scenarios.track import OutputTrack

SETTLE_S: Final = 4.0
"""How long a "hold" may take to come to rest before it is measured."""
_AIRBORNE_M: Final = 0.5
"""Lower it has not left the ground."""


def measure(wanted: Measure, track: OutputTrack, steps: Sequence[ScenarioStep]) -> float:
    """The value of one metric, NaN if the flight had nothing to measure."""
    numbers = [i for i, step in enumerate(steps) if step.label == wanted.during]
    chosen = numbers if wanted.during else list(range(-1, len(steps) + 1))
    return MEASURES[wanted.measure](track, steps, chosen)


def heights(track: OutputTrack) -> Column:
    """Metres above where it stood at first."""
    down: Column = track["true_position"][:, 2]
    above: Column = down[0] - down
    return above


def attitudes_deg(track: OutputTrack) -> Column:
    """True roll, pitch and yaw in degrees, rows of 3."""
    return eulers_deg(track["true_quaternion"])


def eulers_deg(q_wxyz: Column) -> Column:
    """Roll, pitch and yaw in degrees, rows of 3, of quaternions in rows."""
    w, x, y, z = q_wxyz.T
    roll = np.arctan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    pitch = np.arcsin(np.clip(2.0 * (w * y - z * x), -1.0, 1.0))
    yaw = np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    angles: Column = np.degrees(np.column_stack((roll, pitch, yaw)))
    return angles


def tilts_deg(track: OutputTrack) -> Column:
    """Angles between the body's and the world's vertical in degrees."""
    q = track["true_quaternion"]
    upright = 1.0 - 2.0 * (q[:, 1] ** 2 + q[:, 2] ** 2)
    tilts: Column = np.degrees(np.arccos(np.clip(upright, -1.0, 1.0)))
    return tilts


def touchdown_mps(track: OutputTrack, airborne_m: float = _AIRBORNE_M) -> float:
    """Sink rate at the last landing of the flight, see `touchdown_speed`."""
    sink, touches = track["true_velocity"][:, 2], track["touches_ground"]
    return touchdown_speed(heights(track), sink, touches, airborne_m)


def _rows(track: OutputTrack, chosen: Sequence[int]) -> Any:
    return np.isin(track.script, chosen)


def _over(
    column: Callable[[OutputTrack], Column], reduce: Callable[[Column], np.floating[Any]]
) -> "MeasureFunction":
    def reduced(track: OutputTrack, _: Sequence[ScenarioStep], chosen: Sequence[int]) -> float:
        values = column(track)[_rows(track, chosen)]
        return float(reduce(values)) if values.size else math.nan

    return reduced


def _touchdown(track: OutputTrack, _steps: Sequence[ScenarioStep], chosen: Sequence[int]) -> float:
    rows = _rows(track, chosen)
    sink = track["true_velocity"][:, 2]
    touches = track["touches_ground"]
    return touchdown_speed(heights(track)[rows], sink[rows], touches[rows], _AIRBORNE_M)


def _hold_rms(track: OutputTrack, steps: Sequence[ScenarioStep], chosen: Sequence[int]) -> float:
    """Horizontal distance from where each hold had settled; a "set" between two of them
    belongs to neither."""
    strayed = []
    for number in chosen:
        if 0 <= number < len(steps) and steps[number].do == "hold":
            rows = np.flatnonzero(track.script == number)
            time_s = track.time_s[rows]
            settled = rows[time_s - time_s[0] >= SETTLE_S] if rows.size else rows
            if settled.size:
                places = track["true_position"][settled, :2]
                strayed.append(distances(places, places[0]))
    return rms(np.concatenate(strayed)) if strayed else math.nan


def _home(track: OutputTrack, _steps: Sequence[ScenarioStep], chosen: Sequence[int]) -> float:
    places = track["true_position"][:, :2]
    last = places[_rows(track, chosen)]
    return float(distances(last[-1:], places[0])[0]) if last.size else math.nan


def _max_position_error(
    track: OutputTrack, _steps: Sequence[ScenarioStep], chosen: Sequence[int]
) -> float:
    rows = _rows(track, chosen) & (track["position_valid"] != 0)
    away = distances(track["position"][rows, :2] - track["true_position"][rows, :2], (0.0, 0.0))
    return float(away.max()) if away.size else math.nan


MeasureFunction = Callable[[OutputTrack, Sequence[ScenarioStep], Sequence[int]], float]

MEASURES: Final = MappingProxyType[str, MeasureFunction](
    {
        "max_altitude_m": _over(heights, np.max),
        "touchdown_mps": _touchdown,
        "hold_rms_m": _hold_rms,
        "home_m": _home,
        "max_tilt_deg": _over(tilts_deg, np.max),
        "mean_roll_deg": _over(lambda track: attitudes_deg(track)[:, 0], np.mean),
        "mean_pitch_deg": _over(lambda track: attitudes_deg(track)[:, 1], np.mean),
        "max_position_error_m": _max_position_error,
    }
)
"""All measures of scripted flights by name."""
