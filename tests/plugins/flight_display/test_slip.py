"""The slip ball shows a steady sideways force and hides when there is only vibration."""

from collections.abc import Sequence

import pytest

from plugins.flight_display.slip import steady_lateral_mps2
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.recording import Recording


def recorded(values: Sequence[float], period_s: float) -> Recording:
    definition = load_catalogue().find("AccelState")
    recording = Recording()
    for index, y in enumerate(values):
        recording.append(index * period_s, definition, 0, pack_values(definition, {"y": y}))
    return recording


def test_a_steady_force_is_averaged() -> None:
    recording = recorded([1.4, 1.6] * 20, 0.1)
    assert steady_lateral_mps2(recording, 3.9) == pytest.approx(1.5, abs=0.05)


def test_slow_vibrating_samples_are_withheld() -> None:
    assert steady_lateral_mps2(recorded([4.0, -4.5, 3.0, -5.0, 4.2, -3.8], 1.0), 5.0) is None


def test_one_quiet_sample_a_second_is_enough() -> None:
    assert steady_lateral_mps2(recorded([0.1, 0.0, 0.1, 0.0], 1.0), 3.0) == pytest.approx(
        0.033, abs=0.04
    )


def test_nothing_known_or_nothing_recent_shows_nothing() -> None:
    assert steady_lateral_mps2(Recording(), 1.0) is None
    recording = recorded([0.1, 0.2], 0.1)
    assert steady_lateral_mps2(recording, -1.0) is None
    assert steady_lateral_mps2(recording, 60.0) is None
