"""Ready or not ready: every cause with its remedy, from telemetry and by hand."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from telemetry.base.finding import Finding, Level
from telemetry.configuration.arming.preflight import (
    HAND_ITEMS,
    LEAST_FREE_BYTES,
    Preflight,
    StationFacts,
    hand_checks,
    preflight_of,
    readiness,
    store_in,
    telemetry_checks,
)
from telemetry.recording.flight_state import FlightState
from telemetry.recording.sample import Sample
from telemetry.vehicle.vehicle import LinkState, LinkStatus
from tests.telemetry.flying.fakes import Ground

GOOD = FlightState(
    t=1.0,
    armed="Disarmed",
    battery_v=12.5,
    battery_percent=98.0,
    gps_fix="Fix3D",
    gps_satellites=11,
    gps_age_s=0.2,
    north_m=1.0,
    east_m=2.0,
)
LINK = LinkStatus(LinkState.CONNECTED, quality_percent=99, recording_file="/logs/a.opl")
FACTS = StationFacts(LINK, 50_000_000_000)


@pytest.fixture
def ground() -> Ground:
    """On the ground, with nothing amiss."""
    made = Ground()
    made.settings()
    made.say(0.0, "SystemSettings", {"AirframeType": "QuadX"})
    made.say(0.0, "VtolPathFollowerSettings", {})
    made.say(0.0, "HomeLocation", {"Set": "True"})
    made.say(0.0, "SystemAlarms", {})
    made.status(0.0, "Disarmed")
    made.say(0.0, "ManualControlCommand", {"Connected": "True", "Throttle": -1.0})
    safe = {"FailsafeFlightModeSwitchPosition": 4, "FailsafeChannel.Throttle": -1.0}
    settings = made.recording.latest("ManualControlSettings", 0.0)
    assert settings is not None
    values: Mapping[str, Any] = {**settings.as_dict(), **safe}
    made.say(0.1, "ManualControlSettings", values)
    return made


def judged(
    ground: Ground, flight: FlightState = GOOD, facts: StationFacts = FACTS
) -> dict[str, Finding]:
    read = ground.recording.latest
    checks = telemetry_checks(lambda name: read(name, 9.0), flight, facts)
    return {check.code: check for check in checks}


def test_with_nothing_amiss_telemetry_asks_for_nothing(ground: Ground) -> None:
    bad = [f for f in judged(ground).values() if f.level in (Level.ERROR, Level.UNKNOWN)]
    assert bad == []


def changed(**values: Any) -> FlightState:
    return replace(GOOD, **values)


@pytest.mark.parametrize(
    ("code", "flight", "words"),
    [
        ("battery", changed(battery_percent=30.0), "30 % left"),
        ("gps", changed(gps_fix="NoFix"), "No position by GPS"),
        ("gps", changed(gps_satellites=4), "4 satellites only"),
        ("gps", changed(gps_age_s=20.0), "No position by GPS"),
    ],
)
def test_what_the_aircraft_lacks_is_a_cause_with_a_remedy(
    ground: Ground, code: str, flight: FlightState, words: str
) -> None:
    found = judged(ground, flight)[code]
    assert found.level is Level.ERROR
    assert words in found.text
    assert found.remedy


@pytest.mark.parametrize(
    ("code", "facts", "words"),
    [
        ("link", StationFacts(LinkStatus(LinkState.FETCHING, 3, 90), 1), "3/90"),
        ("recording", StationFacts(LinkStatus(LinkState.CONNECTED), None), "not recorded"),
        ("disk", StationFacts(LINK, LEAST_FREE_BYTES - 1), "0.2 GB free"),
    ],
)
def test_what_the_station_lacks_is_a_cause_with_a_remedy(
    ground: Ground, code: str, facts: StationFacts, words: str
) -> None:
    found = judged(ground, facts=facts)[code]
    assert found.level is Level.ERROR
    assert words in found.text
    assert found.remedy


def test_home_that_is_not_set_is_a_cause(ground: Ground) -> None:
    ground.say(0.2, "HomeLocation", {"Set": "False"})
    assert judged(ground)["home"].level is Level.ERROR


@pytest.mark.parametrize(
    ("height_m", "words"),
    [
        (-2.7, "stands 2.7 m below home: 10 m above home are 12.7 m above where it stands"),
        (3.0, "stands 3.0 m above home: 10 m above home are 7.0 m above where it stands"),
    ],
)
def test_heights_that_do_not_count_from_the_ground_are_told(
    ground: Ground, height_m: float, words: str
) -> None:
    """LibrePilot's home is one GPS fix (GPS.c, setHomeLocation), and GPS of the AR100B is 1.8 m
    off in height (one deviation)."""
    found = judged(ground, changed(height_m=height_m, position_age_s=0.2))["home"]
    assert found.level is Level.WARNING
    assert words in found.text
    assert found.remedy


@pytest.mark.parametrize(
    "flight",
    [
        changed(height_m=-1.9, position_age_s=0.2),
        changed(height_m=30.0, position_age_s=0.2, armed="Armed"),
        changed(height_m=-2.7, position_age_s=20.0),
        changed(height_m=None),
    ],
    ids=["near", "flies", "long ago", "unknown"],
)
def test_of_no_other_height_anything_is_said(ground: Ground, flight: FlightState) -> None:
    assert judged(ground, flight)["home"].level is Level.OK


@pytest.mark.parametrize("missing", ["SystemSettings", "VtolPathFollowerSettings"])
def test_nothing_is_said_of_taking_off_while_its_settings_are_unknown(
    ground: Ground, missing: str
) -> None:
    def read(name: str) -> Sample | None:
        return None if name == missing else ground.recording.latest(name, 9.0)

    checks = telemetry_checks(read, GOOD, FACTS)
    assert next(c for c in checks if c.code == "lift-off").level is Level.UNKNOWN
    assert judged(ground)["lift-off"].level is not Level.UNKNOWN


def test_a_failsafe_that_would_fly_on_by_hand_is_told(ground: Ground) -> None:
    settings = ground.recording.latest("ManualControlSettings", 9.0)
    assert settings is not None
    bad = {"FailsafeFlightModeSwitchPosition": 0, "FailsafeChannel.Throttle": 0.5}
    ground.say(0.2, "ManualControlSettings", {**settings.as_dict(), **bad})
    assert judged(ground)["failsafe"].level >= Level.WARNING


def test_an_alarm_that_forbids_arming_is_a_cause(ground: Ground) -> None:
    ground.say(0.2, "SystemAlarms", {"Alarm.Attitude": "Critical"})
    assert judged(ground)["arming"].level is Level.ERROR


def test_sticks_of_the_station_are_there_when_somebody_flies(ground: Ground) -> None:
    """Else it would never be ready before the controls are taken."""
    ground.say(0.2, "ManualControlCommand", {"Connected": "False"})
    assert judged(ground)["arming"].level is Level.OK
    ground.settings(source="S.Bus")
    assert judged(ground)["arming"].level is Level.ERROR, "a radio has to be on"


def test_what_has_to_be_looked_at_by_hand_has_to_be_ticked() -> None:
    none = readiness(hand_checks(HAND_ITEMS, frozenset()), is_armed=False)
    assert none.summary == f"Not ready: {HAND_ITEMS[0]} and {len(HAND_ITEMS) - 1} more"
    done = readiness(hand_checks(HAND_ITEMS, frozenset(HAND_ITEMS)), is_armed=False)
    assert done.summary == "Ready"


def test_ticks_last_for_one_flight(ground: Ground) -> None:
    preflight = preflight_of(ground.vehicle)
    for item in HAND_ITEMS:
        preflight.tick(item, is_done=True)
    ground.status(1.0, "Armed")
    preflight.look()
    assert preflight.ticked
    ground.status(3.0, "Disarmed")
    preflight.look()
    assert preflight.ticked == frozenset()


def test_the_list_stays_with_the_board(tmp_path: Path) -> None:
    def board(serial: int) -> Preflight:
        ground = Ground()
        ground.say(0.0, "FirmwareIAPObj", {"CPUSerial": [serial] * 12, "ArmReset": 0})
        ground.status(1.0, "Disarmed")
        made = Preflight(ground.vehicle, store_in(tmp_path))
        made.look()
        return made

    first = board(0x31)
    first.keep_items(["Camera is on", "  ", "Camera is on", "Gear is locked"])
    assert not first.problem
    assert board(0x31).items == ("Camera is on", "Gear is locked")
    assert board(0x32).items == HAND_ITEMS
