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
from telemetry.recording.simulated_imu import SimulatedImu

UNKNOWN: Final = "unknown"
_Floats = npt.NDArray[np.float64]

_IDENTITY: Final = np.eye(3)
_UNEVEN: Final = 1.5
"""So many times as long as usual a tenth of the steps may be before it is told."""


def number(value: float | None, digits: int = 9) -> str:
    """A number as YAML 1.1 has it, for which 2e-05 is a text and 2.0e-05 is a number."""
    if value is None:
        return UNKNOWN
    text = f"{value:.{digits}g}"
    return text if "." in text else text.replace("e", ".0e")


def listed(values: Iterable[float | None]) -> str:
    """Numbers in one line, those that are not known told to be that."""
    return f"[{', '.join(number(value) for value in values)}]"


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
        ""
        if longest <= _UNEVEN * usual
        else f" # uneven: a tenth is over {significant(longest, 3)} s apart"
    )
    return [f"rate_hz: {number(1.0 / usual, 4)}{uneven}"]


def imu_yaml(
    recording: Recording, names: Sequence[str], table: tuple[Times, _Floats], *, of_truth: bool
) -> str:
    """Of imu0, whose `table` has rates in rad/s and specific force in m/s² (n, 6), as objects of
    these names told them. Where poses are `of_truth`, the body's origin is the centre of mass."""
    times, values = table
    spans, imu = disarmed_spans(recording), recording.imu
    if imu is not None:
        gyro, accel = _by_file(imu, times)
    else:
        gyro = _measured(RestNoise.of(times, values[:, :3], spans))
        accel = _measured(RestNoise.of(times, values[:, 3:], spans))
    return "\n".join(
        [
            "# IMU of the log in the body's axes FRD: x forward, y right, z down",
            f"sensor_type: imu\ncomment: {' and '.join(names)}",
            *_imu_place(recording, of_truth=of_truth),
            *rate_lines(times),
            "# Noise of the values in data.csv as densities, in rad/s and m/s^2 per root hertz;",
            "# random walks of the biases in rad/s^2 and m/s^3 per root hertz.",
            f"gyroscope_noise_density: {gyro[0]}",
            f"gyroscope_random_walk: {gyro[1]}",
            f"accelerometer_noise_density: {accel[0]}",
            f"accelerometer_random_walk: {accel[1]}",
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
        imu = recording.imu
        who = "the log does not tell" if imu is None else "the aircraft file tells"
        return [
            turned,
            f"# Poses are of the centre of mass; {who} where the IMU is from there.",
            *transform_lines(_IDENTITY, None if imu is None else imu.place_m),
        ]
    return [
        turned,
        "# The board tells its own pose: the body's origin is the IMU by definition.",
        *transform_lines(_IDENTITY, (0.0, 0.0, 0.0)),
    ]


def _measured(found: RestNoise | None) -> tuple[str, str]:
    """Density and random walk, each with how it was found."""
    walk = f"{UNKNOWN} # hours at rest would tell"
    if found is None:
        return f"{UNKNOWN} # no 20 s at rest and disarmed with white noise in the log", walk
    how = (
        f"measured at rest from {found.start_s:.1f} to {found.end_s:.1f} s by the Allan deviation, "
        f"+-{100 * found.share:.0f} %"
    )
    return f"{number(found.density, 3)} # {how}", walk


def _by_file(imu: SimulatedImu, times: Times) -> tuple[tuple[str, str], tuple[str, str]]:
    """The same of gyro and accelerometer, as the aircraft file has them. A value that is told less
    often than it was taken has all of its noise: the density is that of fewer, as noisy values."""
    rate_hz = 1.0 / float(np.median(np.diff(times))) if len(times) > 1 else imu.rate_hz
    wide = imu.widening(rate_hz)
    density = f"# by the aircraft file, at rest, each value one sample of {imu.rate_hz:g} Hz"
    walk = "# by the aircraft file: its drift without flicker, well below its time constant"
    return (
        (f"{number(wide * imu.gyro_density, 3)} {density}", f"{number(imu.gyro_walk, 3)} {walk}"),
        (f"{number(wide * imu.accel_density, 3)} {density}", f"{number(imu.accel_walk, 3)} {walk}"),
    )
