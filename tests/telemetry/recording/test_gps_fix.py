"""Heights of a receiver count from its fix on, wherever they are read."""

import numpy as np
import pytest

from plugins.testing import add
from telemetry.recording.flight_state import read_flight_state
from telemetry.recording.flown_places import FlownPlaces
from telemetry.recording.recording import Recording
from telemetry.review.analysis.expression.evaluation import Evaluation
from telemetry.review.analysis.expression.expression import parse_expression
from telemetry.review.analysis.field_paths import find_field

STATUSES = ("NoGPS", "NoFix", "Fix2D", "Fix3D", "Fix3D", "NoFix")
TOLD_M = (0.0, 0.0, 12.0, 300.0, 310.0, 310.0)
KNOWN_M = (np.nan, np.nan, np.nan, 300.0, 310.0, np.nan)


@pytest.fixture
def recording() -> Recording:
    recording = Recording()
    for t, (status, height_m) in enumerate(zip(STATUSES, TOLD_M, strict=True)):
        place = {"Latitude": 489_500_000, "Longitude": 94_400_000} if t > 1 else {}
        add(recording, float(t), "GPSPositionSensor", Status=status, Altitude=height_m, **place)
        add(recording, float(t), "BaroSensor", Altitude=height_m)
    return recording


def test_plots_and_expressions_leave_out_heights_without_a_fix(recording: Recording) -> None:
    height = find_field(recording, "GPSPositionSensor.Altitude")
    computed = Evaluation(parse_expression("GPSPositionSensor.Altitude * 1"), recording)
    computed.update()
    assert height is not None
    np.testing.assert_array_equal(height.values(), KNOWN_M)
    np.testing.assert_array_equal(height.values(2, 4), KNOWN_M[2:4])
    np.testing.assert_array_equal(computed.values(0, 6), KNOWN_M)


@pytest.mark.parametrize("path", ["BaroSensor.Altitude", "GPSPositionSensor.Latitude"])
def test_what_is_no_height_of_a_receiver_is_shown_as_it_was_sent(
    recording: Recording, path: str
) -> None:
    found = find_field(recording, path)
    assert found is not None
    assert np.isfinite(found.values()).all()


def test_the_state_and_the_track_begin_at_the_height_of_the_fix(recording: Recording) -> None:
    assert read_flight_state(recording, 2.0).altitude_m is None
    assert read_flight_state(recording, 3.0).altitude_m == 300.0
    places = FlownPlaces(recording)
    places.update()
    np.testing.assert_array_equal(places.heights_m, [np.nan, 0.0, 10.0])
