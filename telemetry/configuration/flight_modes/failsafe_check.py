"""What happens when the receiver or the battery fails: does it bring the aircraft down safely?"""

from collections.abc import Iterator

from telemetry.configuration.flight_modes.modes import flight_mode
from telemetry.configuration.flight_modes.setup import FlightModeSetup, Position, ReadValues, Values
from telemetry.finding import Finding, Level

_FAILSAFE = "FailsafeFlightModeSwitchPosition"
_BATTERY = "BatteryFailsafeSwitchPositions"
_LEVEL = ("Roll", "Pitch", "Yaw")


def check_failsafe(setup: FlightModeSetup, values: ReadValues) -> Iterator[Finding]:
    """What does not fit, in the order of the page."""
    receiver = values("ManualControlSettings")
    if _FAILSAFE in receiver:
        yield from _lost_receiver(setup, receiver)
    modes, hardware = values("FlightModeSettings"), values("HwSettings")
    for level in ("Warning", "Critical"):
        path = f"{_BATTERY}.{level}"
        if path in modes and int(modes[path]) >= 0:
            yield from _battery(level, int(modes[path]), setup, hardware)


def _lost_receiver(setup: FlightModeSetup, receiver: Values) -> Iterator[Finding]:
    index = int(receiver[_FAILSAFE])
    position = _at(setup, index)
    throttle = float(receiver.get("FailsafeChannel.Throttle", -1.0))
    if index >= 0 and position is None:
        yield _beyond("The failsafe", index, setup)
        return
    if position is not None and position.mode == "Manual":
        yield Finding(
            Level.ERROR,
            "failsafe-manual",
            f"When the receiver is lost the aircraft goes to {position.title}, Manual: nothing "
            "would keep it level.",
            "Choose a position that lands or comes home, or a levelling one with the throttle cut.",
        )
    is_by_hand = position is None or flight_mode(position.mode).is_hand_flown
    if is_by_hand and throttle > 0.0:
        yield Finding(
            Level.WARNING,
            "failsafe-throttle",
            f"When the receiver is lost the throttle stays at {throttle:.0%} with nobody flying.",
            "Set FailsafeChannel.Throttle to -1 (off), or a failsafe position that lands.",
        )
    leaning = [a for a in _LEVEL if float(receiver.get(f"FailsafeChannel.{a}", 0.0)) != 0.0]
    if is_by_hand and leaning:
        yield Finding(
            Level.WARNING,
            "failsafe-leaning",
            f"When the receiver is lost {', '.join(leaning)} are not let go but held aside.",
            "Set them to 0 in FailsafeChannel, unless it is to circle down.",
        )
    if index < 0:
        yield Finding(
            Level.INFO,
            "failsafe-keeps-mode",
            "When the receiver is lost the flight mode stays as it is; what happens then depends "
            "on where the switch was.",
            "Choose a position for the failsafe.",
        )


def _battery(level: str, index: int, setup: FlightModeSetup, hardware: Values) -> Iterator[Finding]:
    position = _at(setup, index)
    if position is None:
        yield _beyond(f"The battery failsafe ({level.lower()})", index, setup)
        return
    if hardware.get("OptionalModules.Battery") == "Disabled":
        yield Finding(
            Level.WARNING,
            "battery-module",
            f"The battery failsafe ({level.lower()}) never acts: the battery module is off.",
            "Enable Battery in HwSettings.OptionalModules, or leave the mode as it is.",
        )
    if position.mode == "Manual":
        yield Finding(
            Level.ERROR,
            "battery-manual",
            f"At a battery {level.lower()} the aircraft goes to {position.title}, Manual, in the "
            "middle of a flight.",
            "Choose a position that lands or comes home.",
        )


def _at(setup: FlightModeSetup, index: int) -> Position | None:
    return setup.used[index] if 0 <= index < setup.count else None


def _beyond(what: str, index: int, setup: FlightModeSetup) -> Finding:
    return Finding(
        Level.WARNING,
        "position-beyond-switch",
        f"{what} goes to position {index + 1}, but the switch has {setup.count}.",
        "Choose a position that is in use.",
    )
