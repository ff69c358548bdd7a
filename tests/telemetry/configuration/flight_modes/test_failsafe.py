"""What is found in the failsafe, which sets all sticks and accessories in every mode.

The rules are those of receiver.c and armhandler.c of LibrePilot, as design/firmware-rules.md has
them.
"""

from typing import Any

import pytest

from telemetry.base.finding import Level
from telemetry.configuration.flight_modes.check import check_flight_modes
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from tests.telemetry.configuration.flight_modes.sound import HAS_ALL, Settings

MODES = ("Stabilized1", "Land", "ReturnToBase")
ASSIGNED = {"ChannelGroups.Accessory0": "PPM", "ChannelNumber.Accessory0": 7}
SWITCH, YAW = "Accessory 0", "Yaw Right"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def found(
    catalogue: Catalogue,
    arming: str,
    mode: str,
    airframe: str = "QuadX",
    **failsafe: float,
) -> dict[str, Level]:
    """What is found of an aircraft whose failsafe goes to `mode`, by code."""
    receiver: dict[str, Any] = {
        **ASSIGNED,
        "FailsafeFlightModeSwitchPosition": MODES.index(mode) if mode in MODES else -1,
        **{f"FailsafeChannel.{name}": value for name, value in failsafe.items()},
    }
    positions = {f"FlightModePosition.{i}": name for i, name in enumerate(MODES)}
    settings = Settings(
        catalogue,
        SystemSettings={"AirframeType": airframe},
        FlightModeSettings={"Arming": arming, **positions},
        ManualControlSettings=receiver,
    )
    return {finding.code: finding.level for finding in check_flight_modes(settings, HAS_ALL)}


@pytest.mark.parametrize(
    ("arming", "failsafe", "disarms"),
    [
        (SWITCH, {"Accessory0": -1.0}, True),
        (SWITCH, {"Accessory0": -0.2}, True),
        (SWITCH, {"Accessory0": -0.19}, False),
        (SWITCH, {"Accessory0": 0.0}, False),
        (SWITCH, {"Accessory1": -1.0}, False),
        (SWITCH, {"Accessory0": -1.0, "Throttle": 0.5}, True),  # the switch counts as low throttle
        (YAW, {"Yaw": -0.8}, True),
        (YAW, {"Yaw": -0.79}, False),
        (YAW, {"Yaw": 0.8}, False),
        (YAW, {"Yaw": -0.8, "Throttle": 0.5}, False),  # a stick disarms with low throttle only
        (YAW, {"Accessory0": -1.0}, False),
        ("Yaw Left", {"Yaw": 0.9}, True),
        ("Roll Left", {"Roll": 0.9}, True),
        ("Roll Right", {"Roll": -0.9}, True),
        ("Pitch Forward", {"Pitch": 0.9}, True),
        ("Pitch Aft", {"Pitch": -0.9}, True),
        ("Pitch Aft", {"Pitch": 0.9}, False),
        ("Always Disarmed", {"Yaw": -0.9}, False),
    ],
)
@pytest.mark.parametrize("mode", ["Land", "ReturnToBase"])
def test_a_failsafe_that_disarms_is_a_danger_while_it_lands_or_comes_home(
    catalogue: Catalogue, arming: str, failsafe: dict[str, float], disarms: bool, mode: str
) -> None:
    level = found(catalogue, arming, mode, **failsafe).get("failsafe-disarms")
    assert level is (Level.ERROR if disarms else None)


@pytest.mark.parametrize(
    ("mode", "throttle", "level"),
    [
        ("", -1.0, Level.ERROR),  # it stays in its mode, which may be any
        ("Stabilized1", 0.3, Level.ERROR),
        ("Stabilized1", -1.0, Level.WARNING),  # it falls already
    ],
)
def test_it_is_told_wherever_it_acts(
    catalogue: Catalogue, mode: str, throttle: float, level: Level
) -> None:
    assert (
        found(catalogue, SWITCH, mode, Accessory0=-1.0, Throttle=throttle)["failsafe-disarms"]
        is level
    )


def test_an_accessory_without_a_channel_is_left_alone(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ASSIGNED, "ChannelGroups.Accessory0", "None")
    assert "failsafe-disarms" not in found(catalogue, SWITCH, "Land", Accessory0=-1.0)


def test_what_drives_may_stop(catalogue: Catalogue) -> None:
    car = found(catalogue, SWITCH, "Land", "GroundVehicleCar", Accessory0=-1.0, Throttle=0.5)
    assert not {code for code in car if code.startswith("failsafe")}


@pytest.mark.parametrize(
    ("arming", "mode", "failsafe", "arms"),
    [
        (SWITCH, "Stabilized1", {"Accessory0": 1.0}, True),
        (SWITCH, "Stabilized1", {"Accessory0": 0.19}, False),
        (SWITCH, "", {"Accessory0": 1.0}, True),
        (SWITCH, "Land", {"Accessory0": 1.0}, False),  # okToArm: not in Land
        (SWITCH, "Stabilized1", {"Accessory0": 1.0, "Throttle": 0.1}, False),
        (YAW, "Stabilized1", {"Yaw": 0.8}, True),
        (YAW, "Stabilized1", {"Yaw": -0.8}, False),
        ("Pitch Forward", "Stabilized1", {"Pitch": -0.9}, True),
    ],
)
def test_a_failsafe_that_arms_is_a_danger(
    catalogue: Catalogue, arming: str, mode: str, failsafe: dict[str, float], arms: bool
) -> None:
    level = found(catalogue, arming, mode, **failsafe).get("failsafe-arms")
    assert level is (Level.ERROR if arms else None)


@pytest.mark.parametrize(("mode", "stick"), [("Land", "Yaw"), ("Stabilized1", "Roll")])
def test_a_stick_held_aside_is_told_where_it_acts(
    catalogue: Catalogue, mode: str, stick: str
) -> None:
    assert found(catalogue, SWITCH, mode, **{stick: 0.3})["failsafe-leaning"] is Level.WARNING
    assert "failsafe-leaning" not in found(catalogue, SWITCH, "Land", Roll=0.3)


def test_one_flight_mode_needs_no_position_to_go_to(catalogue: Catalogue) -> None:
    def codes(count: int) -> set[str]:
        receiver = {"FlightModeNumber": count, "FailsafeFlightModeSwitchPosition": -1}
        settings = Settings(catalogue, ManualControlSettings=receiver)
        return {finding.code for finding in check_flight_modes(settings, HAS_ALL)}

    assert "failsafe-keeps-mode" not in codes(1)
    assert "failsafe-keeps-mode" in codes(2)
