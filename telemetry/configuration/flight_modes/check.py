"""Flight mode check: do modes, arming and failsafe fit each other, sensors and modules?

What firmware refuses to fly is a danger here, in the firmware's own terms, so that it is found
before the board raises its configuration alarm, and says which position and why.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from telemetry.base.finding import Finding, error, info, warning
from telemetry.configuration.airframe.airframe import is_multirotor
from telemetry.configuration.flight_modes.arming_check import can_arm_at, check_arming
from telemetry.configuration.flight_modes.failsafe_check import check_failsafe
from telemetry.configuration.flight_modes.modes import HEIGHT_MODES, Need, flight_mode
from telemetry.configuration.flight_modes.setup import FlightModeSetup, Position, read_setup
from telemetry.configuration.hardware.check import has_gps_port
from telemetry.configuration.receiver.check import (
    check_channels,
    check_mode_number,
    check_thrust_range,
)
from telemetry.configuration.receiver.controls import FLIGHT_MODE
from telemetry.recording.sample import ReadValues

WITHOUT_POSITION = frozenset(
    {
        *("None", "Complementary", "Basic (Complementary)", "Complementary+Mag"),
        *("INS13Indoor", "INSIndoor", "Testing (INS Indoor+CF)", "Acro (No Sensors)"),
    }
)
"""Options of FusionAlgorithm of all releases that work no position out."""
_THRUST_ONLY = HEIGHT_MODES | {"CruiseControl"}
_THRUST_MODES = _THRUST_ONLY | {"Manual"}
_LEVELLING = frozenset({"Attitude", "Rattitude"})
_UNFINISHED = ("POI", "AutoCruise")
_ASSISTABLE = frozenset({"PositionHold", "VelocityRoam", "Land", "AutoTakeoff"})
"""Modes that fly by themselves and may have GPS assistance."""


@dataclass(frozen=True, slots=True)
class Equipment:
    """What is known about the aircraft beside its settings; None where it is not known.

    `is_position_supplied`: a station supplies the position, as for hardware in the loop. `board`
    is type and revision (0x0903, …), 0 while unknown.
    """

    has_barometer: bool | None = None
    waypoints: int | None = None
    is_position_supplied: bool = False
    is_copter_control: bool = False
    board: int = 0


def check_flight_modes(values: ReadValues, equipment: Equipment) -> list[Finding]:
    """What does not fit, worst first. `values` gives the values of an object by path, empty for
    one that the aircraft lacks; nothing is found out about what is not there."""
    setup = read_setup(values)
    if not setup.positions:
        return []
    found = [f for position in setup.used for f in _position(position, setup, values, equipment)]
    found += _lacks_position(setup, values, equipment)
    found += _sets(setup, values, equipment)
    found += _switch(setup, values)
    found += check_failsafe(setup, values)
    found += check_arming(values)
    return sorted(found, key=lambda finding: -finding.level)


def _is_multirotor(values: ReadValues) -> bool:
    return is_multirotor(values("SystemSettings").get("AirframeType"))


def _is_other_airframe(values: ReadValues) -> bool:
    """Whether it is known to be no multirotor."""
    return "AirframeType" in values("SystemSettings") and not _is_multirotor(values)


def _position(
    position: Position, setup: FlightModeSetup, values: ReadValues, equipment: Equipment
) -> Iterator[Finding]:
    where, needs = f"{position.title} ({position.mode})", flight_mode(position.mode).needs
    if position.mode == "Manual" and _is_multirotor(values):
        yield error(
            "manual-multirotor",
            f"{where} would leave a multirotor without stabilization, and the board does not arm.",
            "Choose a stabilized mode.",
        )
    if position.mode in _UNFINISHED:
        yield warning(
            "unfinished-mode",
            f"{where} is a mode that firmware takes but whose makers do not offer it.",
            "Choose another mode.",
        )
    if Need.HEIGHT in needs and equipment.has_barometer is False:
        yield _no_barometer(where)
    if Need.PLAN in needs and equipment.waypoints == 0:
        yield warning(
            "no-plan",
            f"{where} has no flight plan on board to fly.",
            "Send a plan before you switch to it.",
        )
    if Need.AUTOTUNE in needs:
        yield from _autotune(where, values)
    if position.is_assisted:
        yield from _assist_refused(position, where, values, equipment)
        yield from _assist(position, where, setup)


def _lacks_position(
    setup: FlightModeSetup, values: ReadValues, equipment: Equipment
) -> Iterator[Finding]:
    """One finding for all positions of the switch that need to know where the aircraft is."""
    needing = [
        f"{p.index + 1} ({p.mode}{f' with {p.assist}' if p.is_assisted else ''})"
        for p in setup.used
        if p.is_assisted or Need.POSITION in flight_mode(p.mode).needs
    ]
    if not needing:
        return
    one = len(needing) == 1
    who = f"Position {needing[0]} needs" if one else f"Positions {_list(needing)} need"
    if equipment.is_copter_control:
        yield error(
            "no-navigation",
            f"{who} a position, which a CopterControl never has; the board does not arm.",
            "Choose modes that are flown by hand.",
        )
        return
    fusion = values("RevoSettings").get("FusionAlgorithm")
    if fusion in WITHOUT_POSITION and not equipment.is_position_supplied:
        yield error(
            "no-navigation",
            f"{who} a position, which the estimation {fusion} does not work out; the board does "
            "not arm.",
            "Set RevoSettings.FusionAlgorithm to one with GPS, or choose other modes.",
        )
    hardware = values("HwSettings")
    is_off = hardware.get("OptionalModules.GPS") == "Disabled"
    if is_off and not has_gps_port(equipment.board, hardware):
        yield warning(
            "no-gps",
            f"{who} a GPS receiver, but no port is given to one and its module is off.",
            "Give a port to GPS on the Hardware page, or choose other modes.",
        )


def _autotune(where: str, values: ReadValues) -> Iterator[Finding]:
    if values("HwSettings").get("OptionalModules.AutoTune") == "Disabled":
        yield error(
            "autotune-module",
            f"{where} needs the AutoTune module, which is off; the board does not arm.",
            "Enable AutoTune in HwSettings.OptionalModules, or choose another mode.",
        )
    if _is_other_airframe(values):
        yield error(
            "autotune-airframe",
            f"{where} is for multirotors only; the board does not arm.",
            "Choose another mode.",
        )


def _assist_refused(
    position: Position, where: str, values: ReadValues, equipment: Equipment
) -> Iterator[Finding]:
    """Where GPS assistance keeps the board from arming, whatever the axes do."""
    if equipment.is_copter_control:
        why = "a CopterControl has no GPS"
    elif _is_other_airframe(values):
        why = "only multirotors can brake and hold"
    elif position.set_number or position.mode in _ASSISTABLE:
        return
    else:
        why = f"{position.mode} cannot be assisted"
    yield error(
        "assist-refused",
        f"{where} has {position.assist}, but {why}; the board does not arm.",
        f"Set FlightModeAssistMap of {position.title.lower()} to None.",
    )


def _assist(position: Position, where: str, setup: FlightModeSetup) -> Iterator[Finding]:
    axes = setup.sets.get(position.set_number, {})
    leaning = [axes[axis] for axis in ("Roll", "Pitch") if axis in axes]
    if leaning and not set(leaning) <= _LEVELLING:
        yield error(
            "assist-without-levelling",
            f"{where} has {position.assist}, which can only brake with roll and pitch in Attitude "
            "or Rattitude; the board does not arm.",
            f"Set roll and pitch of Stabilized{position.set_number} to Attitude.",
        )
    if setup.thrust_mode(position) in ("Manual", "CruiseControl"):
        yield info(
            "assist-manual-thrust",
            f"{where} holds its place with {position.assist}, but not its height: thrust is "
            f"{setup.thrust_mode(position)}.",
            f"Set thrust of Stabilized{position.set_number} to AltitudeVario to hold both.",
        )


def _sets(setup: FlightModeSetup, values: ReadValues, equipment: Equipment) -> Iterator[Finding]:
    is_multirotor = _is_multirotor(values)
    for number in setup.used_sets:
        axes = setup.sets[number]
        turning = {axis: mode for axis, mode in axes.items() if axis != "Thrust"}
        thrust, name = axes.get("Thrust", "Manual"), f"Stabilized{number}"
        bare = [axis for axis, mode in turning.items() if mode in ("Manual", "None")]
        if is_multirotor and bare:
            yield error(
                "manual-axis",
                f"{name} leaves {_list(bare)} of a multirotor without stabilization, and the board "
                "does not arm.",
                "Choose Attitude or Rate.",
            )
        misplaced = [axis for axis, mode in turning.items() if mode in _THRUST_ONLY]
        if misplaced:
            yield error(
                "thrust-mode-on-axis",
                f"{name} has {_list([turning[axis] for axis in misplaced])} on {_list(misplaced)}, "
                "which only thrust can do; the board does not arm.",
                "Choose Attitude or Rate there.",
            )
        if thrust not in _THRUST_MODES:
            yield error(
                "thrust-mode",
                f"{name} has {thrust} on thrust, which cannot fly; the board does not arm.",
                "Choose Manual, CruiseControl, AltitudeHold or AltitudeVario.",
            )
        if thrust in HEIGHT_MODES and equipment.has_barometer is False:
            yield _no_barometer(f"{name} (thrust {thrust})")
        if thrust == "CruiseControl" and "Acro+" in (turning.get("Roll"), turning.get("Pitch")):
            yield error(
                "cruise-with-acro",
                f"{name} has CruiseControl with Acro+, whose attitude it cannot trust; the board "
                "does not arm.",
                "Set thrust to Manual, or roll and pitch to Rate or Attitude.",
            )


def _no_barometer(where: str) -> Finding:
    return error(
        "no-barometer",
        f"{where} holds a height, but this board has no barometer to measure it.",
        "Choose Manual thrust.",
    )


def _switch(setup: FlightModeSetup, values: ReadValues) -> Iterator[Finding]:
    found = (
        check_mode_number(values, len(setup.positions)),
        check_channels(values, [FLIGHT_MODE]),
        check_thrust_range(values),
    )
    yield from (finding for finding in found if finding is not None)
    if setup.used and not any(can_arm_at(p, setup) for p in setup.used):
        yield error(
            "no-arming-position",
            "The aircraft can be armed in no position of the switch.",
            "Have one position with a stabilized mode, thrust Manual and no assistance.",
        )


def _list(words: list[str]) -> str:
    names = list(dict.fromkeys(words))
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
