"""Failsafe check: is the aircraft brought down safely when the receiver or the battery fails?

While the receiver is lost its failsafe sets all sticks and accessories, in every mode (receiver.c),
and arming goes by them as it does by a pilot's (armhandler.c).
"""

from collections.abc import Iterator

from telemetry.base.finding import Finding, Level, error, info, warning
from telemetry.configuration.flight_modes.arming_gestures import arming_control, gesture_of
from telemetry.configuration.flight_modes.modes import flight_mode
from telemetry.configuration.flight_modes.setup import FlightModeSetup, Position, keeper_of
from telemetry.configuration.receiver.check import is_ground_vehicle, is_unassigned
from telemetry.recording.mode_words import mode_words
from telemetry.recording.sample import ReadValues, Values

_FAILSAFE = "FailsafeFlightModeSwitchPosition"
_BATTERY = "BatteryFailsafeSwitchPositions"
_POSITION = f"ManualControlSettings.{_FAILSAFE}"
_LEVEL = ("Roll", "Pitch", "Yaw")
_LOW = {"Warning": "low", "Critical": "critically low"}


def check_failsafe(setup: FlightModeSetup, values: ReadValues) -> Iterator[Finding]:
    """What does not fit, in the order of the page."""
    receiver = values("ManualControlSettings")
    if _FAILSAFE in receiver:
        is_ground = is_ground_vehicle(values)
        if not is_ground:  # what drives stands still with its throttle in the middle
            yield from _lost_receiver(setup, receiver)
            yield from _disarmed(setup, values)
        yield from _armed(setup, values, is_ground)
        yield from _position(setup, int(receiver[_FAILSAFE]))
    modes, hardware = values("FlightModeSettings"), values("HwSettings")
    for level in ("Warning", "Critical"):
        path = f"{_BATTERY}.{level}"
        if path in modes and int(modes[path]) >= 0:
            yield from _battery(level, int(modes[path]), setup, hardware)


def _position(setup: FlightModeSetup, index: int) -> Iterator[Finding]:
    if index >= 0 and _at(setup, index) is None:
        yield _beyond("The failsafe", index, setup, _POSITION)
    if index < 0 and setup.count > 1:
        yield info(
            "failsafe-keeps-mode",
            "When the receiver is lost the flight mode stays as it is: what flies by itself goes "
            "on, what is flown by hand gets the sticks that the failsafe sets.",
            "Choose a position for the failsafe.",
            settings=(_POSITION,),
        )


def _lost_receiver(setup: FlightModeSetup, receiver: Values) -> Iterator[Finding]:
    position = _failsafe_position(setup, receiver)
    throttle = _failsafe(receiver, "Throttle")
    if position is not None and position.mode == "Manual":
        yield error(
            "failsafe-manual",
            f"When the receiver is lost the aircraft goes to {position.title}, Manual: nothing "
            "would keep it level.",
            "Choose a position that lands or comes home, or a levelling one with the throttle cut.",
            settings=(_POSITION,),
        )
    is_by_hand = position is None or flight_mode(position.mode).is_hand_flown
    if is_by_hand and throttle > 0.0:
        yield warning(
            "failsafe-throttle",
            f"When the receiver is lost the throttle stays at {throttle:.0%} with nobody flying.",
            "Have the failsafe cut the throttle, at minus 1, or choose a position that lands.",
            settings=(_setting("Throttle"), _POSITION),
        )
    acting = _LEVEL if is_by_hand else ("Yaw",)
    leaning = [axis for axis in acting if _failsafe(receiver, axis) != 0.0]
    if leaning:
        yield warning(
            "failsafe-leaning",
            f"When the receiver is lost {', '.join(leaning)} are not let go but held aside.",
            "Set these to 0, unless it is to circle down.",
            settings=tuple(map(_setting, leaning)),
        )


