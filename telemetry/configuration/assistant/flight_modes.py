"""Flight mode choices: modes by switch position, arming, and the failsafe without a transmitter."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from telemetry.configuration.airframe.airframe import (
    CUSTOM,
    FIXED_WING,
    GROUND,
    HELICOPTER,
    MULTIROTOR,
)
from telemetry.configuration.assistant.aircraft import AssistedAircraft, WantedValues
from telemetry.configuration.assistant.answers import KEEP, Answers
from telemetry.configuration.assistant.gps_and_battery import navigates
from telemetry.configuration.assistant.outputs import family_of
from telemetry.configuration.assistant.receiver import STATION
from telemetry.recording.sample import Value

MOST_POSITIONS: Final = 6
ARM_SWITCH: Final = "Accessory 0"
_MODES = "FlightModeSettings"
_MANUAL = "ManualControlSettings"
_AXES: Final = ("Roll", "Pitch", "Yaw", "Thrust")
_AIRBORNE: Final = (MULTIROTOR, HELICOPTER, FIXED_WING)


@dataclass(frozen=True, slots=True)
class Mode:
    """A flight mode: its FlightModePosition, and the axes of the set it uses, if it has one.

    `families` are the aircraft it is for; `needs_gps` if it must know where it is.
    """

    id: str
    title: str
    position: str
    about: str
    axes: tuple[str, ...] = ()
    families: tuple[str, ...] = _AIRBORNE
    needs_gps: bool = False
    axes_of_family: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


_WING_LEVEL: Final = {FIXED_WING: ("Attitude", "Attitude", "Manual", "Manual")}
_WING_HEIGHT: Final = {FIXED_WING: ("Attitude", "Attitude", "Manual", "AltitudeVario")}
_WING_RATE: Final = {FIXED_WING: ("Rate", "Rate", "Manual", "Manual")}
MODES: Final = (
    Mode(
        "level",
        "Level",
        "Stabilized1",
        "Sticks lean it; let go and it levels itself. Throttle by hand.",
        ("Attitude", "Attitude", "Rate", "Manual"),
        axes_of_family=_WING_LEVEL,
    ),
    Mode(
        "height",
        "Level, holds its height",
        "Stabilized2",
        "As Level; with the throttle in the middle it stays at its height.",
        ("Attitude", "Attitude", "Rate", "AltitudeVario"),
        (MULTIROTOR, FIXED_WING),
        axes_of_family=_WING_HEIGHT,
    ),
    Mode(
        "rate",
        "Rate (acrobatic)",
        "Stabilized3",
        "Sticks turn it; let go and it stays as it is. For the practised.",
        ("Rate", "Rate", "Rate", "Manual"),
        axes_of_family=_WING_RATE,
    ),
    Mode(
        "manual",
        "Manual",
        "Manual",
        "Sticks move the outputs; nothing stabilizes.",
        families=(FIXED_WING, GROUND),
    ),
    Mode("hold", "Position hold", "PositionHold", "Stays where it is.", needs_gps=True),
    Mode("return", "Return to base", "ReturnToBase", "Flies home by itself.", needs_gps=True),
    Mode("land", "Land", "Land", "Comes down where it is.", needs_gps=True),
    Mode(
        "takeoff",
        "Automatic take-off",
        "AutoTakeoff",
        "Climbs to AutoTakeOffHeight and stays there.",
        families=(MULTIROTOR, FIXED_WING),
        needs_gps=True,
    ),
)
_ARMING: Final = {
    "Accessory 0": "A switch (accessory 0)",
    "Yaw Right": "Rudder stick right, throttle down",
    "Yaw Left": "Rudder stick left, throttle down",
    "Roll Right": "Aileron stick right, throttle down",
    "Roll Left": "Aileron stick left, throttle down",
    "Always Disarmed": "Never: the motors stay off",
}
_ARMING_ON_GROUND: Final = {
    **{option: words for option, words in _ARMING.items() if not option.startswith("Roll")},
    "Yaw Right": "Steering to the right, throttle in the middle",
    "Yaw Left": "Steering to the left, throttle in the middle",
}
_BY_HAND: Final = ("level", "height", "rate", "manual")


def mode_named(mode_id: str) -> Mode | None:
    """The mode with an id."""
    return next((mode for mode in MODES if mode.id == mode_id), None)


def mode_choices(answers: Answers, aircraft: AssistedAircraft) -> tuple[Mode, ...]:
    """The modes that this aircraft could fly, with what it is told to carry."""
    family, has_gps = family_of(answers), navigates(answers)
    home = aircraft.home_of("FlightModePosition", _MODES, _MANUAL)
    known = aircraft.options(home, "FlightModePosition")
    return tuple(
        mode
        for mode in MODES
        if family in ("", CUSTOM, *mode.families)
        and (has_gps or not mode.needs_gps)
        and mode.position in known
    )


def usual_modes(answers: Answers, aircraft: AssistedAircraft) -> tuple[str, ...]:
    """Safe modes to begin with: self-levelling first, then what can help."""
    offered = [mode.id for mode in mode_choices(answers, aircraft)]
    wanted: tuple[str, ...]
    if answers.receiver == STATION:
        wanted = ("level", "height", "hold", "return", "land", "takeoff", "manual")
    elif "return" in offered:
        wanted = ("level", "hold", "return")
    else:
        wanted = ("level", "height", "rate", "manual")
    return tuple(mode for mode in wanted if mode in offered)[:MOST_POSITIONS]


def arming_choices(answers: Answers, aircraft: AssistedAircraft) -> dict[str, str]:
    """Ways to arm, by option. Arming at power-on is none of them."""
    home = aircraft.home_of("Arming", _MODES, _MANUAL)
    known = aircraft.options(home, "Arming")
    ways = _ARMING_ON_GROUND if family_of(answers) == GROUND else _ARMING
    return {option: words for option, words in ways.items() if option in known}


def usual_arming(answers: Answers, aircraft: AssistedAircraft) -> str:
    """The station has a switch; transmitters always have a rudder stick."""
    wanted = ARM_SWITCH if answers.receiver == STATION else "Yaw Right"
    offered = arming_choices(answers, aircraft)
    return wanted if wanted in offered else next(iter(offered), "")


def failsafe_choices(answers: Answers) -> dict[str, str]:
    """What can be done without a transmitter, by answer."""
    what = "Stop" if family_of(answers) == GROUND else "Motors off"
    known = {"": f"{what}, where it is"}
    for mode_id, words in (("land", "Land"), ("return", "Return to base")):
        if mode_id in answers.modes:
            known[mode_id] = words
    return known


def usual_failsafe(answers: Answers) -> str:
    """Land where that is possible."""
    return next((mode for mode in ("land", "return") if mode in answers.modes), "")


def propose_modes(answers: Answers, aircraft: AssistedAircraft) -> WantedValues:
    """Modes, the sets they use, arming and failsafe. Other sets and times stay as they are."""
    home = aircraft.home_of("FlightModePosition", _MODES, _MANUAL)
    if not home or not answers.modes or KEEP in answers.modes:
        return {}
    modes = [mode for mode in map(mode_named, answers.modes) if mode is not None]
    family = family_of(answers)
    wanted: WantedValues = {home: {}}
    for position, mode in enumerate(modes[: aircraft.size(home, "FlightModePosition")]):
        wanted[home][f"FlightModePosition.{position}"] = mode.position
        wanted[home] |= _plan_set(mode, family)
    if answers.arming:
        arming_home = aircraft.home_of("Arming", _MODES, _MANUAL)
        wanted.setdefault(arming_home, {})["Arming"] = answers.arming
    wanted.setdefault(_MANUAL, {})
    wanted[_MANUAL] |= _plan_failsafe(answers, len(modes), family)
    if answers.cells and aircraft.has(home, "BatteryFailsafeSwitchPositions"):
        wanted[home]["BatteryFailsafeSwitchPositions.Critical"] = _position(answers, "land")
    return wanted


def missing_mode(answers: Answers, aircraft: AssistedAircraft) -> str:
    """What is wrong with the modes, as a sentence; empty if nothing."""
    offered = {mode.id for mode in mode_choices(answers, aircraft)}
    if KEEP in answers.modes:
        return ""
    if not answers.modes:
        return "Choose a flight mode for each position of the switch."
    wrong = next((mode for mode in answers.modes if mode not in offered), "")
    if wrong:
        found = mode_named(wrong)
        title = found.title if found is not None else wrong
        return f"{title} needs a GPS, or another kind of aircraft: choose another mode."
    if answers.modes[0] not in _BY_HAND:
        return "Give the first position to a mode that is flown by hand: it is armed in that one."
    return "" if answers.arming else "Choose how it is armed."


def _plan_set(mode: Mode, family: str) -> dict[str, Value]:
    axes = mode.axes_of_family.get(family, mode.axes)
    number = mode.position.removeprefix("Stabilized")
    return {
        f"Stabilization{number}Settings.{axis}": setting
        for axis, setting in zip(_AXES, axes, strict=False)
    }


def _plan_failsafe(answers: Answers, count: int, family: str) -> dict[str, Value]:
    return {
        "FlightModeNumber": count,
        "FailsafeFlightModeSwitchPosition": _position(answers, answers.failsafe),
        "FailsafeChannel.Throttle": 0.0 if family == GROUND else -1.0,
    }


def _position(answers: Answers, mode_id: str) -> int:
    """The switch position of a mode counted from 0; -1 for none."""
    return answers.modes.index(mode_id) if mode_id in answers.modes else -1
