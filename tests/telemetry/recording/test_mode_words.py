"""Mode words: every flight mode of every release is told in words."""

import pytest

from telemetry.configuration.flight_modes.modes import FLIGHT_MODES
from telemetry.recording.mode_words import mode_words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("PositionHold", "Position hold"),
        ("ReturnToBase", "Return to base"),
        ("Stabilized1", "Stabilized 1"),
        ("AutoTakeoff", "Automatic take-off"),
        ("PathPlanner", "Mission"),
        ("Land", "Land"),
        ("VTOLHover2", "VTOL hover 2"),  # no release has it
        ("2 m beyond the ceiling", "2 m beyond the ceiling"),
        ("", ""),
    ],
)
def test_a_mode_is_said_as_a_pilot_says_it(name: str, words: str) -> None:
    assert mode_words(name) == words


def test_no_two_modes_are_said_alike() -> None:
    told = [mode_words(name) for name in FLIGHT_MODES if name != "Autotune"]  # AutoTune of old
    assert len(set(told)) == len(told)
