"""The plan flown in simulation: what the command is asked, and what of its report shows.

The flight itself is tested where the command is (tests/app/mission).
"""

from typing import Any

import numpy as np
import pytest

from plugins.plan.checks_panel import ChecksPanel
from plugins.plan.flown_aircraft import FlownAircraft, connected_aircraft
from plugins.plan.map_panel import PlanMapPanel
from plugins.plan.profile_panel import ProfilePanel
from plugins.plan.simulated_flight import FlightWish, predicted
from plugins.plan.simulation_panel import SimulationPanel
from plugins.testing import add, live_vehicle
from telemetry.base.finding import Level
from telemetry.missions.local_coordinates import to_latitude_longitude
from telemetry.recording.recording import Recording
from tests.plugins.plan.shared_plan_bench import PlanBench, places
from tests.telemetry.missions.made import HOME, square

AR100B = FlownAircraft("ar100b", "ar100b")


def report(**members: Any) -> dict[str, Any]:
    places = [to_latitude_longitude(HOME, north, 0.0) for north in (0.0, 30.0, 60.0)]
    return {
        "completed": True,
        "ending": "Landed",
        "reason": "",
        "time_s": 20.0,
        "largest_cross_track_m": 1.25,
        "energy_left_percent": 91.4,
        "legs": [],
        "track": {
            "time_s": [0.0, 10.0, 20.0],
            "latitude_deg": [latitude for latitude, _ in places],
            "longitude_deg": [longitude for _, longitude in places],
            "height_m": [0.0, 28.0, 30.0],
            "energy_percent": [100.0, 96.0, 91.4],
        },
        **members,
    }


def test_track_height_and_battery_show_beside_the_plan(bench: PlanBench) -> None:
    bench.draft.open("Open", square())
    panel = bench.open(SimulationPanel)
    profile, plan_map = bench.open(ProfilePanel), bench.open(PlanMapPanel)
    flying = bench.plan.flying
    flying.take(predicted(FlightWish(square(), AR100B), report()))
    bench.tick()
    assert panel.text.text() == (
        "ar100b: 20\u202fs, up to 1.2\u202fm beside the way, 91\u202f% of the battery left."
    )
    np.testing.assert_array_equal(panel.chart.lines[0].y, [100.0, 96.0, 91.4])
    line = profile.chart.lines[-1]
    assert line.name == "Predicted"
    np.testing.assert_allclose(line.x, [0.0, 30.0, 60.0], atol=0.3)
    assert len(plan_map.layer.predicted) == 3
    bench.draft.edit("Other", square(up=50.0))
    bench.tick()
    assert panel.text.text().startswith("The plan has changed since. ar100b: 20\u202fs")
    assert profile.chart.lines[-1].name == "Predicted before the change"
    assert plan_map.layer.predicted == ()
    panel.wind.setValue(3.0)
    bench.tick()
    assert panel.text.text().startswith("The plan and the wind have changed since.")
    panel.wind.setValue(0.0)
    bench.draft.undo()
    bench.tick()
    assert panel.text.text().startswith("ar100b: 20\u202fs")


def test_a_flight_that_ends_badly_says_how(bench: PlanBench) -> None:
    panel = bench.open(SimulationPanel)
    found = predicted(
        FlightWish(square(), AR100B),
        report(completed=False, ending="Crashed", reason="It hit the ground at 12 m/s."),
    )
    bench.plan.flying.take(found)
    bench.tick()
    assert "Crashed. It hit the ground at 12 m/s." in panel.text.text()
    assert panel.text.property("tone") == "danger"


def test_what_is_said_of_a_flight_moves_nothing(bench: PlanBench) -> None:
    bench.draft.open("Open", square())
    panel, checks = bench.open(SimulationPanel, (384, 542)), bench.open(ChecksPanel, (384, 542))
    before = places(panel), places(checks), panel.chart.geometry()
    long = report(completed=False, ending="Crashed", reason="It hit the ground. " * 20)
    bench.plan.flying.take(predicted(FlightWish(square(), AR100B), long))
    bench.tick()
    assert "hit the ground" in panel.text.text()
    assert (places(panel), places(checks), panel.chart.geometry()) == before


def test_wind_is_given_as_where_it_comes_from(bench: PlanBench) -> None:
    panel = bench.open(SimulationPanel)
    panel.wind.setValue(8.0)
    panel.wind_from.setValue(270.0)
    assert bench.plan.flying.air_mps == pytest.approx((0.0, 8.0)), "a west wind blows to the east"


def test_the_settings_of_the_connected_aircraft_can_be_chosen_and_are_named(
    bench: PlanBench,
) -> None:
    panel = bench.open(SimulationPanel)
    flying, shipped = bench.plan.flying, panel.aircraft.count()
    assert not flying.is_connected_one
    recording = Recording()
    add(recording, 0.0, "SystemSettings", AirframeType="HexaX", VehicleName="Six")
    add(recording, 0.0, "AltitudeHoldSettings", CutThrustWhenZero="False")
    vehicle = live_vehicle("tcp:field", recording=recording)
    bench.fleet.add(vehicle)
    bench.tick()
    title = "tcp:field's settings on ar100x6"
    assert panel.aircraft.currentText() == title
    assert flying.is_connected_one
    flown = connected_aircraft(vehicle)
    assert (flown.title, flown.body) == (title, "ar100x6")
    assert flown.settings is not None
    assert ("AltitudeHoldSettings", 0) in flown.settings.snapshot.objects
    left_out = ["MixerSettings: it drives another body than ar100x6", "FlightModeSettings.Old: no"]
    flying.take(predicted(FlightWish(square(), flown), report(left_out=left_out)))
    bench.tick()
    assert f"{title}: 20\u202fs" in panel.text.text()
    assert "Left out: 1 group of settings and 1 setting that" in panel.text.text()
    panel.aircraft.setCurrentText("hector")
    assert (flying.is_connected_one, flying.aircraft) == (False, "hector")
    assert panel.save_state()["aircraft"] == "hector"
    bench.fleet.remove(vehicle)
    bench.tick()
    assert panel.aircraft.count() == shipped
    assert flying.aircraft == "hector", "what was chosen stays"


def test_with_nothing_to_fly_the_button_says_so(bench: PlanBench) -> None:
    panel = bench.open(SimulationPanel)
    assert not panel.fly.isEnabled()
    assert "add waypoints" in panel.fly.toolTip()


@pytest.mark.slow
def test_what_the_command_refuses_is_told(bench: PlanBench, qtbot: Any) -> None:
    bench.draft.open("Open", square())
    panel = bench.open(SimulationPanel)
    flying = bench.plan.flying
    flying.aircraft = "no-such"
    panel.fly.click()

    def is_over() -> bool:
        bench.tick()
        return not flying.is_busy

    qtbot.waitUntil(is_over, timeout=60_000)
    assert panel.text.statement is not None
    assert panel.text.statement.level is Level.ERROR
    assert "no-such" in panel.text.text(), "in the command's own words"
