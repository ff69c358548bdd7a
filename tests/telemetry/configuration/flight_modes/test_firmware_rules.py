"""The station refuses what firmware refuses, and nothing else: each row of its rules."""

import pytest

from telemetry.base.finding import Level
from telemetry.configuration.flight_modes.arming_check import check_arming_mode
from telemetry.configuration.flight_modes.check import Equipment, check_flight_modes
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from tests.firmware_rules import (
    ARMING,
    MULTIROTORS,
    OTHERS,
    POSITIONS,
    ArmingCase,
    PositionCase,
)
from tests.telemetry.configuration.flight_modes.sound import HAS_ALL, Settings, codes

COPTER_CONTROL = Equipment(has_barometer=False, waypoints=3, is_copter_control=True)


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def settings_of(catalogue: Catalogue, case: PositionCase) -> Settings:
    axes = zip(("Roll", "Pitch", "Yaw", "Thrust"), case.axes, strict=True)
    return Settings(
        catalogue,
        SystemSettings={"AirframeType": case.airframe},
        RevoSettings={"FusionAlgorithm": case.fusion},
        HwSettings={"OptionalModules.AutoTune": "Enabled"},
        StabilizationSettings={"FlightModeAssistMap.0": case.assist},
        ManualControlSettings={"FlightModeNumber": 2, "FailsafeFlightModeSwitchPosition": 1},
        FlightModeSettings={
            "FlightModePosition.0": case.mode,
            "FlightModePosition.1": "Stabilized3",
            **{f"Stabilization1Settings.{axis}": mode for axis, mode in axes},
        },
    )


def refusals(settings: Settings, equipment: Equipment = HAS_ALL) -> list[str]:
    found = check_flight_modes(settings, equipment)
    return [finding.text for finding in found if finding.level is Level.ERROR]


@pytest.mark.parametrize("case", POSITIONS, ids=lambda case: case.title)
def test_a_position_of_the_switch(catalogue: Catalogue, case: PositionCase) -> None:
    """sanitycheck.c: a finding that keeps it from arming, if and only if the board has one."""
    assert bool(refusals(settings_of(catalogue, case))) is not case.is_sane


@pytest.mark.parametrize("airframe", [*MULTIROTORS, *OTHERS])
def test_which_airframes_are_multirotors(catalogue: Catalogue, airframe: str) -> None:
    case = PositionCase("Manual", airframe in OTHERS, airframe)
    assert bool(refusals(settings_of(catalogue, case))) is not case.is_sane


@pytest.mark.parametrize(
    "case",
    [
        PositionCase("Stabilized1", False, assist="GPSAssist"),
        PositionCase("Stabilized1", False, axes=("Attitude", "Attitude", "Rate", "AltitudeHold")),
        *(
            PositionCase(mode, False)
            for mode in ("PositionHold", "Land", "AutoTakeoff", "ReturnToBase", "PathPlanner")
        ),
        PositionCase("Stabilized1", True),
    ],
    ids=lambda case: case.title,
)
def test_a_copter_control_neither_navigates_nor_holds_heights(
    catalogue: Catalogue, case: PositionCase
) -> None:
    assert bool(refusals(settings_of(catalogue, case), COPTER_CONTROL)) is not case.is_sane


@pytest.mark.parametrize("case", ARMING, ids=lambda case: "-".join(map(str, case)))
def test_a_mode_to_arm_in(case: ArmingCase) -> None:
    """armhandler.c, okToArm."""
    found = check_arming_mode(case.mode, case.thrust, case.assist, case.is_always_stabilized)
    assert (found is None) is case.may_arm


def test_gps_assistance_of_every_position_leaves_none_to_arm_in(catalogue: Catalogue) -> None:
    """It sets the thrust by itself, unless the set does already."""
    positions = {"FlightModePosition.2": "Stabilized3"}
    assist = {f"FlightModeAssistMap.{number}": "GPSAssist" for number in range(3)}
    sets = {
        f"Stabilization{n}Settings.{a}": "Attitude" for n in (1, 2, 3) for a in ("Roll", "Pitch")
    }
    found = codes(catalogue, FlightModeSettings={**positions, **sets}, StabilizationSettings=assist)
    assert "no-arming-position" in found
    assist["FlightModeAssistMap.0"] = "None"
    found = codes(catalogue, FlightModeSettings={**positions, **sets}, StabilizationSettings=assist)
    assert "no-arming-position" not in found


@pytest.mark.parametrize(("count", "is_fine"), [(0, False), (1, True), (6, True), (7, False)])
def test_the_number_of_flight_modes(catalogue: Catalogue, count: int, is_fine: bool) -> None:
    """receiver.c: Receiver Critical beyond 1 to 6."""
    found = codes(catalogue, ManualControlSettings={"FlightModeNumber": count})
    assert ("mode-number" not in found) is is_fine


@pytest.mark.parametrize("control", ["Throttle", "Collective"])
@pytest.mark.parametrize(
    ("low", "high", "is_fine"),
    [(1000, 1300, False), (1300, 1000, False), (1000, 1301, True), (1301, 1000, True)],
)
def test_the_thrust_needs_more_than_300_us(
    catalogue: Catalogue, control: str, low: int, high: int, is_fine: bool
) -> None:
    """sanitycheck.c; the range of the other control does not count."""
    other = "Collective" if control == "Throttle" else "Throttle"
    channels = {
        f"ChannelGroups.{control}": "PPM",
        f"ChannelNumber.{control}": 3,
        f"ChannelMin.{control}": low,
        f"ChannelMax.{control}": high,
        f"ChannelMax.{other}": 1000,
    }
    found = codes(
        catalogue, SystemSettings={"ThrustControl": control}, ManualControlSettings=channels
    )
    assert ("thrust-range" not in found) is is_fine
