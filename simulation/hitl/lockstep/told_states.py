"""Told states: what a board says of its mind, where measures and figures look for it in OUTPUT.

As fresh as its telemetry is.
"""

from collections.abc import Mapping
from typing import Any, Final

from simulation.autopilot.board import BoardObject, SimulatedBoard

_FIELDS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "AttitudeState": {
        "quaternion": ("q1", "q2", "q3", "q4"),
        "attitude_deg": ("Roll", "Pitch", "Yaw"),
    },
    "PositionState": {"position": ("North", "East", "Down")},
    "VelocityState": {"velocity": ("North", "East", "Down")},
    "StabilizationDesired": {"attitude_desired": ("Roll", "Pitch", "Yaw")},
    "VelocityDesired": {"velocity_desired": ("North", "East", "Down")},
    "RateDesired": {"rate_desired": ("Roll", "Pitch", "Yaw")},
    "ActuatorDesired": {"actuator_desired": ("Roll", "Pitch", "Yaw", "Thrust")},
}
"""The members of OUTPUT and the fields that fill them, by object."""
_SAYS_VALID: Final[Mapping[str, str]] = {
    "AttitudeState": "attitude_valid",
    "PositionState": "position_valid",
}


class ToldStates:
    """Knows which objects of a board tell of them."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._known = {
            board[name].definition.object_id: (_SAYS_VALID.get(name), members)
            for name, members in _FIELDS.items()
        }

    def tell(self, entry: BoardObject, output: Any) -> None:
        """Copy what an object has just said, if it says something of it."""
        known = self._known.get(entry.definition.object_id)
        if known is None:
            return
        valid, members = known
        fields = entry.fields
        for member, names in members.items():
            output[member] = [float(fields[name]) for name in names]
        if valid is not None:
            output[valid] = 1
