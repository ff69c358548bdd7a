"""What a simulated flight records is enough to be judged, and is there once, at its step."""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from simulation.command.cli import add_commands
from simulation.scenarios.state_recorder import RECORDED, SAMPLED, SETPOINT
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording
from telemetry.review.analysis.axis_responses import axis_responses
from telemetry.review.analysis.axis_signals import Loop
from telemetry.review.analysis.series import Inconclusive
from telemetry.review.analysis.step_response import StepResponse

RATE_HZ = 250.0


@dataclass(frozen=True)
class Flown:
    recording: Recording
    roll_rise_s: float


def fly(capsys: pytest.CaptureFixture[str], log: Path, *words: str) -> Flown:
    parser = argparse.ArgumentParser()
    add_commands(parser.add_subparsers())
    command = ["sim", "fly", "step-test", "--record", str(log), "--json", *words]
    options = parser.parse_args(command)
    assert options.run(options) == 0
    metrics = json.loads(capsys.readouterr().out)["metrics"]
    return Flown(read_log(log, load_catalogue()).recording, metrics["roll_rise_s"])


def mean_rise_s(recording: Recording) -> float:
    """From 10 to 90 % of the way that the true roll goes within 1.2 s of each jump of its stick,
    from where it is to where it comes to."""
    asked_s, asked = recording.series(f"{SETPOINT}.Roll")
    flown_s, rpy = recording.series("GroundTruth.RPY")
    rises = []
    for jump in np.flatnonzero(np.abs(np.diff(asked)) > 5.0):
        since = flown_s - asked_s[jump + 1]
        rows = (since >= 0.0) & (since < 1.2)
        roll, at = rpy[rows, 0], since[rows]
        share = (roll - roll[0]) / (roll[at > 1.0].mean() - roll[0])
        rises.append(at[np.argmax(share >= 0.9)] - at[np.argmax(share >= 0.1)])
    assert len(rises) == 5
    return float(np.mean(rises))


def stepping(recording: Recording) -> tuple[tuple[float, float]]:
    """From a second before the first step on: when that is depends on the take-off, and a step at
    the border of two parts of the estimate makes it uncertain."""
    asked_s, asked = recording.series(f"{SETPOINT}.Roll")
    first = int(np.argmax(np.abs(np.diff(asked)) > 5.0))
    return ((float(asked_s[first]) - 1.0, float(asked_s[-1])),)


@pytest.mark.slow
def test_the_step_test_is_judged_by_its_own_log(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    flown = fly(capsys, tmp_path / "fast.opl", "--record-rate", f"{RATE_HZ:g}")
    recording = flown.recording
    within = stepping(recording)
    roll, pitch, _ = (each.found for each in axis_responses(recording, Loop.ATTITUDE, within))
    yaw = axis_responses(recording, Loop.RATE, within)[2].found
    for found in (roll, pitch, yaw):
        assert isinstance(found, StepResponse)
        assert found.is_reliable
        assert found.explained > 0.95
    assert isinstance(roll, StepResponse)
    assert roll.rise_s == pytest.approx(flown.roll_rise_s, rel=0.1)
    assert roll.rise_s == pytest.approx(mean_rise_s(recording), rel=0.1)
    assert_everything_is_there_once(recording)

    # As it was: setpoints as often as telemetry sends them.
    slow = fly(capsys, tmp_path / "slow.opl").recording
    found = axis_responses(slow, Loop.ATTITUDE, stepping(slow))[0].found
    assert isinstance(found, Inconclusive)
    assert "too slow" in found.reason


def assert_everything_is_there_once(recording: Recording) -> None:
    for name in (*RECORDED, SETPOINT):
        intervals = np.diff(times_of(recording, name))
        assert intervals == pytest.approx(1.0 / RATE_HZ, abs=1e-9), name
    samples_hz = {"mag_count": 100.0, "baro_count": 50.0, "gps_count": 5.0, "battery_count": 20.0}
    for counter, names in SAMPLED.items():
        for name in names:
            intervals = np.diff(times_of(recording, name))
            assert intervals == pytest.approx(1.0 / samples_hz[counter], abs=1e-9), name


def times_of(recording: Recording, name: str) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    track = recording.track(name)
    assert track is not None, name
    field = track.definition.fields[0].name
    return np.asarray(recording.series(f"{name}.{field}")[0])
