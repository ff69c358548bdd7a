"""Which position of the switch can be lent to a mode that has none: receiver.c and manualcontrol.c
select positions by themselves, and a change to AutoTakeoff is ignored while it is armed."""

from typing import Any

import pytest

from telemetry.flying.manoeuvres.aircraft_view import AircraftView
from telemetry.flying.temporary_switch_position import (
    TemporarySwitchPosition,
    free_switch_position,
)
from tests.telemetry.flying.fakes import Ground

MODES = ("Stabilized1", "VelocityRoam", "Stabilized2", "PositionHold", "Stabilized3")
WARNING = "BatteryFailsafeSwitchPositions.Warning"
CRITICAL = "BatteryFailsafeSwitchPositions.Critical"
NONE = {WARNING: -1, CRITICAL: -1}


def lent(
    modes: tuple[str, ...] = MODES,
    *,
    armed: str = "Disarmed",
    selected: int = 0,
    failsafe: int = -1,
    battery: dict[str, int] | None = None,
) -> TemporarySwitchPosition | None:
    ground = Ground()
    padded = (*modes, *("Manual",) * (6 - len(modes)))
    manual = {"FailsafeFlightModeSwitchPosition": failsafe, "FlightModeNumber": len(modes)}
    ground.settings(positions=padded, more=manual)
    settings = {"FlightModePosition": list(padded), **NONE, **(battery or {})}
    ground.say(0.0, "FlightModeSettings", settings)
    ground.say(0.0, "ManualControlCommand", {"FlightModeSwitchPosition": selected})
    ground.status(0.0, armed)
    aircraft = AircraftView(ground.vehicle)
    return free_switch_position("PathPlanner", aircraft.switches, aircraft.read)


def index(found: TemporarySwitchPosition | None) -> int | None:
    return None if found is None else found.index


def test_the_first_that_nothing_needs_is_lent() -> None:
    found = lent()
    assert found is not None
    assert (found.index, found.before, found.mode) == (1, "VelocityRoam", "PathPlanner")
    assert found.path == "FlightModePosition.1"
    assert found.object == "FlightModeSettings"
    assert "Position 2 selects" in found.question


def test_one_that_is_there_twice_is_lent_first() -> None:
    assert index(lent(("Stabilized1", "VelocityRoam", "Land", "Land"))) == 3


@pytest.mark.parametrize(("armed", "lends"), [("Armed", 1), ("Disarmed", 2)])
def test_automatic_take_off_is_of_no_use_while_it_is_armed(armed: str, lends: int) -> None:
    assert index(lent(("Stabilized1", "AutoTakeoff", "VelocityRoam"), armed=armed)) == lends


@pytest.mark.parametrize(
    "kept",
    [
        {"selected": 1},
        {"failsafe": 1},
        {"battery": {WARNING: 1}},
        {"battery": {CRITICAL: 1}},
    ],
)
def test_what_is_selected_or_a_failsafe_selects_is_kept(kept: dict[str, Any]) -> None:
    assert index(lent(**kept)) == 2


def test_where_every_one_is_needed_none_is_lent() -> None:
    assert lent(("Stabilized1", "PositionHold", "Land", "ReturnToBase")) is None
    assert lent(("Stabilized1",)) is None