def _disarmed(setup: FlightModeSetup, values: ReadValues) -> Iterator[Finding]:
    """Whether the failsafe itself disarms, which it does in the air as well."""
    receiver = values("ManualControlSettings")
    control, asked = _asked_of_arming(values)
    is_switch = control.startswith("Accessory")
    is_cut = _failsafe(receiver, "Throttle") < 0.0
    if asked >= 0 or not (is_switch or is_cut):
        return  # without its switch it is disarmed by low throttle only
    position = _failsafe_position(setup, receiver)
    is_falling = position is not None and flight_mode(position.mode).is_hand_flown and is_cut
    mode = mode_words(position.mode) if position is not None else "Land and Return to base"
    words = _control_words(control)
    yield Finding(
        Level.WARNING if is_falling else Level.ERROR,
        "failsafe-disarms",
        f"When the receiver is lost {words} is set to disarm: the motors stop in the air, "
        f"in {mode} too.",
        f"Have the failsafe set {words} to 0.",
        settings=(_setting(control),),
    )


def _armed(setup: FlightModeSetup, values: ReadValues, is_ground: bool) -> Iterator[Finding]:
    """Whether the failsafe itself arms an aircraft that stands on the ground."""
    receiver = values("ManualControlSettings")
    control, asked = _asked_of_arming(values)
    is_low = is_ground or _failsafe(receiver, "Throttle") < 0.0
    position = _failsafe_position(setup, receiver)
    can_arm = position is None or flight_mode(position.mode).is_armable
    words = _control_words(control)
    if asked > 0 and is_low and can_arm:
        yield error(
            "failsafe-arms",
            f"With the transmitter off {words} is set to arm: the motors may start with nobody at "
            "the sticks.",
            f"Have the failsafe set {words} to 0.",
            settings=(_setting(control),),
        )


def _asked_of_arming(values: ReadValues) -> tuple[str, int]:
    """The control that arms, and what the failsafe asks by it: 1 to arm, -1 to disarm, else 0."""
    receiver, kept = values("ManualControlSettings"), values(keeper_of("Arming", values))
    arming = arming_control(gesture_of(str(kept.get("Arming", ""))))
    if arming is None:
        return "", 0
    control, side, least = arming
    if is_unassigned(receiver, control) and control.startswith("Accessory"):
        return control, 0  # the failsafe leaves it alone
    value = side * _failsafe(receiver, control)
    return control, (1 if value >= least else -1 if value <= -least else 0)


def _control_words(control: str) -> str:
    name = mode_words(control).lower()
    return name if control.startswith("Accessory") else f"the {name} stick"


def _setting(control: str) -> str:
    """The setting that says where the failsafe takes a control to be."""
    return f"ManualControlSettings.FailsafeChannel.{control}"


def _failsafe(receiver: Values, control: str) -> float:
    """Where the failsafe takes a control to be."""
    return float(receiver.get(f"FailsafeChannel.{control}", -1.0 if control == "Throttle" else 0.0))


def _failsafe_position(setup: FlightModeSetup, receiver: Values) -> Position | None:
    """Where the failsafe moves the switch; None where it leaves it."""
    return _at(setup, int(receiver[_FAILSAFE]))


def _battery(level: str, index: int, setup: FlightModeSetup, hardware: Values) -> Iterator[Finding]:
    position = _at(setup, index)
    low, setting = _LOW[level], f"FlightModeSettings.{_BATTERY}.{level}"
    if position is None:
        yield _beyond(f"The failsafe of a battery that is {low}", index, setup, setting)
        return
    if hardware.get("OptionalModules.Battery") == "Disabled":
        yield warning(
            "battery-module",
            f"The failsafe of a battery that is {low} never acts: the battery module is off.",
            "Switch the battery module on, or have the failsafe leave the mode as it is.",
            settings=("HwSettings.OptionalModules.Battery", setting),
        )
    if position.mode == "Manual":
        yield error(
            "battery-manual",
            f"When the battery is {low} the aircraft goes to {position.title}, Manual, in the "
            "middle of a flight.",
            "Choose a position that lands or comes home.",
            settings=(setting,),
        )


def _at(setup: FlightModeSetup, index: int) -> Position | None:
    return setup.used[index] if 0 <= index < setup.count else None


def _beyond(what: str, index: int, setup: FlightModeSetup, setting: str) -> Finding:
    return warning(
        "position-beyond-switch",
        f"{what} goes to position {index + 1}, but the switch has {setup.count}.",
        "Choose a position that is in use.",
        settings=(setting,),
    )
