"""Trajectory export: poses over time in the layouts of SLAM and odometry tools, TUM and EuRoC.

The world is NED (north, east, down of home) and the body FRD (forward, right, down); both are
right-handed, so that tools which align trajectories (evo) need nothing else. Quaternions turn the
body into the world. Times are those of the log.

Poses are given where the position was sent, or at a rate; attitude and, at a rate, position lie
between two samples, on the shortest way, and nothing is given across a gap. A simulated flight has
its truth too, which is written beside the estimate.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from telemetry.base.safe_files import whole_file
from telemetry.recording.export.request import ALL, ExportError, ExportRequest, Times, writing_to
from telemetry.recording.export.sensor_yaml import imu_yaml, state_yaml
from telemetry.recording.flight_state import ACCELERATION, ATTITUDE, POSITION, VELOCITY
from telemetry.recording.recording import Recording
from telemetry.recording.track import Track

_GAP_S = 1.0
"""Across a longer one nothing is said."""
GYROS = ("GyroState", "GyroSensor", "Gyros")
TRUTH = ("GroundTruth", "AttitudeSimulated")
_QUATERNION = ("q1", "q2", "q3", "q4")

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Trajectory:
    """Poses: times (n,) in seconds, positions and velocities (n, 3) in m and m/s, NED, and
    quaternions (n, 4) as w, x, y, z, of unit length."""

    times: Times
    positions_ned: _Floats
    velocities_ned: _Floats
    q_wxyz: _Floats


def estimated_trajectory(
    recording: Recording,
    request: ExportRequest,
    times: Times | None = None,
    *,
    needs_velocities: bool = True,
) -> Trajectory:
    """What the aircraft believed, at times of one's own if any are given, those left out at which
    nothing is known; raise ExportError where it has told no pose.

    Poses without a velocity are left out too, or, if it `needs_velocities` not, have one of NaN;
    where no velocity was ever told it is 0, or NaN.
    """
    position, attitude = _find(recording, POSITION, request), _find(recording, ATTITUDE, request)
    if position is None or attitude is None:
        missing = POSITION[0] if position is None else ATTITUDE[0]
        raise ExportError(f"The log holds no poses: {missing} was not recorded. Export it as csv.")
    velocity = _find(recording, VELOCITY, request)
    if times is None:
        times = _wanted_times(recording, request, position.times)
    found = _at_times(
        times,
        _metres(position),
        _metres(velocity) if velocity is not None else None,
        sampled(attitude, _QUATERNION),
        needs_velocities,
    )
    if found is None:
        raise ExportError(
            "Position and attitude were never known together then; give another span."
        )
    return found


def true_trajectory(
    recording: Recording, request: ExportRequest, times: Times | None = None
) -> Trajectory | None:
    """The same of what a simulated aircraft really did; None where the log does not know."""
    from scipy.spatial.transform import Rotation

    truth = _find(recording, TRUTH, request)
    if truth is None:
        return None
    ending = "NED" if truth.definition.has_field("PositionNED") else ""
    if not truth.definition.has_field(f"Position{ending}"):  # AttitudeSimulated of old releases
        return None
    sent_s, positions = sampled(truth, (f"Position{ending}",))
    velocities = sampled(truth, (f"Velocity{ending}",))
    if truth.definition.has_field("RPY"):
        told_s, angles = sampled(truth, ("RPY",))
        turned = Rotation.from_euler("ZYX", angles[:, ::-1], degrees=True)
        quaternions = told_s, turned.as_quat(scalar_first=True)
    else:
        quaternions = sampled(truth, _QUATERNION)
    if times is None:
        times = _wanted_times(recording, request, sent_s)
    return _at_times(times, (sent_s, positions), velocities, quaternions)


def export_tum(recording: Recording, folder: Path, request: ExportRequest = ALL) -> list[Path]:
    """Write estimate.tum, and groundtruth.tum of a simulated flight: "timestamp tx ty tz qx qy qz
    qw" per line. Raises ExportError."""
    truth = true_trajectory(recording, request)
    files = [("estimate.tum", estimated_trajectory(recording, request))]
    if truth is not None:
        files.append(("groundtruth.tum", truth))
    return [_write_tum(folder / name, trajectory) for name, trajectory in files]


