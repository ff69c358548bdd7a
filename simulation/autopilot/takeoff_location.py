"""TakeOffLocation: where a return ends, and from where landing counts its height.

The rules are those of LibrePilot's takeofflocationhandler.c: it is where arming began, at the first
arming or, by TakeOffLocation.Mode, at each. A preset place stays, if it is valid at power-up.
"""

from simulation.autopilot.board import SimulatedBoard


class TakeoffLocation:
    """Sets the place; call `update` once per loop with FlightStatus.Armed."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._position = board["PositionState"]
        self._place = board["TakeOffLocation"]
        self._valid = self._place.number("Status", "Valid")
        self._invalid = self._place.number("Status", "Invalid")
        self._is_set = self._place.option("Mode") == "Preset" and self._is_valid()
        if not self._is_set:
            self._place.set(Status=self._invalid)
        self._armed = ""

    def update(self, armed: str) -> None:
        """Nothing happens but when arming begins or has ended."""
        if armed == self._armed:
            return
        self._armed = armed
        if armed == "Disarmed":
            if self._is_set and self._place.option("Mode") == "ArmingLocation":
                self._is_set = False
                self._place.set(Status=self._invalid)
        elif not (self._is_set and self._is_valid()):
            self._take_place()

    def _take_place(self) -> None:
        self._is_set = True
        if self._place.option("Mode") == "Preset" and self._is_valid():
            return
        north, east, down = self._position.vector()
        self._place.set(North=north, East=east, Down=down, Status=self._valid)

    def _is_valid(self) -> bool:
        return int(self._place.fields["Status"]) == self._valid
