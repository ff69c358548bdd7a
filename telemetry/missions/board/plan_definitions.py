"""Plan definitions of a board's release: what it calls the modes, and what it cannot do.

LibrePilot and OpenPilot from 14.01 have Waypoint, PathAction and PathPlan; Tau Labs and dRonin have
the mode in Waypoint, and neither conditions nor jumps (flight/Modules/PathPlanner/pathplanner.c
there); OpenPilot before 14.01 has no PathPlan, so that a board cannot be told how long a plan is.
"""

from dataclasses import dataclass
from typing import Final

from telemetry.protocol.objects.definition import ObjectDefinition

INVALID: Final = "Invalid"
"""The mode of Tau Labs and dRonin at which a plan ends."""
_NEW_SIGN: Final = "LibrePilot-next"
"""Since LP-601 (2018-10) AboveAltitude counts metres upwards, before downwards, under one id."""
_OTHER_NAMES: Final = {
    "GoToEndpoint": ("FlyEndpoint", "Endpoint"),
    "FollowVector": ("FlyVector", "Vector"),
    "CircleRight": ("FlyCircleRight",),
    "CircleLeft": ("FlyCircleLeft",),
}
_OUR_NAMES: Final = {
    **{other: ours for ours, others in _OTHER_NAMES.items() for other in others},
    "DriveEndpoint": "GoToEndpoint",
    "DriveVector": "FollowVector",
    "DriveCircleLeft": "CircleLeft",
    "DriveCircleRight": "CircleRight",
}


class MissionBoardError(ValueError):
    """One sentence for the user, with the remedy."""


class OtherBoardError(MissionBoardError):
    """After the link was gone another board answers, which gets nothing."""


@dataclass(frozen=True, slots=True)
class PlanDefinitions:
    """A board's versions of the objects of a plan; `action` and `plan` are None where it has
    none. `release` is its release's name, empty while that is not known."""

    waypoint: ObjectDefinition
    action: ObjectDefinition | None = None
    plan: ObjectDefinition | None = None
    release: str = ""

    @property
    def has_actions(self) -> bool:
        """Whether it is of the OpenPilot kind; raise MissionBoardError if it is of none."""
        if self.waypoint.has_field("Mode"):
            return False
        if self.action is None or self.plan is None or not self.waypoint.has_field("Action"):
            raise MissionBoardError(
                "This firmware cannot be told how many waypoints a plan has. "
                "Use OpenPilot 14.01 or newer, LibrePilot, Tau Labs or dRonin."
            )
        return True

    @property
    def counts_altitude_up(self) -> bool | None:
        """Whether AboveAltitude takes metres above home; None if that is not known."""
        return self.release.startswith(_NEW_SIGN) if self.release else None

    @property
    def lands(self) -> bool:
        """Whether a plan can land; those of OpenPilot up to 15.02 cannot."""
        definition = self.action if self.has_actions else self.waypoint
        assert definition is not None
        return "Land" in definition.field_named("Mode").options

    def mode_on_board(self, mode: str) -> str:
        """The board's word for a mode; raise MissionBoardError if it has none."""
        definition = self.action if self.has_actions else self.waypoint
        assert definition is not None
        options = definition.field_named("Mode").options
        for name in (mode, *_OTHER_NAMES.get(mode, ())):
            if name in options:
                return name
        raise MissionBoardError(
            f"This firmware does not know the mode {mode}. It knows: {', '.join(options)}."
        )

    @staticmethod
    def mode_of_ours(word: str) -> str:
        """Our word for a mode of the board."""
        return _OUR_NAMES.get(word, word)
