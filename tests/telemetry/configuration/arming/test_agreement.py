"""The checklist against the simulator's board: ready if, and only if, the gesture arms it."""

from typing import Any

import pytest

from telemetry.configuration.arming.checklist import arming_checklist
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.vehicle.sticks import Sticks
from tests.flown_bench import FlownBench

MODES = "FlightModeSettings"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def setup(bench: FlownBench, changes: dict[str, Any]) -> None:
    bench.settings.stage_all(MODES, changes)
    bench.settings.apply("test")
    bench.finish()


SITUATIONS: list[tuple[dict[str, Any], Sticks, Sticks, list[str]]] = [
    ({}, Sticks(), Sticks(arm=True), []),
    ({"Arming": "Yaw Right"}, Sticks(), Sticks(yaw=1.0), []),
    ({"Arming": "Roll Left"}, Sticks(), Sticks(roll=-1.0), []),
    ({"Arming": "Pitch Forward"}, Sticks(), Sticks(pitch=-1.0), []),
    ({}, Sticks(flight_mode_position=5), Sticks(arm=True, flight_mode_position=5), []),
    ({}, Sticks(throttle=0.6), Sticks(throttle=0.6, arm=True), ["throttle"]),
    ({}, Sticks(flight_mode_position=2), Sticks(arm=True, flight_mode_position=2), ["mode"]),
    ({"Arming": "Always Disarmed"}, Sticks(), Sticks(arm=True), ["method"]),
    ({"Arming": "Accessory 1"}, Sticks(), Sticks(arm=True), ["method"]),
    (
        {"FlightModePosition.1": "Manual"},
        Sticks(),
        Sticks(arm=True),
        ["alarm SystemConfiguration"],
    ),
]


@pytest.mark.parametrize(("changes", "before", "gesture", "blocking"), SITUATIONS)
def test_ready_is_what_arms(
    catalogue: Catalogue,
    changes: dict[str, Any],
    before: Sticks,
    gesture: Sticks,
    blocking: list[str],
) -> None:
    bench = FlownBench(catalogue)
    bench.fly(before, 8.0)
    setup(bench, changes)
    bench.fly(before, 3.0)
    found = arming_checklist(bench.settings.aircraft.sample)
    assert [check.code for check in found.blocking] == blocking
    assert found.is_ready is (not blocking)
    bench.fly(gesture, 3.0)
    assert bench.settings.aircraft.is_armed is found.is_ready
    after = arming_checklist(bench.settings.aircraft.sample)
    assert after.is_armed is found.is_ready
