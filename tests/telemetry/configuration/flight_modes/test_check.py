"""What is found in flight modes, arming and failsafe, by what is wrong in a sound aircraft."""

from typing import Any

import pytest

from telemetry.base.finding import Level
from telemetry.configuration.flight_modes.check import Equipment, check_flight_modes
from telemetry.configuration.flight_modes.setup import read_setup
from telemetry.configuration.settings.slots import default_values
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue, load_catalogue
from telemetry.recording.sample import Values
from tests.telemetry.configuration.flight_modes.sound import HAS_ALL, Settings, codes


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def test_a_sound_aircraft_has_no_findings(catalogue: Catalogue) -> None:
    assert codes(catalogue) == set()


MODES, RECEIVER, GAINS = "FlightModeSettings", "ManualControlSettings", "StabilizationSettings"
SET = "Stabilization1Settings"
WRONG = [
    (MODES, {"FlightModePosition.1": "Manual"}, "manual-multirotor"),
    (MODES, {"FlightModePosition.1": "POI"}, "unfinished-mode"),
    (MODES, {"FlightModePosition.1": "AutoTune"}, "autotune-module"),
    ("RevoSettings", {"FusionAlgorithm": "Basic (Complementary)"}, "no-navigation"),
    ("HwSettings", {"OptionalModules.GPS": "Disabled", "RV_GPSPort": "Disabled"}, "no-gps"),
    (MODES, {f"{SET}.Roll": "Manual"}, "manual-axis"),
    (MODES, {f"{SET}.Yaw": "AltitudeHold"}, "thrust-mode-on-axis"),
    (MODES, {f"{SET}.Thrust": "Rate"}, "thrust-mode"),
    (MODES, {f"{SET}.Roll": "Acro+", f"{SET}.Thrust": "CruiseControl"}, "cruise-with-acro"),
    (MODES, {f"{SET}.Thrust": "AltitudeHold"}, "no-arming-position"),
    (GAINS, {"FlightModeAssistMap.0": "GPSAssist"}, "assist-manual-thrust"),
    (RECEIVER, {"ChannelGroups.FlightMode": "None"}, "not-assigned"),
    (RECEIVER, {"FlightModeNumber": 9}, "mode-number"),
    (RECEIVER, {"FlightModeNumber": 0}, "mode-number"),
    (RECEIVER, {"FailsafeFlightModeSwitchPosition": -1}, "failsafe-keeps-mode"),
    (RECEIVER, {"FailsafeFlightModeSwitchPosition": 4}, "position-beyond-switch"),
    (RECEIVER, {"FailsafeChannel.Throttle": 0.4}, "failsafe-throttle"),
    (RECEIVER, {"FailsafeChannel.Roll": 0.2}, "failsafe-leaning"),
    (MODES, {"BatteryFailsafeSwitchPositions.Critical": 5}, "position-beyond-switch"),
    (MODES, {"Arming": "Always Armed"}, "always-armed"),
    (MODES, {"Arming": "Accessory 1"}, "arming-channel"),
    (MODES, {"ArmingSequenceTime": 50}, "arming-too-quick"),
    (MODES, {"ArmedTimeout": 0}, "no-timeout"),
    (MODES, {"DisableSanityChecks": "True"}, "checks-off"),
    (MODES, {"DisableSanityChecks": "TRUE"}, "checks-off"),  # as older releases write it
    (MODES, {"AlwaysStabilizeWhenArmedSwitch": "Accessory 2"}, "stabilizer-channel"),
]


@pytest.mark.parametrize(("name", "changed", "code"), WRONG, ids=[row[2] for row in WRONG])
def test_one_wrong_setting_is_found(
    catalogue: Catalogue, name: str, changed: dict[str, Any], code: str
) -> None:
    assert code in codes(catalogue, **{name: changed})


def test_the_failsafe_may_not_go_to_manual(catalogue: Catalogue) -> None:
    found = codes(
        catalogue,
        SystemSettings={"AirframeType": "FixedWing"},
        FlightModeSettings={"FlightModePosition.0": "Manual"},
    )
    assert found == {"failsafe-manual"}


