"""On-screen sticks in the mode that a pilot is used to."""

import pytest
from pytestqt.qtbot import QtBot

from plugins.pilot.screen_sticks import ScreenSticks
from telemetry.vehicle.sticks import Sticks


@pytest.mark.parametrize("mode", [1, 2, 3, 4])
def test_on_screen_sticks_move_what_their_mode_says(qtbot: QtBot, mode: int) -> None:
    """LibrePilot: ground/gcs/src/plugins/gcscontrol/gcscontrolgadget.cpp, sticksChangedLocally."""
    where = {1: ("yaw", "pitch"), 2: ("yaw", "throttle"), 3: ("roll", "pitch")}
    sideways, forward = where.get(mode, ("roll", "throttle"))
    moved: dict[str, float] = {}
    thumbs = ScreenSticks()
    for view in (thumbs.left, thumbs.right):
        qtbot.addWidget(view)
    thumbs.on_moved = moved.update
    thumbs.set_mode(mode)
    thumbs.left.moved.emit(0.5, 1.0)
    assert moved == {sideways: 0.5, forward: -1.0 if forward == "pitch" else 1.0}
    thumbs.show(Sticks(roll=0.2, pitch=0.4, yaw=0.6, throttle=0.1), springs=False)
    shown = {"yaw": 0.6, "roll": 0.2, "pitch": -0.4, "throttle": -0.8}
    assert thumbs.left.position == pytest.approx((shown[sideways], shown[forward]))
    assert thumbs.left.keeps_y == (forward == "throttle")
