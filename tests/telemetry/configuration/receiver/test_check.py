"""Controls as the aircraft has them: what a pulse means, why there is none, what does not fit."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from telemetry.configuration.receiver.check import check_channels, check_controls, check_pulses
from telemetry.configuration.receiver.controls import Control, read_controls, why_no_pulse
from telemetry.configuration.settings.slots import default_values
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.recording.sample import ReadValues, Value

ROLL = Control("Roll", "S.Bus", 1, 1000, 1500, 2000)
ALL = (
    replace(ROLL, name="Throttle", number=3, neutral=1040),
    ROLL,
    replace(ROLL, name="Pitch", number=2),
    replace(ROLL, name="Yaw", number=4),
    replace(ROLL, name="FlightMode", number=5),
)


def test_a_control_reads_its_pulse_as_the_firmware_does() -> None:
    assert [ROLL.scale(p) for p in (900, 1000, 1500, 1750, 2100)] == [-1.0, -1.0, 0.0, 0.5, 1.0]
    backwards = replace(ROLL, minimum=2000, maximum=1000)
    assert [backwards.scale(p) for p in (1000, 1500, 2000)] == [1.0, 0.0, -1.0]
    assert replace(ROLL, minimum=1500, maximum=1500).scale(1700) == 0.0


@pytest.mark.parametrize(
    ("raw", "word"),
    [
        (0, "transmitter on"),  # Tau Labs
        (65535, "transmitter on"),  # pios_rcvr.h of LibrePilot: -1, timed out
        (65534, "no channel 1"),  # -2, no such channel
        (65533, "No port"),  # -3, no driver
        (None, "Not received"),
    ],
)
def test_where_there_is_no_pulse_it_is_said_why(raw: int | None, word: str) -> None:
    assert word in why_no_pulse(ROLL, raw)


def test_a_pulse_needs_no_words() -> None:
    assert why_no_pulse(ROLL, 1500) == ""
    assert why_no_pulse(replace(ROLL, group="None"), 1500) == "Not assigned"


def test_all_eleven_controls_are_read() -> None:
    definition = load_catalogue().find("ManualControlSettings")
    controls = read_controls(definition, default_values(definition))
    assert len(controls) == 11
    assert not any(control.is_assigned for control in controls)
    assert read_controls(None, {}) == ()


def test_what_fits_is_fine() -> None:
    assert check_controls(ALL) == ()
    turned = [replace(c, minimum=c.maximum, maximum=c.minimum) for c in ALL[1:]]
    assert check_controls([ALL[0], *turned]) == ()


@pytest.mark.parametrize(
    ("name", "changes", "code"),
    [
        ("Yaw", {"number": 1}, "channel-twice"),
        ("Roll", {"maximum": 1200, "neutral": 1100}, "short-range"),
        ("Roll", {"neutral": 2100}, "neutral-outside"),
        ("Throttle", {"neutral": 1500}, "throttle-neutral"),
        ("Throttle", {"maximum": 1300}, "thrust-range"),
    ],
)
def test_each_rule_finds_its_fault(name: str, changes: dict[str, object], code: str) -> None:
    controls = [replace(c, **changes) if c.name == name else c for c in ALL]
    assert code in [finding.code for finding in check_controls(controls)]


def test_throttle_of_a_car_rests_in_its_middle() -> None:
    car = [replace(c, neutral=1500) if c.name == "Throttle" else c for c in ALL]
    assert check_controls(car, is_ground=True) == ()
    assert check_controls(car) != ()


def reading(**objects: Mapping[str, Value]) -> ReadValues:
    """An aircraft that has sent these objects, by path."""
    return lambda name: objects.get(name, {})


STICKS = ("Throttle", "Roll", "Pitch", "Yaw", "FlightMode")
RECEIVER: dict[str, str | int] = {
    "FlightModeNumber": 3,
    "ChannelGroups.Collective": "None",
    **{f"ChannelGroups.{name}": "S.Bus" for name in STICKS},
    **{f"ChannelNumber.{name}": number for number, name in enumerate(STICKS, 1)},
}
QUAD = {"AirframeType": "QuadX", "ThrustControl": "Throttle"}
CAR = {"AirframeType": "GroundVehicleCar", "ThrustControl": "Throttle"}
HELICOPTER = {"AirframeType": "HeliCP", "ThrustControl": "Collective"}
OLD_HELICOPTER = {"AirframeType": "HeliCP"}
NO_MODE = {"ChannelGroups.FlightMode": "None"}


@pytest.mark.parametrize(
    ("system", "changes", "missing"),
    [
        (QUAD, {}, ""),
        (QUAD, {"ChannelGroups.Yaw": "None"}, "Yaw"),
        (QUAD, {"ChannelNumber.Yaw": 0, "ChannelGroups.Roll": "None"}, "Roll, Yaw"),
        (QUAD, NO_MODE, "Flight mode"),
        (QUAD, {**NO_MODE, "FlightModeNumber": 1}, ""),
        (CAR, {**NO_MODE, "ChannelGroups.Roll": "None", "ChannelGroups.Pitch": "None"}, ""),
        (CAR, {"ChannelGroups.Yaw": "None"}, "Yaw"),
        (HELICOPTER, {}, "Collective"),
        (OLD_HELICOPTER, {}, "Collective"),
        ({**HELICOPTER, "ThrustControl": "Throttle"}, {}, ""),
    ],
)
def test_channels_are_needed_as_firmware_needs_them(
    system: dict[str, str | int], changes: dict[str, str | int], missing: str
) -> None:
    found = check_channels(
        reading(ManualControlSettings={**RECEIVER, **changes}, SystemSettings=system)
    )
    assert (found.text.split(":")[0] if found else "") == missing


@pytest.mark.parametrize(("treated", "missing"), [("Ground", ""), ("VTOL", "Roll, Pitch")])
def test_a_custom_airframe_needs_what_it_is_treated_as(treated: str, missing: str) -> None:
    sticks = {"ChannelGroups.Roll": "None", "ChannelGroups.Pitch": "None"}
    values = reading(
        ManualControlSettings={**RECEIVER, **sticks},
        SystemSettings={"AirframeType": "Custom"},
        VtolPathFollowerSettings={"TreatCustomCraftAs": treated},
    )
    found = check_channels(values)
    assert (found.text.split(":")[0] if found else "") == missing


@pytest.mark.parametrize(
    ("name", "is_ground", "counts"),
    [
        ("Throttle", False, True),
        ("Roll", False, True),
        ("Roll", True, False),
        ("Yaw", True, True),
        ("FlightMode", False, False),
    ],
)
def test_which_pulses_have_to_be_in_range(name: str, is_ground: bool, counts: bool) -> None:
    """As receiver.c judges its input; 250 us beyond an end still count."""
    for pulse, is_out in ((2250, False), (2251, True), (750, False), (749, True)):
        pulses = [pulse if control.name == name else 1500 for control in ALL]
        found = check_pulses(ALL, pulses, is_ground)
        assert (found is not None) is (counts and is_out)


def test_a_silent_receiver_is_not_one_controls_fault() -> None:
    assert check_pulses(ALL, [0] * len(ALL), is_ground=False) is None


def test_nothing_is_said_of_channels_that_are_not_known() -> None:
    assert check_channels(reading()) is None
