"""Rules that a board's firmware can never feed say so, and only those.

What a release has is what its own XML files say (resources/objects); that a board refuses what it
was built without is in flight/uavtalk/uavtalk.c of LibrePilot next (receiveObject: REQ NACK).
"""

import pytest

from plugins.testing import catalogue
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE
from telemetry.protocol.objects.metadata import metaobject
from telemetry.vehicle.vehicle import LinkState, LinkStatus
from telemetry.warnings.rule import RuleComparison, WarningRule
from tests.telemetry.warnings.test_flight_watch import TAU_LABS, WatchedQuad

BATTERY = ("FlightBatteryState", "FlightBatterySettings")


def connected(release: str, *on_board: str, total: int = 100) -> WatchedQuad:
    """A board that has told the metadata of these objects, and has refused all others of its
    release; with `total` 0 it has not been asked."""
    quad = WatchedQuad()
    for name in on_board:
        meta = metaobject(catalogue().find(name, release))
        quad.recording.append(0.0, meta, 0, bytes(meta.size))
    quad.vehicle.status = LinkStatus(
        LinkState.CONNECTED, heard_s=0.0, release=release, fetched=total, total=total
    )
    return quad


def never(quad: WatchedQuad, rule_id: str) -> str:
    (rule,) = [rule for rule in quad.rules if rule.id == rule_id]
    return quad.watch.why_never(rule)


def test_an_object_that_the_release_does_not_have_is_named() -> None:
    """Only Tau Labs and dRonin have GeoFenceSettings."""
    librepilot = connected(DEFAULT_RELEASE, total=0)
    assert never(librepilot, "fence-radius-error") == (
        "Not told by this firmware, so that it stays silent.\nGeoFenceSettings.ErrorRadius"
    )
    assert never(connected(TAU_LABS, total=0), "fence-radius-error") == ""
    assert never(librepilot, "link-lost") == "", "the station's own"


def test_an_object_that_the_board_was_built_without_is_named() -> None:
    assert never(connected(DEFAULT_RELEASE, *BATTERY), "battery-low") == ""
    without = connected(DEFAULT_RELEASE, "FlightStatus")
    assert "FlightBatteryState.Voltage" in never(without, "battery-low")
    assert "FlightBatterySettings.CellVoltageThresholds" in never(without, "battery-low")
    assert never(without, "arming") == ""
    without.add("FlightBatteryState")
    without.add("FlightBatterySettings")
    assert never(without, "battery-low") == "", "whatever it refused, it tells it"


def test_the_other_names_of_an_object_count() -> None:
    """TauLabs says PositionActual and GPSPosition."""
    board = connected(TAU_LABS, "PositionActual", "GPSPosition", "FlightStatus")
    assert never(board, "height-high") == ""
    assert never(board, "gps-lost") == ""
    assert "VelocityState" in never(board, "sink")


@pytest.mark.parametrize("state", [LinkState.CONNECTING, LinkState.FETCHING, LinkState.LOST])
def test_while_it_is_not_known_nothing_is_claimed(state: LinkState) -> None:
    quad = connected(DEFAULT_RELEASE)
    assert never(quad, "battery-low")
    quad.vehicle.status = LinkStatus(state, release=DEFAULT_RELEASE)
    assert never(quad, "battery-low") == ""
    quad.vehicle.status = LinkStatus(LinkState.CONNECTED, release="somebody's own")
    assert never(quad, "battery-low") == ""


def test_fields_and_expressions_of_a_users_rule_are_looked_up_too() -> None:
    quad = connected(DEFAULT_RELEASE, "AccelState", "BaroSensor")
    above = RuleComparison.ABOVE

    def rule(value: str) -> WarningRule:
        return WarningRule("own", "Own", value, above, "{value}", 1.0)

    assert quad.watch.why_never(rule("norm(AccelState.x, AccelState.y)")) == ""
    assert "AccelState.w" in quad.watch.why_never(rule("AccelState.x + AccelState.w"))
    assert "Nothing.Here" in quad.watch.why_never(rule("abs(Nothing.Here)"))
    assert quad.watch.why_never(rule("no expression (")) == "", "that is said elsewhere"
