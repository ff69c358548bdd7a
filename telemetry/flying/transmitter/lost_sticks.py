"""Lost sticks: the table of what goes out in the place of a pilot's sticks that are lost.

Neutral roll, pitch and yaw go out at once, so that no stick stays aside until the board's failsafe
acts, 0.46 to 0.75 s after the last reading that it hears (pios_gcsrcvr.c, receiver.c). Arming
switch and flight mode stay as they are, and the throttle is never lowered in flight.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from telemetry.configuration.arming.by_sticks import values_of
from telemetry.configuration.arming.checklist import Read
from telemetry.configuration.flight_modes.modes import HEIGHT_MODES, Need, flight_mode
from telemetry.configuration.flight_modes.setup import read_setup
from telemetry.configuration.receiver.check import is_ground_vehicle
from telemetry.vehicle.sticks import Sticks

_MIDDLE: Final = 0.5


@dataclass(frozen=True, slots=True)
class LostSticksRow:
    """One row of the table: where the throttle goes, and for how long that and neutral sticks go
    out before nothing does, so that the board's failsafe acts.

    `on_firmware` is what LibrePilot *next* did with it, flown in the simulator's physics from the
    device's end on, with 0.15 s of its last sticks first.
    """

    name: str
    throttle: Literal["low", "kept", "middle"]
    for_s: float
    reason: str
    on_firmware: str

    @property
    def is_lasting(self) -> bool:
        """Whether it goes on until somebody ends it, or another row holds."""
        return math.isinf(self.for_s)

    def sticks(self, asked: Sticks, throttle: float) -> Sticks:
        """What goes out, where switches are as `asked` and the last throttle sent is `throttle`."""
        places = {"low": 0.0, "kept": throttle, "middle": _MIDDLE}
        return replace(asked, roll=0.0, pitch=0.0, yaw=0.0, throttle=places[self.throttle])


GROUND_VEHICLE: Final = LostSticksRow(
    "Ground vehicle",
    "middle",
    0.5,
    "Its throttle is two-sided: in the middle it stands.",
    "Not driven: read in receiver.c, whose failsafe has it stand as well.",
)
DISARMED: Final = LostSticksRow(
    "Disarmed", "low", 0.2, "Nothing turns, and nothing may arm it.", "Nothing turns."
)
ON_THE_GROUND: Final = LostSticksRow(
    "Armed on the ground",
    "low",
    math.inf,
    "The middle would spin the motors up, and so does a failsafe that goes to Land; one that goes "
    "to ReturnToBase takes off (receiver.c, manualcontrol.c). Low, it disarms after ArmedTimeout.",
    "Motors as before and disarmed after 30 s, 5 of 5; silence with ReturnToBase: 8 m up in 7 s, 5 "
    "of 5; the middle in AltitudeVario: 1.2 m up in 0.6 s.",
)
AUTO_TAKEOFF: Final = LostSticksRow(
    "AutoTakeoff",
    "kept",
    math.inf,
    "Climbs to its height and holds by itself. A throttle below 0.1 cuts the thrust at any height "
    "(vtolautotakeoffcontroller.cpp), as a failsafe does that leaves the mode as it is.",
    "At its height and held there, 15 of 15; silence without a position of the failsafe: fell from "
    "10 m, 2 of 2.",
)
GUIDED: Final = LostSticksRow(
    "Guided",
    "middle",
    math.inf,
    "It flies by itself; a stick that stays aside would move it.",
    "The mode stood for 15 to 30 s in 90 of 90; VelocityRoam, at 3.1 m/s, stood 3.5 m on.",
)
GUIDED_BY_THROTTLE: Final = LostSticksRow(
    "Guided, thrust by the stick",
    "kept",
    math.inf,
    "With VtolPathFollowerSettings.ThrustControl Manual the stick is the thrust, and the middle no "
    "hover (vtolflycontroller.cpp).",
    "Sank with 0.7 m/s, none crashed; with the middle 15 of 15 crashed within 5 s.",
)
ASSISTED: Final = LostSticksRow(
    "Level, GPS assist",
    "kept",
    math.inf,
    "Brakes and holds by itself, until the throttle moves by 4 % (manualcontrol.c).",
    "From 7 m/s held 13 to 14 m on, within 0.1 m of height for 20 s, 15 of 15; silence after 0.5 s "
    "without a position of the failsafe: 15 of 15 crashed.",
)
AUTO_CRUISE: Final = LostSticksRow(
    "AutoCruise",
    "kept",
    0.5,
    "The throttle is the speed: it would fly on and on (plans.c).",
    "Stopped at the failsafe, 12 to 13 m on, 5 of 5; with the middle 216 m in 30 s.",
)
HOLDS_HEIGHT: Final = LostSticksRow(
    "Level, holds height",
    "middle",
    1.0,
    "Levels itself, and the middle keeps the height.",
    "From 20 deg below a tenth after 0.68 s, and 0.03 to 0.14 m higher at the failsafe.",
)
LEVELS: Final = LostSticksRow(
    "Level",
    "kept",
    0.5,
    "Levels itself within that time; no throttle is known that hovers.",
    "From 20 deg below a tenth after 0.69 s, and 0.04 to 0.82 m lower at the failsafe.",
)
TURNS: Final = LostSticksRow(
    "Rates",
    "kept",
    0.1,
    "Neutral sticks end the turn and level nothing: the failsafe comes soon.",
    "60 deg/s became 9 after 0.1 s; 0.7 to 1.0 m lower at the failsafe. Silence at once: still 60 "
    "deg/s; 0.5 s: 1.2 to 2.3 m lower.",
)
WING_LEVELS: Final = LostSticksRow(
    "Aeroplane, level",
    "kept",
    0.5,
    "Levels itself, and another throttle would pitch it.",
    "From 20 deg of roll below a tenth after 1.17 s, by its own gains; 1.1 m lower.",
)
WING_TURNS: Final = LostSticksRow(
    "Aeroplane, rates",
    "kept",
    0.1,
    "Neutral sticks end the turn and level nothing.",
    "37 deg/s became 5 or less at the failsafe, with 20 to 29 deg of bank.",
)
ROWS: Final = (
    GROUND_VEHICLE,
    DISARMED,
    ON_THE_GROUND,
    AUTO_TAKEOFF,
    GUIDED,
    GUIDED_BY_THROTTLE,
    ASSISTED,
    AUTO_CRUISE,
    HOLDS_HEIGHT,
    LEVELS,
    TURNS,
    WING_LEVELS,
    WING_TURNS,
)

_ROWS_OF_MODES: Final = {row.name: row for row in (AUTO_TAKEOFF, AUTO_CRUISE)}
_STICK_MODES: Final = frozenset({"AutoTakeoff", "VelocityRoam", "VelocityControl"})
"""Modes that need a position, in which the throttle stick counts."""
_LEVELLING_AXES: Final = frozenset(
    {"Attitude", "AttitudePlus", "Rattitude", "Horizon", "AttitudeLQG"}
)
_LEVELLING_MODES: Final = frozenset({"Leveling", "Horizon", "LQGLeveling", "AutoTune", "Autotune"})


@dataclass(frozen=True, slots=True)
class LostSticksTable:
    """The rows of one aircraft: what its modes are follows from its settings.

    `modes` are the flight modes by position of the switch, `assisted` the positions at which GPS
    brakes and holds, `sets` the axis modes by set.
    """

    modes: tuple[str, ...] = ()
    assisted: frozenset[int] = frozenset()
    sets: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    is_fixed_wing: bool = False
    is_ground_vehicle: bool = False
    is_thrust_by_stick: bool = False

    def mode_at(self, position: int) -> str:
        """The flight mode of a position of the switch, "" where that is not known."""
        return self.modes[position] if 0 <= position < len(self.modes) else ""

    def row_at(self, position: int) -> LostSticksRow:
        """The row of a position of the switch."""
        row = self.row(self.mode_at(position))
        if position not in self.assisted or row not in (LEVELS, HOLDS_HEIGHT):
            return row
        return ASSISTED if row is LEVELS else GUIDED

    def is_throttle_thrust(self, mode: str) -> bool:
        """Whether a mode gives no thrust while the throttle is low. The other ones lift off from
        the ground whatever the throttle is (vtolflycontroller.cpp)."""
        if Need.POSITION not in flight_mode(mode).needs or self.is_thrust_by_stick:
            return True
        return mode in _STICK_MODES and not self.is_fixed_wing  # whose controllers read no stick

    def row(self, mode: str) -> LostSticksRow:
        """The row of a flight mode of an aircraft that flies, or drives. Of a mode that is not
        known, it is that of the shortest hold."""
        if self.is_ground_vehicle:
            return GROUND_VEHICLE
        if mode in _ROWS_OF_MODES:
            return _ROWS_OF_MODES[mode]
        if Need.POSITION in flight_mode(mode).needs:
            return GUIDED_BY_THROTTLE if self.is_thrust_by_stick else GUIDED
        levels, holds_height = self._levels(mode), self._holds_height(mode)
        if self.is_fixed_wing:
            return WING_LEVELS if levels else WING_TURNS
        if not levels:
            return TURNS
        return HOLDS_HEIGHT if holds_height else LEVELS

    def _levels(self, mode: str) -> bool:
        axes = self._axes(mode)
        if axes:
            return {axes.get("Roll"), axes.get("Pitch")} <= _LEVELLING_AXES
        return mode in _LEVELLING_MODES or mode in HEIGHT_MODES

    def _holds_height(self, mode: str) -> bool:
        return self._axes(mode).get("Thrust", mode) in HEIGHT_MODES

    def _axes(self, mode: str) -> Mapping[str, str]:
        tail = mode.removeprefix("Stabilized")
        return self.sets.get(int(tail), {}) if tail != mode and tail.isdigit() else {}


def read_lost_sticks(read: Read) -> LostSticksTable:
    """The table of an aircraft, by the settings that it has told."""
    values = values_of(read)
    setup = read_setup(values)
    is_fixed_wing = str(values("SystemSettings").get("AirframeType", "")).startswith("FixedWing")
    follower = values("VtolPathFollowerSettings")
    return LostSticksTable(
        tuple(position.mode for position in setup.used),
        frozenset(position.index for position in setup.used if position.is_assisted),
        setup.sets,
        is_fixed_wing=is_fixed_wing,
        is_ground_vehicle=is_ground_vehicle(values),
        is_thrust_by_stick=not is_fixed_wing and follower.get("ThrustControl") == "Manual",
    )
