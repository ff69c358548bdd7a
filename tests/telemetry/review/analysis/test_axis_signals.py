"""Where desired and actual of an axis are found, and where the stick asked for them."""

from itertools import count
from typing import Any

import numpy as np
import pytest

from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.recording import Recording
from telemetry.review.analysis.axis_signals import (
    Loop,
    axis_signals,
    changed_at,
    cut,
    rate_hz,
    steered_stretch,
)

CATALOGUE = load_catalogue()


def put(recording: Recording, t: float, name: str, **values: object) -> None:
    definition = CATALOGUE.find(name)
    recording.append(t, definition, 0, pack_values(definition, values))


@pytest.fixture
def recording() -> Recording:
    """Attitude mode on roll, but from 2 s to 4 s in rate mode; 10 Hz, 6 s."""
    recording = Recording("made up")
    for step in range(60):
        t = step / 10
        mode = "Rate" if 2.0 <= t < 4.0 else "Attitude"
        modes = {"StabilizationMode": [mode, "Attitude", "Rate", "Manual"]}
        put(recording, t, "StabilizationDesired", Roll=t, Yaw=2 * t, **modes)
        put(recording, t, "AttitudeState", Roll=t - 0.1)
        put(recording, t, "RateDesired", Roll=3 * t)
        put(recording, t, "GyroState", x=3 * t - 1, z=1.0)
    return recording


def test_angles_are_unknown_while_the_stick_asks_for_rates(recording: Recording) -> None:
    signals = axis_signals(recording, Loop.ATTITUDE, "Roll", 0.0, 6.0)
    inside = (signals.desired.times >= 2.0) & (signals.desired.times < 3.95)
    assert np.isnan(signals.desired.values[inside]).all()
    assert np.isfinite(signals.desired.values[~inside]).all()
    assert signals.actual.values[10] == pytest.approx(0.9)


class Growing(Recording):
    """A recording that a live flight makes longer between two readings."""

    instants = count(2.0, 0.01)

    def series(self, path: str, t0: float | None = None, t1: float | None = None) -> Any:
        found = super().series(path, t0, t1)
        put(self, next(self.instants), "StabilizationDesired", Roll=1.0)
        return found


def test_values_that_come_while_it_reads_do_no_harm() -> None:
    recording = Growing("live")
    put(recording, 1.0, "StabilizationDesired", Roll=1.0)
    for _ in range(5):
        desired = axis_signals(recording, Loop.ATTITUDE, "Roll", 0.0, 9.0).desired
        assert len(desired.times) == len(desired.values) > 0


def test_the_inner_loop_is_read_from_the_gyro(recording: Recording) -> None:
    signals = axis_signals(recording, Loop.RATE, "Roll", 1.0, 2.0)
    assert signals.desired.values[0] == pytest.approx(3.0)
    assert signals.actual.values[0] == pytest.approx(2.0)
    assert axis_signals(recording, Loop.RATE, "Yaw", 0.0, 6.0).actual.values[0] == 1.0


def test_the_latest_stretch_that_was_steered(recording: Recording) -> None:
    assert steered_stretch(recording, Loop.ATTITUDE, "Roll", 0.0, 6.0) == pytest.approx((4.0, 6.0))
    assert steered_stretch(recording, Loop.RATE, "Roll", 0.0, 6.0) == pytest.approx((2.0, 4.0))
    assert steered_stretch(recording, Loop.RATE, "Pitch", 0.0, 6.0) is None
    assert steered_stretch(Recording("empty"), Loop.RATE, "Roll", 0.0, 6.0) is None


def test_cutting_and_rates(recording: Recording) -> None:
    part = cut(axis_signals(recording, Loop.RATE, "Roll", 0.0, 6.0), 4.0, 5.0)
    assert part.actual.times[0] == pytest.approx(4.0)
    assert rate_hz(part.actual.times) == pytest.approx(10.0)
    assert rate_hz(part.actual.times[:1]) == 0.0


def test_older_names_are_found_too() -> None:
    recording = Recording("old")
    definition = next(
        d for d in CATALOGUE.release("OpenPilot-13.06.04") if d.name == "AttitudeActual"
    )
    recording.append(1.0, definition, 0, pack_values(definition, {"Roll": 4.0}))
    signals = axis_signals(recording, Loop.ATTITUDE, "Roll", 0.0, 6.0)
    assert signals.actual.values.tolist() == [4.0]


def test_when_gains_changed_last() -> None:
    recording = Recording("gains")
    name = "StabilizationSettingsBank1"
    for t, gain in ((0.0, 0.003), (2.0, 0.004), (3.0, 0.004), (5.0, 0.005)):
        put(recording, t, name, **{"RollRatePID.Kp": gain})
    assert changed_at(recording, name, 4.0) == 2.0
    assert changed_at(recording, name, 6.0) == 5.0
    assert changed_at(recording, name, 1.0) == -np.inf
    assert changed_at(recording, "Nothing", 1.0) == -np.inf
