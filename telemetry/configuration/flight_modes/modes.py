"""Flight modes of every release: what each does, and what it needs to work.

Keys are the options of FlightModePosition on the wire; a test checks that none is missing.
"""

from dataclasses import dataclass
from enum import Enum


class Need(Enum):
    """What a mode cannot do without."""

    POSITION = "a position estimate, which takes a GPS receiver"
    HEIGHT = "a height estimate, which takes a barometer"
    PLAN = "a flight plan on board"
    AUTOTUNE = "the autotune module"


@dataclass(frozen=True, slots=True)
class FlightMode:
    """One mode: what it does, what it needs, and whether the pilot's sticks set the attitude."""

    does: str
    needs: frozenset[Need] = frozenset()
    is_hand_flown: bool = False
    is_armable: bool = False
    """Whether firmware arms in it."""


def flight_mode(name: str) -> FlightMode:
    """The facts of a mode; of an unknown one nothing is claimed."""
    return FLIGHT_MODES.get(name) or FlightMode("A mode that this station has no words for.")


def _hand(does: str) -> FlightMode:
    return FlightMode(does, is_hand_flown=True, is_armable=True)


def _guided(does: str, *more: Need, is_armable: bool = False) -> FlightMode:
    return FlightMode(does, frozenset({Need.POSITION, *more}), is_armable=is_armable)


_STABILIZED = _hand("Flown by hand, as the set below says for each axis.")
_HEIGHT = FlightMode("Levels itself and holds the height.", frozenset({Need.HEIGHT}))
_TUNE = FlightMode("Shakes the aircraft to measure gains.", frozenset({Need.AUTOTUNE}))
_HOME = _guided("Climbs, flies home and holds there or lands.")
_ROAM = _guided("Sticks set a speed over ground; let go, it brakes and holds.")

FLIGHT_MODES: dict[str, FlightMode] = {
    "Manual": _hand("Sticks go straight to the outputs; nothing is stabilized."),
    **{f"Stabilized{number}": _STABILIZED for number in range(1, 7)},
    "PositionHold": _guided("Holds place and height."),
    "VelocityControl": _ROAM,
    "VelocityRoam": _ROAM,
    "PositionRoam": _ROAM,
    "PositionVarioFPV": _guided("Sticks move the held place, as seen from the aircraft."),
    "PositionVarioLOS": _guided("Sticks move the held place, as seen from where it armed."),
    "PositionVarioNSEW": _guided("Sticks move the held place north, south, east and west."),
    "CourseLock": _guided("Sticks move it along the course it had when the mode was chosen."),
    "HomeLeash": _guided("Sticks move it nearer to home, farther, or around it."),
    "AbsolutePosition": _guided("Sticks move it north, south, east and west."),
    "ReturnToBase": _guided("Flies home, straight to its height there, and holds there or lands."),
    "ReturnToHome": _HOME,
    "Land": _guided("Comes down where it is, and disarms; an aeroplane glides on, armed."),
    "PathPlanner": _guided("Flies the plan on board.", Need.PLAN, is_armable=True),
    "POI": _guided("Holds place and height."),
    "AutoCruise": _guided("Flies on in the direction it had when the mode was chosen."),
    "AutoTakeoff": _guided(
        "Takes off by itself once armed and throttle is raised.", is_armable=True
    ),
    "TabletControl": _guided("Flies where a tablet says."),
    "AltitudeHold": _HEIGHT,
    "AltitudeVario": FlightMode(
        "Levels itself; the throttle stick sets a climb rate.", frozenset({Need.HEIGHT})
    ),
    "AutoTune": _TUNE,
    "Autotune": _TUNE,
    "Acro": _hand("Sticks set how fast it turns; it does not level itself."),
    "AcroPlus": _hand("Acro with more direct ends of the sticks."),
    "Acrodyne": _hand("Acro whose feel changes with the stick's place."),
    "MWRate": _hand("Sticks set how fast it turns, with the feel of MultiWii."),
    "Leveling": _hand("Levels itself when the sticks are let go."),
    "Horizon": _hand("Levels itself near the middle of the stick, turns freely at its ends."),
    "AxisLock": _hand("Sticks set how fast it turns; let go, it keeps the angle."),
    "VirtualBar": _hand("Flies like a helicopter with a flybar."),
    "LQG": _hand("Sticks set how fast it turns, by the controller of its own measured model."),
    "LQGLeveling": _hand("Levels itself, by the controller of its own measured model."),
    "FlipReversed": _hand("Turns motors backwards to get off its back."),
    "Failsafe": FlightMode("What the aircraft does by itself when the receiver is lost."),
}

HEIGHT_MODES = frozenset({"AltitudeHold", "AltitudeVario"})
"""The axis modes that set thrust by themselves."""
AXIS_MODES: dict[str, str] = {
    "Manual": "The stick goes straight through.",
    "None": "The stick goes straight through.",
    "Disabled": "Off.",
    "Rate": "The stick sets how fast it turns.",
    "MWRate": "The stick sets how fast it turns, with the feel of MultiWii.",
    "RateTrainer": "Rate, but it does not go beyond the angle of the bank.",
    "Attitude": "The stick sets the angle; let go, it levels itself.",
    "AttitudePlus": "Attitude that eases into Rate.",
    "AxisLock": "Rate; let go, it keeps the angle.",
    "WeakLeveling": "Rate with a gentle pull to level.",
    "VirtualBar": "Like a helicopter with a flybar.",
    "Acro+": "Rate with more direct ends of the stick.",
    "AcroPlus": "Rate with more direct ends of the stick.",
    "Acrodyne": "Rate whose feel changes with the stick's place.",
    "Rattitude": "Attitude in the middle of the stick, Rate at its ends.",
    "Horizon": "Attitude in the middle of the stick, Rate at its ends.",
    "AltitudeHold": "Holds the height; the stick away from its middle climbs or sinks.",
    "AltitudeVario": "The stick sets a climb rate; in its middle it holds the height.",
    "CruiseControl": "The stick, raised in banked flight so that height is kept.",
    "SystemIdent": "Used while autotune measures.",
    "SystemIdentRate": "Used while autotune measures.",
    "RelayRate": "Used while autotune measures.",
    "RelayAttitude": "Used while autotune measures.",
    "POI": "Points at a point of interest.",
    "CoordinatedFlight": "Keeps a turn coordinated.",
    "Failsafe": "What it does by itself when the receiver is lost.",
    "LQG": "Rate, by the controller of its own measured model.",
    "AttitudeLQG": "Attitude, by the controller of its own measured model.",
}
"""What the options of Stabilization1Settings and the like mean."""