def _write_tum(path: Path, trajectory: Trajectory) -> Path:
    quaternions = trajectory.q_wxyz[:, [1, 2, 3, 0]]
    table = np.column_stack((trajectory.times, trajectory.positions_ned, quaternions))
    with writing_to(path.parent), whole_file(path) as fresh:
        np.savetxt(
            fresh,
            table,
            fmt=["%.6f"] + ["%.6f"] * 3 + ["%.9f"] * 4,
            header="time [s] of the log, position NED [m], quaternion x y z w of body FRD in NED",
        )
    return path


def export_euroc(recording: Recording, folder: Path, request: ExportRequest = ALL) -> list[Path]:
    """Write the folder mav0 of a EuRoC data set: imu0 (rates in rad/s, specific force in m/s^2,
    body FRD) and state_groundtruth_estimate0 (the truth of a simulated flight, else the estimate;
    biases are zero). Times are nanoseconds of the log. Raises ExportError."""
    truth = true_trajectory(recording, request)
    is_true = truth is not None
    poses = truth if truth is not None else estimated_trajectory(recording, request)
    nothing = np.zeros((len(poses.times), 6))
    numbers = np.hstack((poses.positions_ned, poses.q_wxyz, poses.velocities_ned, nothing))
    what = "truth of a simulated flight" if is_true else "estimate of the aircraft"
    files = [
        _write_euroc(
            folder / "mav0" / "state_groundtruth_estimate0",
            _STATE_HEADINGS,
            (poses.times, numbers),
            state_yaml(what, poses.times),
        )
    ]
    gyros, accelerations = _find(recording, GYROS, request), _find(recording, ACCELERATION, request)
    if gyros is not None and accelerations is not None:
        imu = _imu(gyros, accelerations, request.span(recording))
        names = (gyros.definition.name, accelerations.definition.name)
        sensor = imu_yaml(recording, names, imu, of_truth=is_true)
        files.append(_write_euroc(folder / "mav0" / "imu0", _IMU_HEADINGS, imu, sensor))
    return files


_STATE_HEADINGS = (
    "#timestamp, p_RS_R_x [m], p_RS_R_y [m], p_RS_R_z [m], q_RS_w [], q_RS_x [], q_RS_y [], "
    "q_RS_z [], v_RS_R_x [m s^-1], v_RS_R_y [m s^-1], v_RS_R_z [m s^-1], b_w_RS_S_x [rad s^-1], "
    "b_w_RS_S_y [rad s^-1], b_w_RS_S_z [rad s^-1], b_a_RS_S_x [m s^-2], b_a_RS_S_y [m s^-2], "
    "b_a_RS_S_z [m s^-2]"
)
_IMU_HEADINGS = (
    "#timestamp [ns], w_RS_S_x [rad s^-1], w_RS_S_y [rad s^-1], w_RS_S_z [rad s^-1], "
    "a_RS_S_x [m s^-2], a_RS_S_y [m s^-2], a_RS_S_z [m s^-2]"
)


def _write_euroc(folder: Path, headings: str, table: tuple[Times, _Floats], sensor: str) -> Path:
    times, numbers = table
    path = folder / "data.csv"
    nanoseconds = np.round(times * 1e9).astype(np.int64).tolist()
    with writing_to(folder):
        with whole_file(path) as fresh, fresh.open("w", encoding="utf-8") as file:
            file.write(headings + "\n")
            for stamp, row in zip(nanoseconds, numbers.tolist(), strict=True):
                file.write(f"{stamp}," + ",".join(f"{value:.9g}" for value in row) + "\n")
        (folder / "sensor.yaml").write_text(sensor, encoding="utf-8")
    return path