def test_a_wing_may_fly_by_hand(catalogue: Catalogue) -> None:
    wing = {"AirframeType": "FixedWing"}
    assert codes(catalogue, SystemSettings=wing, FlightModeSettings={f"{SET}.Roll": "Manual"}) == (
        set()
    )


def test_heights_need_a_barometer(catalogue: Catalogue) -> None:
    assert codes(catalogue, Equipment(False, 3)) == {"no-barometer"}
    assert codes(catalogue, Equipment(None, 3)) == set()


def test_a_plan_is_missed_only_where_it_is_flown(catalogue: Catalogue) -> None:
    without = Equipment(True, 0)
    assert codes(catalogue, without) == set()
    flown = {"FlightModePosition.1": "PathPlanner"}
    assert codes(catalogue, without, FlightModeSettings=flown) == {"no-plan"}


def test_a_supplied_position_will_do(catalogue: Catalogue) -> None:
    supplied = Equipment(True, 3, is_position_supplied=True)
    basic = {"FusionAlgorithm": "Basic (Complementary)"}
    assert codes(catalogue, supplied, RevoSettings=basic) == set()


def test_positions_that_need_the_same_are_named_together(catalogue: Catalogue) -> None:
    settings = Settings(
        catalogue,
        RevoSettings={"FusionAlgorithm": "Complementary+Mag"},
        FlightModeSettings={"FlightModePosition.1": "Land"},
    )
    (found,) = check_flight_modes(settings, HAS_ALL)
    assert found.text.startswith("Positions 2 (Land) and 3 (PositionHold) need a position")


@pytest.mark.parametrize("fusion", ["INS13GPSOutdoor", "INS13Outdoor", "INSOutdoor"])
def test_estimations_of_older_releases_work_a_position_out(fusion: str) -> None:
    known: dict[str, Values] = {
        "FlightModeSettings": {"FlightModePosition.0": "ReturnToBase"},
        "RevoSettings": {"FusionAlgorithm": fusion},
    }
    found = check_flight_modes(lambda name: known.get(name, {}), HAS_ALL)
    assert "no-navigation" not in [finding.code for finding in found]


def test_positions_the_switch_does_not_have_are_not_judged(catalogue: Catalogue) -> None:
    assert codes(catalogue, FlightModeSettings={"FlightModePosition.3": "Manual"}) == set()


def test_a_port_that_the_board_has_not_got_carries_no_gps(catalogue: Catalogue) -> None:
    """RV_GPSPort is GPS by default in the settings of every board."""
    off = {"OptionalModules.GPS": "Disabled"}
    revolution = Equipment(has_barometer=True, waypoints=3, board=0x0903)
    assert codes(catalogue, revolution, HwSettings=off) == {"no-gps"}
    shared = {**off, "RM_RcvrPort": "PPM+GPS"}
    assert codes(catalogue, revolution, HwSettings=shared) == set()


def test_gps_assistance_takes_levelling(catalogue: Catalogue) -> None:
    found = check_flight_modes(
        Settings(
            catalogue,
            StabilizationSettings={"FlightModeAssistMap.0": "GPSAssist"},
            FlightModeSettings={f"{SET}.Roll": "Rate", f"{SET}.Thrust": "AltitudeVario"},
        ),
        HAS_ALL,
    )
    assert [f.code for f in found if f.level is Level.ERROR] == [
        "assist-without-levelling",
        "no-arming-position",
    ]


@pytest.mark.parametrize(
    ("release", "sets", "count"),
    [(DEFAULT_RELEASE, 6, 3), ("OpenPilot-13.06", 3, 3), ("dRonin-20180729", 3, 3)],
)
def test_every_family_keeps_its_modes_somewhere(
    catalogue: Catalogue, release: str, sets: int, count: int
) -> None:
    known = {d.name: default_values(d) for d in catalogue.release(release) if d.single_instance}
    setup = read_setup(lambda name: known.get(name, {}))
    assert len(setup.sets) == sets
    assert setup.count >= count
    assert all(f.text for f in check_flight_modes(lambda n: known.get(n, {}), HAS_ALL))


def test_nothing_is_found_out_about_an_unknown_aircraft() -> None:
    assert check_flight_modes(lambda _name: {}, Equipment()) == []
