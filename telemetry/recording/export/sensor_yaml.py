"""Sensor descriptions of a data set, as the `sensor.yaml` of EuRoC's sets: what a reader takes by
its keys, and `unknown` where nobody knows.

T_BS takes points of the sensor (S) into the body (B), p_B = T_BS p_S, as in EuRoC's sets and for
their readers. Noise is given as continuous densities, for the values in data.csv.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from telemetry.base.number_text import significant
from telemetry.recording.export.request import Times
from telemetry.recording.export.rest_noise import RestNoise
from telemetry.recording.flight_state import disarmed_spans
from telemetry.recording.recording import Recording

UNKNOWN: Final = "unknown"
_Floats = npt.NDArray[np.float64]

_IDENTITY: Final = np.eye(3)
_UNEVEN: Final = 1.5
"""So many times as long as usual a tenth of the steps may be before it is told."""


def listed(values: Iterable[float | None]) -> str:
    """Numbers in one line, those that are not known told to be that."""
    texts = (UNKNOWN if value is None else f"{value:.9g}" for value in values)
    return f"[{', '.join(texts)}]"


def transform_lines(rotation: _Floats | None, place_m: Sequence[float] | None) -> list[str]:
    """T_BS of a sensor whose axes `rotation` (3, 3) turns into the body's, at `place_m` in those;
    None is not known."""
    place = (None,) * 3 if place_m is None else place_m
    turned = np.full((3, 3), None) if rotation is None else rotation
    rows = [*(value for row, at in zip(turned, place, strict=True) for value in (*row, at))]
    lines = ["T_BS:", "  cols: 4", "  rows: 4", f"  data: {listed([*rows, 0, 0, 0, 1])}"]
    if None in rows:
        what = "the entries that are unknown" if rotation is None else "the last column, in metres,"
        lines.insert(0, f"# Measure {what} and write them in their place.")
    return lines


def rate_lines(times: Times) -> list[str]:
    """How often values were taken, and whether that is even."""
    if len(times) < 2:
        return [f"rate_hz: {UNKNOWN}"]
    steps = np.diff(times)
    usual, longest = float(np.median(steps)), float(np.quantile(steps, 0.9))
    if usual <= 0.0:
        return [f"rate_hz: {UNKNOWN}"]
    uneven = (
        "" if longest <= _UNEVEN * usual else f" # uneven: a tenth is over {longest:.3g} s apart"
    )
    return [f"rate_hz: {significant(1.0 / usual, 4)}{uneven}"]


def imu_yaml(
    recording: Recording, names: Sequence[str], table: tuple[Times, _Floats], *, of_truth: bool
) -> str:
    """Of imu0, whose `table` has rates in rad/s and specific force in m/s² (n, 6), as objects of
    these names told them. Where poses are `of_truth`, the body's origin is the centre of mass."""
    times, values = table
    spans = disarmed_spans(recording)
    return "\n".join(
        [
            "# IMU of the log in the body's axes FRD: x forward, y right, z down",
            f"sensor_type: imu\ncomment: {' and '.join(names)}",
            *_imu_place(recording, of_truth=of_truth),
            *rate_lines(times),
            *_noise("gyroscope", "rad/s/sqrt(Hz)", RestNoise.of(times, values[:, :3], spans)),
            *_noise("accelerometer", "m/s^2/sqrt(Hz)", RestNoise.of(times, values[:, 3:], spans)),
            "",
        ]
    )


def state_yaml(what: str, times: Times) -> str:
    """Of state_groundtruth_estimate0."""
    return "\n".join(
        [
            f"# {what}; world NED, body FRD",
            "sensor_type: state_groundtruth_estimate",
            "# These are poses of the body itself, so that T_BS is the identity by definition.",
            *transform_lines(_IDENTITY, (0.0, 0.0, 0.0)),
            *rate_lines(times),
            "",
        ]
    )


def _imu_place(recording: Recording, *, of_truth: bool) -> list[str]:
    """The board turns what it measures by its BoardRotation before it tells it."""
    track = recording.track("AttitudeSettings")
    is_told = track is not None and track.count and track.definition.has_field("BoardRotation")
    if track is not None and is_told:
        angles = listed(float(angle) for angle in track.rows[-1]["BoardRotation"])
        rotation = f"BoardRotation (roll, pitch, yaw in degrees) was {angles}"
    else:
        rotation = "BoardRotation is not in the log"
    turned = f"# The board has turned the values into the body's axes: {rotation}."
    if of_truth:
        return [
            turned,
            "# Poses are of the centre of mass; the log does not tell where the IMU is from there.",
            *transform_lines(_IDENTITY, None),
        ]
    return [
        turned,
        "# The board tells its own pose: the body's origin is the IMU by definition.",
        *transform_lines(_IDENTITY, (0.0, 0.0, 0.0)),
    ]


def _noise(sensor: str, unit: str, found: RestNoise | None) -> list[str]:
    walk = f"{sensor}_random_walk: {UNKNOWN} # hours at rest would tell"
    if found is None:
        why = "no 20 s at rest and disarmed with white noise in the log"
        return [f"{sensor}_noise_density: {UNKNOWN} # {unit}; {why}", walk]
    return [
        f"{sensor}_noise_density: {significant(found.density, 3)} # {unit}; measured at rest from "
        f"{found.start_s:.1f} to {found.end_s:.1f} s, Allan deviation of the values in data.csv, "
        f"+-{100 * found.share:.0f} %",
        walk,
    ]