def _imu(gyros: Track, accelerations: Track, span: tuple[float, float]) -> tuple[Times, _Floats]:
    times, rates_dps = sampled(gyros, ("x", "y", "z"))
    forces = between(*sampled(accelerations, ("x", "y", "z")), times)
    start_s, end_s = span
    keep = (times >= start_s) & (times <= end_s) & np.isfinite(forces[:, 0])
    return times[keep], np.hstack((np.radians(rates_dps), forces))[keep]


def _wanted_times(recording: Recording, request: ExportRequest, sent_s: Times) -> Times:
    """The steps of the rate asked for, or when positions were sent within the span."""
    if request.rate_hz is not None:
        return request.steps(recording)
    start_s, end_s = request.span(recording)
    return sent_s[(sent_s >= start_s) & (sent_s <= end_s)]


def _at_times(
    times: Times,
    positions: tuple[Times, _Floats],
    velocities: tuple[Times, _Floats] | None,
    quaternions: tuple[Times, _Floats],
    needs_velocities: bool = True,
) -> Trajectory | None:
    places = between(*positions, times)
    turned = turned_between(*quaternions, times)
    untold = np.full_like(places, 0.0 if needs_velocities else np.nan)
    speeds = untold if velocities is None else between(*velocities, times)
    keep = np.isfinite(places[:, 0]) & np.isfinite(turned[:, 0])
    keep &= np.isfinite(speeds[:, 0]) | (not needs_velocities)
    if not keep.any():
        return None
    return Trajectory(times[keep], places[keep], speeds[keep], turned[keep])


def between(known_s: Times, values: _Floats, times: Times) -> _Floats:
    """The values (n, k) at some times, on straight lines between samples; NaN outside and in
    gaps."""
    columns = [np.interp(times, known_s, values[:, axis]) for axis in range(values.shape[1])]
    found = np.column_stack(columns)
    found[~_is_covered(known_s, times)] = np.nan
    return found


def turned_between(known_s: Times, q_wxyz: _Floats, times: Times) -> _Floats:
    """The same for attitudes (n, 4), on the shortest way from one to the next."""
    from scipy.spatial.transform import Rotation, Slerp

    norms = np.linalg.norm(q_wxyz, axis=1)
    good = np.append(np.diff(known_s) > 0, np.True_) & (norms > 0.5)
    known_s, q_wxyz = known_s[good], q_wxyz[good]
    found = np.full((len(times), 4), np.nan)
    if len(known_s) < 2:
        return found
    covered = _is_covered(known_s, times)
    slerp = Slerp(known_s, Rotation.from_quat(q_wxyz, scalar_first=True))
    found[covered] = slerp(times[covered]).as_quat(scalar_first=True)
    return found


def _is_covered(known_s: Times, times: Times) -> npt.NDArray[np.bool_]:
    """Whether a time lies between two samples that are close enough to say what was then."""
    after = known_s.searchsorted(times, "left")
    inside = (after < len(known_s)) & (times >= known_s[0]) & (times <= known_s[-1])
    after = np.minimum(after, len(known_s) - 1)
    before = np.maximum(after - 1, 0)
    is_hit = known_s[after] == times
    covered: npt.NDArray[np.bool_] = inside & (
        is_hit | (known_s[after] - known_s[before] <= _GAP_S)
    )
    return covered


def _find(recording: Recording, names: Sequence[str], request: ExportRequest) -> Track | None:
    """The first of these objects that was sent, those that are asked for by name before others."""
    found = map(recording.track, sorted(names, key=lambda name: name not in request.objects))
    return next((track for track in found if track is not None and track.count), None)


def sampled(track: Track, fields: Sequence[str]) -> tuple[Times, _Floats]:
    """When it was sent, and the values (n, k) of some fields then, while more may arrive."""
    rows = track.rows
    values = np.column_stack([rows[field].astype(np.float64) for field in fields])
    return track.times[: len(rows)], values


def _metres(track: Track) -> tuple[Times, _Floats]:
    """North, east and down; OpenPilot before 2012 wrote centimetres."""
    times, values = sampled(track, ("North", "East", "Down"))
    units = track.definition.field_named("North").units
    return times, values / (100.0 if units.startswith("cm") else 1.0)
