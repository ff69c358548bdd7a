"""The wind from what the simulator tells of motion over ground and through the air."""

import math

import pytest

from plugins.testing import add
from telemetry.recording.recording import Recording
from tests.widgets.map.test_canvas import eastward_scene, picture
from tests.widgets.map.test_orientation import canvas as canvas  # noqa: PLC0414 - a fixture
from widgets.display_units import METRIC
from widgets.map.canvas import MapCanvas
from widgets.map.scene import MapScene, Wind
from widgets.map.wind import wind_of, wind_text


@pytest.mark.parametrize(
    ("rpy", "body_air"),
    [
        ((0.0, 0.0, 0.0), (10.0, -5.0, 0.0)),  # north over ground, wind towards east
        ((0.0, 0.0, 90.0), (-5.0, -10.0, 0.0)),  # nose east: what comes from ahead comes from east
        ((0.0, 90.0, 0.0), (0.0, -5.0, 10.0)),  # nose up: the belly is ahead
        ((90.0, 0.0, 0.0), (10.0, 0.0, 5.0)),  # right wing down: west is below
    ],
)
def test_a_west_wind_is_found_in_every_attitude(
    rpy: tuple[float, float, float], body_air: tuple[float, float, float]
) -> None:
    """10 m/s to the north over ground, through air that moves 5 m/s to the east."""
    u, v, w = body_air
    speed = math.sqrt(u * u + v * v + w * w)
    recording = Recording()
    add(
        recording,
        1.0,
        "GroundTruth",
        VelocityNED=(10.0, 0.0, 0.0),
        RPY=rpy,
        TrueAirspeed=speed,
        AngleOfAttack=math.degrees(math.atan2(w, u)),
        AngleOfSlip=math.degrees(math.asin(v / speed)),
    )
    wind = wind_of(recording, 1.5)
    assert wind is not None
    assert wind.speed_mps == pytest.approx(5.0, abs=1e-4)
    assert wind.from_deg == pytest.approx(270.0, abs=1e-3)
    assert wind_of(recording, 10.0) is None, "it is old then"


def test_a_wind_that_the_aircraft_tells_counts_while_it_is_fresh() -> None:
    """WindVelocityActual of Tau Labs and dRonin: the velocity of the air, NED, every 2 s."""
    recording = Recording()
    still = {"VelocityNED": (0.0, 0.0, 0.0), "RPY": (0.0, 0.0, 0.0), "TrueAirspeed": 0.0}
    add(recording, 1.0, "WindVelocityActual", North=0.0, East=5.0, Down=0.0)
    for t in (1.0, 7.0, 8.0):
        add(recording, t, "GroundTruth", **still)
    told = wind_of(recording, 7.0)
    assert told is not None
    assert (told.speed_mps, told.from_deg) == pytest.approx((5.0, 270.0))
    later = wind_of(recording, 8.0)
    assert later is not None
    assert later.speed_mps == 0.0


def test_the_wind_is_painted_where_it_is_known(canvas: MapCanvas) -> None:
    calm = picture(canvas)
    scene = eastward_scene()
    for wind in (Wind(5.0, 270.0), Wind(5.0, 90.0)):
        before = picture(canvas)
        canvas.show_scene(
            MapScene(scene.vehicles, scene.tracks, scene.home, scene.start, wind=wind)
        )
        assert picture(canvas) not in (calm, before)


def test_a_calm_is_told_without_a_direction() -> None:
    assert wind_text(Wind(1e-32, 120.0), METRIC) == "Wind 0.0\u2009m/s"
    assert wind_text(Wind(3.04, 359.7), METRIC) == "Wind 3.0\u2009m/s  000°"
