"""Landing and take-off states as LibrePilot tells them: StatusVtolLand, StatusVtolAutoTakeoff.

Each is written when the state changes and not before: on the wire waiting looks like nothing, and
the last state stays after the mode was left (setState and Inactive of vtollandfsm.cpp and
vtolautotakeofffsm.cpp).
"""

from typing import Any, Final

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.path_geometry import NOWHERE, Vector

_LOW_M: Final = 5.0


class FlightStates:
    """What both state machines have in common: `state` is an option of the object that tells it,
    and it is known since when it is. `is_low` is judged when the state changes and not in between:
    runAlways of both files declares assessAltitude without calling it. `thrust` is 0 to 1."""

    def __init__(self, board: SimulatedBoard, name: str) -> None:
        self._position = board["PositionState"]
        self._velocity = board["VelocityState"]
        self._desired = board["StabilizationDesired"]
        self._flight = board["FlightStatus"]
        self._path = board["PathDesired"]
        self._settings = board["FlightModeSettings"]
        self._takeoff = board["TakeOffLocation"]
        self._status = board[name]
        self.state = "Inactive"
        self.is_low = True
        self.thrust = 0.0
        self.place: Vector = NOWHERE
        self._is_own_place = False
        self._since_us = 0
        self._forget()

    @property
    def asks_to_disarm(self) -> bool:
        """Whether the alarm Guidance is Critical."""
        return self.state == "Disarmed" and not self._is_planned()

    def leave(self) -> None:
        """Something else is flown, or this anew; nobody is told."""
        self.state = "Inactive"
        self.is_low = self.height_m <= _LOW_M
        self._forget()

    def elapsed_us(self, now_us: int) -> int:
        """For how long it has been in its state."""
        return now_us - self._since_us

    def go(self, now_us: int, state: str, reason: str = "None", **also: Any) -> None:
        """Change the state, and say so; `reason` is why the one before ended, `also` further
        fields."""
        status, height_m = self._status, self.height_m
        self._reasons[status.number("State", self.state)] = status.number("StateExitReason", reason)
        if state == self.state:
            return
        if state != "Inactive":
            self.is_low = height_m <= _LOW_M
            self._heights[status.number("State", state)] = height_m
        self.state = state
        self._since_us = now_us
        status.set(
            State=status.number("State", state),
            AltitudeState=status.number("AltitudeState", "Low" if self.is_low else "High"),
            StateExitReason=self._reasons,
            AltitudeAtState=self._heights,
            **also,
        )

    @property
    def height_m(self) -> float:
        """Above where it took off, as far as that is known."""
        takeoff = self._takeoff
        is_known = takeoff.option("Status") == "Valid"
        ground = float(takeoff.fields["Down"]) if is_known else 0.0
        return ground - self._position.vector()[2]

    def _is_planned(self) -> bool:
        return self._flight.option("FlightMode") == "PathPlanner"

    def _forget(self) -> None:
        row = self._status.row
        self._reasons = row["StateExitReason"] * 0
        self._heights = row["AltitudeAtState"] * 0
