"""Arming by sticks: what a station's sticks have to do to arm an aircraft, or why they cannot.

Firmware's rules are in armhandler.c and manualcontrol.c of LibrePilot (module ManualControl).
"""

from dataclasses import dataclass, replace

from telemetry.base.finding import Finding, error
from telemetry.configuration.arming.checklist import Read
from telemetry.configuration.flight_modes.arming_check import (
    can_arm_at,
    check_arming_mode,
    check_method,
)
from telemetry.configuration.flight_modes.arming_gestures import Gesture, gesture_of
from telemetry.configuration.flight_modes.check import WITHOUT_POSITION
from telemetry.configuration.flight_modes.modes import flight_mode
from telemetry.configuration.flight_modes.setup import (
    FlightModeSetup,
    Position,
    keeper_of,
    read_setup,
)
from telemetry.configuration.settings.slots import values_of_sample
from telemetry.recording.sample import ReadValues, Values
from telemetry.vehicle.sticks import ARM_SWITCH, Sticks

AUTO_TAKEOFF = "AutoTakeoff"
NOT_KNOWN = "not-known"
NO_AUTO_TAKEOFF = "no-auto-takeoff"
ARMED_ALREADY = error(
    "armed-already",
    "It is armed already, and firmware ignores a change to AutoTakeoff while armed.",
    "Disarm it first.",
)
_STATION = "GCS"


def values_of(read: Read) -> ReadValues:
    """Values of objects by path; none of an object that the aircraft has not sent."""

    def values(name: str) -> Values:
        sample = read(name)
        return values_of_sample(sample) if sample is not None else {}

    return values


def gesture_on_board(values: ReadValues) -> Gesture | None:
    """How it is armed; None while the aircraft has not said."""
    method = values(keeper_of("Arming", values)).get("Arming")
    return None if method is None else gesture_of(str(method))


def gesture_sticks(gesture: Gesture, resting: Sticks, arms: bool) -> Sticks:
    """`resting` sticks that make the gesture: the one that arms, or the one that disarms."""
    side = 1.0 if arms else -1.0
    moves = {control: side * towards for control, towards in gesture.moves}
    return replace(
        resting,
        roll=moves.get("Roll", 0.0),
        pitch=-moves.get("Pitch", 0.0),  # gestures count forward positive, sticks count it negative
        yaw=moves.get("Yaw", 0.0),
        throttle=0.0,
        arm=arms,
    )


def position_of(mode: str, setup: FlightModeSetup) -> Position | None:
    """The first position of the switch that selects `mode`."""
    return next((position for position in setup.used if position.mode == mode), None)


def position_by_hand(setup: FlightModeSetup) -> Position | None:
    """The first position that can be armed in and leaves throttle and attitude to the pilot; one
    that stabilizes before one that does not."""
    fit = [p for p in setup.used if flight_mode(p.mode).is_hand_flown and can_arm_at(p, setup)]
    return min(fit, key=lambda position: position.mode == "Manual", default=None)


def check_arming_by_sticks(read: Read) -> Finding | None:
    """Why a station's sticks cannot arm it, whatever else holds; None where they can."""
    values = values_of(read)
    gesture = gesture_on_board(values)
    status = values("FlightStatus")
    if gesture is None or "Armed" not in status:
        return error(NOT_KNOWN, "The aircraft has not sent its settings yet.", "Wait.")
    found = _check_gesture(gesture, values)
    if found is not None:
        return found
    if status["Armed"] == "Armed":
        return ARMED_ALREADY
    is_stabilized = status.get("AlwaysStabilizeWhenArmed") == "True"
    return check_arming_mode(AUTO_TAKEOFF, "", is_always_stabilized=is_stabilized)


def check_take_off(read: Read) -> Finding | None:
    """Why it cannot be armed and taken off by AutoTakeoff; None where it can."""
    found, values = check_arming_by_sticks(read), values_of(read)
    if found is not None or position_of(AUTO_TAKEOFF, read_setup(values)) is not None:
        return found
    fusion = values("RevoSettings").get("FusionAlgorithm")
    if fusion in WITHOUT_POSITION:
        return error(
            "no-position-estimate",
            f"{fusion} works no position out, which AutoTakeoff needs.",
            "Arm, and take off by hand.",
        )
    return error(
        NO_AUTO_TAKEOFF,
        "No position of the flight mode switch selects AutoTakeoff.",
        "Give it one in FlightModeSettings.FlightModePosition.",
    )


@dataclass(frozen=True, slots=True)
class PositionSetting:
    """The setting that says what a position of the switch selects."""

    object: str
    path: str
    title: str


def position_to_give(read: Read) -> PositionSetting | None:
    """Where AutoTakeoff can go where no position selects it: the last one whose mode another has
    too, else the last one."""
    values = values_of(read)
    used = read_setup(values).used
    modes = [position.mode for position in used]
    again = [position for position in used if position.mode in modes[: position.index]]
    chosen = next(reversed(again or used), None)
    if chosen is None:
        return None
    keeper = keeper_of("FlightModePosition", values)
    return PositionSetting(keeper, f"FlightModePosition.{chosen.index}", chosen.title)


def _check_gesture(gesture: Gesture, values: ReadValues) -> Finding | None:
    kept, receiver = values(keeper_of("Arming", values)), values("ManualControlSettings")
    if gesture.kind == "never":
        return error(
            "never-arms",
            "It is set never to arm (Always Disarmed).",
            "Choose a stick gesture or a switch under Arming.",
        )
    found = check_method(str(kept["Arming"]), receiver)
    if found is not None:
        return found
    if gesture.kind in ("corners", "unknown"):
        return error(
            "gesture-not-known",
            f"This station cannot make the gesture that arms it ({kept['Arming']}).",
            "Choose a switch or a stick to one side under Arming.",
        )
    return _check_switch(gesture.accessory, receiver) if gesture.accessory else None


def _check_switch(accessory: str, receiver: Values) -> Finding | None:
    """Whether the arming switch is where the station sends its own."""
    group = receiver.get(f"ChannelGroups.{accessory}", _STATION)
    number = receiver.get(f"ChannelNumber.{accessory}", ARM_SWITCH + 1)
    if group == _STATION and number == ARM_SWITCH + 1:
        return None
    return error(
        "other-switch",
        f"It is armed by {accessory} on {group} channel {number}; the station's arming switch is "
        f"{_STATION} channel {ARM_SWITCH + 1}.",
        f"Put {accessory} there on the Receiver page, or choose a stick gesture under Arming.",
    )
