"""Instruments over a film's picture: what they say, and that they say when nobody knows."""

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from app.exporting.video_template import READOUTS
from app.video.instruments import UNKNOWN, PaintedInstrument, make_instrument
from plugins.testing import add
from telemetry.recording.interpolated_state import InterpolatedFlight
from telemetry.recording.recording import Recording
from widgets.theme import load_theme

SIZE = QSize(160, 80)


@pytest.fixture
def flight() -> InterpolatedFlight:
    """On its way between 1.3 and 1.7 s."""
    recording = Recording()
    for t, value, yaw in ((1.3, 0.0, 350.0), (1.7, 10.0, 10.0)):
        add(recording, t, "PositionState", North=3 * value, East=4 * value, Down=-value)
        add(recording, t, "VelocityState", North=value, East=0.0, Down=value)
        add(recording, t, "FlightBatteryState", Voltage=12.0 - value / 10)
        add(recording, t, "FlightStatus", FlightMode="Stabilized1")
        add(recording, t, "AttitudeState", Roll=30.0, Yaw=yaw)
        add(recording, t, "ManualControlCommand", Throttle=0.5, Yaw=0.2, Roll=-0.4, Pitch=0.6)
    return InterpolatedFlight(recording)


def made(shows: str) -> PaintedInstrument:
    return make_instrument(shows, SIZE, load_theme("dark"))


def painted(instrument: PaintedInstrument, look: object) -> npt.NDArray[np.uint8]:
    image = QImage(SIZE, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    with QPainter(image) as painter:
        instrument.paint(painter, look)
    return np.frombuffer(image.constBits(), np.uint8).reshape(80, 160, 4).copy()


@pytest.mark.parametrize(
    ("shows", "said"),
    [
        ("speed", ("Speed", "5.0", "m/s")),
        ("height", ("Height", "5.0", "m")),
        ("climb", ("Climb", "−5.0", "m/s")),
        ("heading", ("Heading", "000", "°")),
        ("distance", ("From home", "25", "m")),
        ("battery", ("Battery", "11.5", "V")),
        ("mode", ("Mode", "Stabilized 1", "")),
        ("horizon", (30.0, 0.0)),
        ("sticks", (0.2, 0.0, -0.4, -0.6)),
    ],
)
def test_they_say_what_is_half_way(
    flight: InterpolatedFlight, shows: str, said: object, qtbot: QtBot
) -> None:
    assert made(shows).look(flight, 1.5) == said


@pytest.mark.parametrize("shows", [*READOUTS, "horizon", "sticks"])
def test_what_nobody_knows_is_a_dash(flight: InterpolatedFlight, shows: str, qtbot: QtBot) -> None:
    """Minutes after the last sample; a mode holds while the rest is heard, and nothing is."""
    instrument = made(shows)
    look = instrument.look(flight, 300.0)
    assert look is None or UNKNOWN in np.ravel(look).tolist() or shows == "mode"
    known = painted(instrument, instrument.look(flight, 1.5))
    assert painted(instrument, look).any()
    assert shows == "mode" or not np.array_equal(known, painted(instrument, look))


def test_corners_are_transparent_and_a_plate_is_seen_through(
    flight: InterpolatedFlight, qtbot: QtBot
) -> None:
    for shows in ("horizon", "speed"):
        instrument = made(shows)
        alpha = painted(instrument, instrument.look(flight, 1.5))[:, :, 3]
        assert alpha[0, 0] == alpha[-1, -1] == 0
    assert 0 < alpha[40, -6] < 255
