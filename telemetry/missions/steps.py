"""Mission steps: what an aircraft does before its plan's waypoints and after them.

None of them is a waypoint of the plan. `flown_plan.py` says by which waypoints a board flies an
ending by itself; taking off it cannot: in a plan AutoTakeoff gets no thrust on a multirotor
(vtolautotakeofffsm.cpp), and PathPlanner takes over in the air only.
"""

from dataclasses import dataclass
from typing import ClassVar, Final

_STAYS_ARMED: Final = (
    "Firmware with landings in plans does this without the link, too. Its motors are off then, but "
    "it stays armed until somebody disarms it, which with a link the station does."
)
"""setup_disarmed of vtollandfsm.cpp does not disarm while the path planner is in the chain."""


@dataclass(frozen=True, slots=True)
class TakeOffStep:
    """Arm, climb by itself to `height_m` above home, then begin with the first waypoint."""

    title: ClassVar[str] = "Take off"
    needs_link: ClassVar[bool] = True
    """Whether only the station can have it flown."""
    without_link: ClassVar[str] = (
        "Without the link the aircraft stays on the ground. If the link is lost while it climbs, "
        "what is set as its failsafe decides what it does."
    )
    """What the board does without it, as a sentence."""

    height_m: float = 10.0


@dataclass(frozen=True, slots=True)
class ReturnStep:
    """Fly home, at least `height_m` above it, and land there."""

    title: ClassVar[str] = "Return and land"
    needs_link: ClassVar[bool] = False
    without_link: ClassVar[str] = _STAYS_ARMED

    height_m: float = 20.0


@dataclass(frozen=True, slots=True)
class LandStep:
    """Come down where the last waypoint ended."""

    title: ClassVar[str] = "Land"
    needs_link: ClassVar[bool] = False
    without_link: ClassVar[str] = _STAYS_ARMED


EndingStep = ReturnStep | LandStep
LANDS_BY_STATION: Final = (
    "This firmware knows no landing in plans: without the link it stays in the air where it should "
    "land."
)
"""What is to be said of an ending where the board cannot land by a plan."""
