"""Sanity of the configuration: what SystemAlarms says before somebody tries to fly with it.

The rules are the firmware's (sanitycheck.c): no position of the flight mode switch may hold a mode
that this airframe or its estimation cannot fly, and the throttle needs a range. What it refuses a
CopterControl is not asked: this board is none.
"""

from typing import NamedTuple

from simulation.autopilot.board import ChangeFlag, SimulatedBoard
from simulation.autopilot.frame_class import FrameClass, frame_class

_WATCHED = ("FlightModeSettings", "ManualControlSettings", "SystemSettings")
"""Other settings count as well, but a change to them is not looked at before the next check."""
_NAVIGATING = frozenset(
    {
        "Complementary+Mag+GPSOutdoor",
        "GPS Navigation (INS13)",
        "GPS Navigation (INS13+CF)",
    }
)
_ASSISTABLE = frozenset({"PositionHold", "VelocityRoam", "Land", "AutoTakeoff"})
"""Modes that fly by themselves and may have GPS assistance."""
_UNASSISTED = frozenset(
    {
        *("PathPlanner", "CourseLock", "HomeLeash", "AbsolutePosition"),
        *("POI", "ReturnToBase", "AutoCruise"),
    }
)
"""Modes that fly by themselves and may not."""
_THRUST_MODES = frozenset({"Manual", "AltitudeHold", "AltitudeVario", "CruiseControl"})
_HEIGHT_MODES = frozenset({"AltitudeHold", "AltitudeVario"})
_LEVELLING = frozenset({"Attitude", "Rattitude"})
_LEAST_RANGE_US = 300
_POSITIONS = 6


class ConfigurationFault(NamedTuple):
    """What is wrong, as SystemAlarms.ExtendedAlarmStatus and its sub-status have it."""

    severity: str
    status: str
    detail: int = 0


class Sanity:
    """Judges the settings anew when some of them change, and when it is asked to."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._board = board
        self._modes = board["FlightModeSettings"]
        self._receiver = board["ManualControlSettings"]
        self._revo = board["RevoSettings"]
        self._assistance = board["StabilizationSettings"]
        self._system = board["SystemSettings"]
        self._position = board["PositionState"]
        self._fault: ConfigurationFault | None = None
        self._changed = ChangeFlag(*(board[name] for name in _WATCHED))

    def fault(self) -> ConfigurationFault | None:
        """The first thing that is wrong, None if nothing is."""
        if self._changed.take_down():
            self._fault = self._judge()
        return self._fault

    def judge_anew(self) -> None:
        """Have the settings looked at as they are now, as firmware does when it is to arm."""
        self._changed.raise_it()

    def _judge(self) -> ConfigurationFault | None:
        is_checked = self._modes.option("DisableSanityChecks") != "True"
        severity = "Critical" if is_checked else "Warning"
        positions = min(int(self._receiver.row["FlightModeNumber"]), _POSITIONS)
        for position in range(positions):
            if not self._can_fly(position):
                return ConfigurationFault(severity, "FlightMode", position)
        if not self._has_range():
            return ConfigurationFault(severity, "BadThrottleOrCollectiveInputRange")
        return None if is_checked else ConfigurationFault(severity, "None")

    def _can_fly(self, position: int) -> bool:
        mode = self._modes.option("FlightModePosition", position)
        is_multirotor = frame_class(self._board) is FrameClass.MULTIROTOR
        is_assisted = self._assistance.option("FlightModeAssistMap", position) != "None"
        navigates = self._revo.option("FusionAlgorithm") in _NAVIGATING
        navigates = navigates or self._position.is_supplied
        if is_assisted and not (is_multirotor and navigates):
            return False
        if mode == "Manual":
            return not (is_multirotor or is_assisted)
        if mode.startswith("Stabilized"):
            return self._can_stabilize(mode, is_multirotor, is_assisted)
        if mode == "AutoTune":
            return is_multirotor and not is_assisted
        return navigates and (mode in _ASSISTABLE or (mode in _UNASSISTED and not is_assisted))

    def _can_stabilize(self, mode: str, is_multirotor: bool, is_assisted: bool) -> bool:
        field = f"Stabilization{mode[-1]}Settings"
        *axes, thrust = (self._modes.option(field, i) for i in range(4))
        if is_multirotor and "Manual" in axes:
            return False
        if is_assisted and not set(axes[:2]) <= _LEVELLING:
            return False
        if thrust not in _THRUST_MODES or _HEIGHT_MODES.intersection(axes):
            return False
        return not (thrust == "CruiseControl" and "Acro+" in axes[:2])

    def _has_range(self) -> bool:
        control = self._system.option("ThrustControl")
        if control == "None":
            return True
        i = self._receiver.definition.field_named("ChannelMin").element_index(control)
        row = self._receiver.row
        return abs(int(row["ChannelMax"][i]) - int(row["ChannelMin"][i])) > _LEAST_RANGE_US
