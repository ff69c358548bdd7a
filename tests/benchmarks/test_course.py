"""The course that another simulator flies, and its log: east, north, up become ours."""

import numpy as np
import pytest

from benchmarks.peers import course as c
from benchmarks.peers.course_log import write_course_log
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording

_STEPS = 1000


def test_the_course_ends_at_rest_above_its_start_after_one_turn() -> None:
    flown = c.course()
    np.testing.assert_allclose(flown.velocity[-1], 0.0, atol=1e-9)
    np.testing.assert_allclose(flown.position[-1, :2], 0.0, atol=0.1)
    assert flown.position[-1, 2] == pytest.approx(12.0, abs=0.1)  # 3 m/s for 2 s, twice half of it
    assert flown.position[-1, 3] == pytest.approx(2 * np.pi, abs=0.02)


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """Hovering at 12 m with the nose to the north, rolling right, sliding east and rising."""
    nose_north = np.array([np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)])  # turned left from east
    rows = {
        "position": [2.0, 3.0, 12.0],
        "velocity": [1.0, 0.0, 0.5],
        "quaternion": nose_north,
        "gyro": [0.1, 0.2, 0.3],
        "accel": [0.5, 0.25, 9.81],
        "command": [300.0, 600.0, 750.0, 1500.0],
    }
    path = tmp_path_factory.mktemp("course") / "course.opl"
    write_course_log(path, {name: np.tile(row, (_STEPS, 1)) for name, row in rows.items()}, 1500.0)
    return read_log(path, load_catalogue()).recording


@pytest.mark.parametrize(
    ("path", "expected", "tolerance"),
    [
        ("VelocityState.North", 0.0, 0.4),
        ("VelocityState.East", 1.0, 0.4),
        ("VelocityState.Down", -0.5, 0.4),
        ("PositionState.North", 3.0, 1.2),
        ("PositionState.East", 2.0, 1.2),
        ("PositionState.Down", -12.0, 1.2),
        ("BaroSensor.Altitude", 12.0, 0.2),
        ("AttitudeState.Yaw", 0.0, 1.0),
        ("GyroState.x", np.degrees(0.1), 1e-5),
        ("GyroState.y", -np.degrees(0.2), 1e-5),
        ("GyroState.z", -np.degrees(0.3), 1e-5),
        ("AccelState.x", 0.5, 1e-5),
        ("AccelState.y", -0.25, 1e-5),
        ("AccelState.z", -9.81, 1e-5),
    ],
)
def test_the_log_has_the_axes_of_the_station(
    logged: Recording, path: str, expected: float, tolerance: float
) -> None:
    _, values = logged.series(path)
    assert np.mean(values) == pytest.approx(expected, abs=tolerance)


def test_pulses_are_shares_of_the_full_speed(logged: Recording) -> None:
    times, pulses = logged.series("ActuatorCommand.Channel")
    assert pulses[0, :4].tolist() == [1200, 1400, 1500, 2000]
    assert times[1] - times[0] == pytest.approx(c.STEP_S)
