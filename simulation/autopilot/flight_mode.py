"""Flight mode: FlightStatus.FlightMode and what goes with it, from the mode switch's position.

The rules are those of LibrePilot's manualcontrol.c.
"""

from typing import Final, NamedTuple

from simulation.autopilot.arming import HAND_FLOWN
from simulation.autopilot.board import SimulatedBoard

_HEIGHT_MODES: Final = frozenset({"AltitudeHold", "AltitudeVario"})
_THRUST: Final = 3
_ALWAYS_THRESHOLD: Final = 0.05
_NO_ASSIST: Final = "None"
_OWN_THRUST: Final = "GPSAssist_PrimaryThrust"
_AUTOMATIC_THRUST: Final = "GPSAssist"
_ASSISTED: Final = {
    "PositionHold": _OWN_THRUST,
    "Land": _AUTOMATIC_THRUST,
    "AutoTakeoff": _AUTOMATIC_THRUST,
}
"""What GPS assistance means in modes that fly by themselves; others have none."""


class ModeStatus(NamedTuple):
    """What FlightStatus says of the mode, as options."""

    mode: str = "Manual"
    assist: str = _NO_ASSIST
    is_always_stabilized: bool = False

    @property
    def is_hand_flown(self) -> bool:
        """Whether sticks set attitude or rates, rather than the path follower."""
        return self.mode in HAND_FLOWN

    @property
    def control_chain(self) -> tuple[int, int, int]:
        """Whether Stabilization, PathFollower and PathPlanner are in charge."""
        if self.mode == "Manual":
            return 0, 0, 0
        follows = int(not self.is_hand_flown)
        return 1, follows, int(self.mode == "PathPlanner")


class FlightModeSelector:
    """Follows the mode switch."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._settings = board["FlightModeSettings"]
        self._assistance = board["StabilizationSettings"]
        self._command = board["ManualControlCommand"]
        self._accessory = board["AccessoryDesired"]
        self._known = frozenset(board["FlightStatus"].definition.field_named("FlightMode").options)
        self._last_position = 0
        self._asked: tuple[int, bool] | None = None
        self.status = ModeStatus()
        for entry in (self._settings, self._assistance):
            entry.subscribe(self._take_settings)
        self._take_settings()

    def update(self, position: int, is_disarmed: bool) -> ModeStatus:
        """The mode at a position of the switch. A change to AutoTakeoff is ignored unless it is
        disarmed: the mode and the position before it stay."""
        asked = position, is_disarmed
        if asked == self._asked and self._switch is None:
            return self.status  # asked again, which changes nothing
        self._asked = asked
        mode = self.status.mode
        if position < len(self._positions) and self._positions[position] in self._known:
            mode = self._positions[position]
        if mode == "AutoTakeoff" and not is_disarmed:
            mode, position = self.status.mode, self._last_position
        status = (mode, self._assist(mode, position), self._is_always_stabilized())
        if status != self.status:
            self.status = ModeStatus(*status)
            self._last_position = position
        return self.status

    def _take_settings(self) -> None:
        self._asked = None
        settings, assistance = self._settings, self._assistance
        positions = settings.definition.field_named("FlightModePosition").elements
        self._positions = [settings.option("FlightModePosition", i) for i in range(positions)]
        maps = assistance.definition.field_named("FlightModeAssistMap").elements
        self._is_assisted = [
            assistance.option("FlightModeAssistMap", i) != _NO_ASSIST for i in range(maps)
        ]
        self._thrusts = {
            f"Stabilized{i}": settings.option(f"Stabilization{i}Settings", _THRUST)
            for i in range(1, 7)
        }
        name, _, number = settings.option("AlwaysStabilizeWhenArmedSwitch").partition(" ")
        self._switch = int(number) if name == "Accessory" else None
        self._least = float(settings.fields["AlwaysStabilizeWhenArmedThrottleThreshold"])

    def _assist(self, mode: str, position: int) -> str:
        if mode == "VelocityRoam":
            return _OWN_THRUST
        if position >= len(self._is_assisted) or not self._is_assisted[position]:
            return _NO_ASSIST
        thrust = self._thrusts.get(mode)
        if thrust is not None:
            return _OWN_THRUST if thrust in _HEIGHT_MODES else _AUTOMATIC_THRUST
        return _ASSISTED.get(mode, _NO_ASSIST)

    def _is_always_stabilized(self) -> bool:
        """Switched on with the throttle raised, and off at any time."""
        if self._switch is None or self._switch >= len(self._accessory.rows):
            return False
        value = self._accessory.values(self._switch)[0]
        if value <= -_ALWAYS_THRESHOLD:
            return False
        is_raised = float(self._command.fields["Throttle"]) >= self._least
        return self.status.is_always_stabilized or (value >= _ALWAYS_THRESHOLD and is_raised)
