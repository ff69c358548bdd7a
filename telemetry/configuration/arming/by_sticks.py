"""Arming by sticks: what a station's sticks have to do to arm an aircraft, or why they cannot.

Firmware's rules are in armhandler.c and manualcontrol.c of LibrePilot (module ManualControl).
"""

from dataclasses import dataclass, replace

from telemetry.base.finding import Finding, error
from telemetry.configuration.arming.checklist import Read
from telemetry.configuration.flight_modes.arming_check import (
    arming_setting,
    can_arm_at,
    check_arming_mode,
    check_method,
    never_arms,
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
from telemetry.configuration.receiver.controls import SETTINGS, receiver_words
from telemetry.configuration.settings.slots import values_of_sample
from telemetry.recording.mode_words import mode_words
from telemetry.recording.sample import ReadValues, Values
from telemetry.vehicle.sticks import ARM_SWITCH, Sticks

AUTO_TAKEOFF = "AutoTakeoff"
NOT_KNOWN = "not-known"
NO_AUTO_TAKEOFF = "no-auto-takeoff"
ARMED_ALREADY = error(
    "armed-already",
    "It is armed already, and takes off by itself only if it was armed for that.",
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
    if values("RevoSettings").get("FusionAlgorithm") in WITHOUT_POSITION:
        return error(
            "no-position-estimate",
            "It estimates no position, without which it cannot take off by itself.",
            "Arm, and take off by hand.",
            settings=("RevoSettings.FusionAlgorithm",),
        )
    return no_position(NO_AUTO_TAKEOFF, mode_words(AUTO_TAKEOFF), values)


def no_position_text(wanted: str) -> str:
    """That no position of the flight mode switch selects what is wanted, and what to do."""
    return " ".join(_no_position(wanted))


def no_position(code: str, wanted: str, values: ReadValues) -> Finding:
    """The same as a finding."""
    setting = f"{keeper_of('FlightModePosition', values)}.FlightModePosition"
    return error(code, *_no_position(wanted), settings=(setting,))


def _no_position(wanted: str) -> tuple[str, str]:
    return (
        f"No position of the flight mode switch selects {wanted}.",
        "Give it one in Configure, on the Flight modes page.",
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
    if gesture.kind == "never":
        return never_arms(values)
    found = check_method(values)
    if found is not None:
        return found
    setting = arming_setting(values)
    if gesture.kind in ("corners", "unknown"):
        name, _, path = setting.partition(".")
        return error(
            "gesture-not-known",
            f"This station cannot make the gesture that arms it: {values(name)[path]}.",
            "Choose a switch or a stick to one side under Arming.",
            settings=(setting,),
        )
    return _check_switch(gesture, values(SETTINGS)) if gesture.accessory else None


def _check_switch(gesture: Gesture, receiver: Values) -> Finding | None:
    """Whether the arming switch is where the station sends its own."""
    accessory = gesture.accessory
    group = receiver.get(f"ChannelGroups.{accessory}", _STATION)
    number = receiver.get(f"ChannelNumber.{accessory}", ARM_SWITCH + 1)
    if group == _STATION and number == ARM_SWITCH + 1:
        return None
    return error(
        "other-switch",
        f"It is armed by {gesture.switch}, on channel {number} of {receiver_words(str(group))}; "
        f"the station sends its arming switch on channel {ARM_SWITCH + 1}.",
        f"Put {gesture.switch} there on the Receiver page, or choose a stick gesture under Arming.",
        settings=tuple(f"{SETTINGS}.Channel{part}.{accessory}" for part in ("Groups", "Number")),
    )
