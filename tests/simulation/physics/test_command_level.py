"""An aircraft that follows commands, against the prediction it is taken from."""

import math
from pathlib import Path

import pytest

from simulation.aircraft.aircraft import FOLDER, load_aircraft
from simulation.files.parameter_file import ParameterError
from simulation.simulator.simulator import Simulator

_DT = 1e-3


def _command(simulator: Simulator, roll: float, pitch: float, yaw: float, climb: float) -> None:
    """By the pulses of ardrone.toml."""
    simulator.command["outputs_supplied"] = 1
    simulator.command["outputs"][:4] = [1500 + 400 * u for u in (climb, roll, pitch, yaw)]


def _hovering() -> Simulator:
    simulator = Simulator(load_aircraft("ardrone"))
    _command(simulator, 0.0, 0.0, 0.0, 1.0)
    simulator.advance(3000)
    _command(simulator, 0.0, 0.0, 0.0, 0.0)
    simulator.advance(8000)
    return simulator


def _predicted(seconds: float, forward: float, turn: float, climb: float) -> tuple[float, ...]:
    """DroneKalmanFilter::predictInternal of tum_ardrone (3464fb7) with its constants, in small
    steps: its pitch and yaw in degrees, speeds ahead of the nose at the start and up."""
    pitch = yaw = yaw_rate = ahead = up = 0.0
    for _ in range(round(seconds / _DT)):
        pitch += _DT * 10.0 * (35.0 * max(-0.5, min(0.5, forward)) - pitch)
        yaw_rate += _DT * 10.0 * (25.0 * turn - yaw_rate)
        yaw += _DT * yaw_rate
        along = math.sin(math.radians(pitch)) * math.cos(math.radians(yaw))
        ahead += _DT * 0.58 * (17.8 * along - ahead)
        up += _DT * 1.4 * (1.0 * climb * (2.0 if climb < 0 else 1.0) - up)
    return pitch, yaw, ahead, up


@pytest.mark.parametrize(
    ("seconds", "forward", "turn", "climb"),
    [(0.5, 0.3, 0.0, 0.0), (3.0, 0.9, 0.0, 0.0), (2.0, 0.3, 0.8, 1.0), (0.7, 0.0, 0.0, -0.5)],
)
def test_follows_the_prediction_of_tum_ardrone(
    seconds: float, forward: float, turn: float, climb: float
) -> None:
    """But for the 10 ms that its rates need."""
    simulator = _hovering()
    _command(simulator, 0.0, -forward, turn, climb)
    simulator.advance(round(seconds / _DT))
    pitch, yaw, ahead, up = _predicted(seconds, forward, turn, climb)
    w, x, y, z = simulator.output["true_quaternion"]
    north, _, down = simulator.output["true_velocity"]
    assert -math.degrees(math.asin(2 * (w * y - z * x))) == pytest.approx(pitch, abs=0.1)
    assert math.degrees(math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))) == (
        pytest.approx(yaw, abs=0.1)
    )
    assert north == pytest.approx(ahead, abs=0.06)
    assert -down == pytest.approx(up, abs=0.01)


def test_rolls_to_the_right_and_moves_there() -> None:
    simulator = _hovering()
    _command(simulator, 0.2, 0.0, 0.0, 0.0)
    simulator.advance(2000)
    assert simulator.output["true_quaternion"][1] == pytest.approx(
        math.sin(math.radians(3.5)), abs=1e-3
    )
    assert simulator.output["true_velocity"][1] > 0.5


def test_falls_when_its_motors_are_stopped() -> None:
    simulator = _hovering()
    simulator.command["outputs"][0] = 1000
    simulator.advance(200)
    assert simulator.output["true_velocity"][2] == pytest.approx(0.2 * 9.81, rel=0.01)
    assert simulator.output["true_specific_force"] == pytest.approx([0.0, 0.0, 0.0], abs=1e-6)


def test_stays_on_the_ground_whatever_is_commanded_but_climb() -> None:
    simulator = Simulator(load_aircraft("ardrone"))
    _command(simulator, 0.5, 0.5, 1.0, -1.0)
    simulator.advance(3000)
    assert simulator.output["true_position"][:2] == pytest.approx([0.0, 0.0], abs=0.01)
    assert simulator.output["true_quaternion"][0] == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("channel = [2, 3, 4, 1]", "channel = [2, 3, 3, 1]", "one channel"),
        ("pulse_us = [1100, 1900]", "pulse_us = [1900, 1100]", "wrong order"),
        ("off_us = 1050", "off_us = 1200", "off_us <="),
        ("yaw_drag_nms = 0.189", "yaw_drag_nms = 100.0", "at most 18.9"),
        ("drag_nspm = 0.2436", "drag_nspm = 900.0", "at most 420"),
        ("tilt_tau_s = 0.1", "tilt_tau_s = 0.0", "tilt_tau_s"),
    ],
)
def test_wrong_commands_are_refused(tmp_path: Path, old: str, new: str, expected: str) -> None:
    text = (FOLDER / "ardrone.toml").read_text(encoding="utf-8")
    assert text.count(old) == 1
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ParameterError, match=expected):
        load_aircraft(path)
