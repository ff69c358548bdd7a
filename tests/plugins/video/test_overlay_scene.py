"""What of a log lies over a picture, and what does not because nobody knows it."""

from dataclasses import replace

import numpy as np
import pytest

from plugins.testing import add
from plugins.video.overlay_scene import OverlayOptions, gravity_at, make_overlay
from telemetry.recording.recording import Recording
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.picture_turn import PictureTurn
from widgets.video.overlay import VideoOverlay

SIZE = (640, 480)
LEVEL = CameraSettings(field_of_view_deg=90.0)
SHOWN = OverlayOptions(is_shown=True)


@pytest.fixture
def recording() -> Recording:
    """Rolling by 10 degrees a tenth of a second from 1 s on, then nothing for a while."""
    recording = Recording()
    for t, roll in ((1.0, 0.0), (1.1, 10.0), (1.2, 20.0), (4.0, 0.0)):
        add(recording, t, "AttitudeState", Roll=roll)
    return recording


def roll_deg(recording: Recording, t: float) -> float:
    down = gravity_at(recording, t)
    assert down is not None
    return float(np.degrees(np.arctan2(down[1], down[2])))


def test_between_two_samples_it_is_on_the_way(recording: Recording) -> None:
    assert roll_deg(recording, 1.15) == pytest.approx(15.0)
    assert roll_deg(recording, 1.02) == pytest.approx(2.0, abs=0.02)


def test_over_a_gap_nothing_is_made_up(recording: Recording) -> None:
    assert roll_deg(recording, 1.9) == pytest.approx(20.0), "the last one, for a second"
    assert gravity_at(recording, 2.5) is None
    assert gravity_at(recording, 0.5) is None


def made(recording: Recording, t: float, options: OverlayOptions, **camera: float) -> VideoOverlay:
    overlay = make_overlay(recording, t, replace(LEVEL, **camera), SIZE, options, PictureTurn())
    assert overlay is not None
    return overlay


def test_no_horizon_is_said_rather_than_an_old_one_drawn(recording: Recording) -> None:
    overlay = made(recording, 2.5, SHOWN)
    assert overlay.lines == ()
    assert ("Attitude", "none") in overlay.values


def test_what_is_switched_off_is_left_out(recording: Recording) -> None:
    assert make_overlay(recording, 1.1, LEVEL, SIZE, OverlayOptions(), PictureTurn()) is None
    assert made(recording, 1.1, replace(SHOWN, has_horizon=False)).lines == ()
    assert made(recording, 1.1, replace(SHOWN, has_values=False)).values == ()


def test_the_horizon_is_that_of_the_middle_row_whatever_the_shutter(recording: Recording) -> None:
    """A synchronised video's time is that at which its middle rows were exposed. A roll to the
    right lets the horizon rise towards the right."""
    slopes = []
    for shutter_s in (0.0, 0.04):
        overlay = made(recording, 1.1, SHOWN, shutter_s=shutter_s)
        (line,) = (line.points for line in overlay.lines if line.is_strong)
        left, right = line[10], line[-11]
        slopes.append(np.degrees(np.arctan2(left[1] - right[1], right[0] - left[0])))
    assert slopes == pytest.approx([10.0, 10.0], abs=0.05)
