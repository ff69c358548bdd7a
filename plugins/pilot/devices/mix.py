"""Trainer mix of two devices on one aircraft: an instructor's and a student's.

The instructor decides which controls the student has, and takes all of them over by moving a
stick or by a button. The Crazyflie client's input mux does so by its switch.
"""

from dataclasses import dataclass, replace
from typing import Final, Literal

from telemetry.flying.inputs.stick_controls import STICK_CONTROLS, StickControl
from telemetry.vehicle.sticks import Sticks

TAKES_OVER_AT: Final = 0.15
"""So far a stick of the instructor's moves, as a share of half its travel, to take over."""

Takeover = Literal["moving", "button"]


@dataclass(frozen=True, slots=True)
class MixSetup:
    """What the student has, and whether moving a stick takes over as a button does."""

    student_controls: frozenset[StickControl] = frozenset(STICK_CONTROLS)
    takeover: Takeover = "moving"


class Mix:
    """Who has the controls. The instructor, until he gives them."""

    def __init__(self, setup: MixSetup) -> None:
        self.setup = setup
        self.is_student_flying = False
        self._at_handover: Sticks | None = None

    def give(self) -> None:
        """The instructor hands the student's controls over."""
        self.is_student_flying, self._at_handover = True, None

    def take(self) -> None:
        """The instructor has all controls."""
        self.is_student_flying = False

    def step(self, instructor: Sticks, student: Sticks | None) -> Sticks:
        """The sticks that fly. A student whose device is gone has nothing any more."""
        if not self.is_student_flying:
            return instructor
        if self._at_handover is None:
            self._at_handover = instructor
        moved = self.setup.takeover == "moving" and _has_moved(self._at_handover, instructor)
        if student is None or moved:
            self.take()
            return instructor
        given = {name: getattr(student, name) for name in self.setup.student_controls}
        return replace(instructor, **given)


def _has_moved(before: Sticks, now: Sticks) -> bool:
    """Whether a stick has left the place it had when the controls were given."""
    moves = (
        now.roll - before.roll,
        now.pitch - before.pitch,
        now.yaw - before.yaw,
        2.0 * (now.throttle - before.throttle),
    )
    return max(map(abs, moves)) > TAKES_OVER_AT
