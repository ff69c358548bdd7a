"""Follow behaviour: another aircraft is followed at an offset that the pilot has set."""

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from telemetry.flying.behaviours.pose import PilotPose
from telemetry.flying.behaviours.steering import Course, towards
from telemetry.missions.guided_actions import FARTHEST_M, LOWEST_M, why_not_height

NEAREST_M: Final = 5.0
"""Each of two GPS receivers is off by more than 2.5 m half of the time (u-blox M8, NEO-6: CEP)."""
MOST_OFFSET_M: Final = 200.0
_SIDES: Final = (("north", "south"), ("east", "west"))
_OWN_SIDES: Final = (("ahead", "behind"), ("to its right", "to its left"))


@dataclass(frozen=True, slots=True)
class FollowOffset:
    """Where to be from an aircraft, in metres: north, east and up, or where it `turns`, ahead of
    its nose, to its right and up."""

    turns: bool = False
    ahead_m: float = -10.0
    right_m: float = 0.0
    up_m: float = 3.0

    @property
    def words(self) -> str:
        """In a sentence: "10 m south of it and 3 m above"."""
        sides = _OWN_SIDES if self.turns else _SIDES
        of_it = "" if self.turns else " of it"
        parts = [
            f"{abs(value):.0f} m {names[value < 0.0]}{of_it}"
            for value, names in zip((self.ahead_m, self.right_m), sides, strict=True)
            if round(value)
        ]
        if round(self.up_m):
            parts.append(f"{abs(self.up_m):.0f} m {'below' if self.up_m < 0.0 else 'above'}")
        return " and ".join(parts)

    def why_not(self) -> str | None:
        """Why nobody should fly there, or None."""
        away_m = math.hypot(self.ahead_m, self.right_m, self.up_m)
        if not away_m >= NEAREST_M:
            return (
                f"{away_m:.1f} m from the other aircraft is too near: GPS knows both places to a "
                f"few metres. Stay {NEAREST_M:.0f} m away."
            )
        return None

    def place_of(self, other: PilotPose) -> tuple[float, float, float]:
        """North, east and up from the other aircraft, in metres."""
        if not self.turns:
            return self.ahead_m, self.right_m, self.up_m
        angle = math.radians(other.yaw_deg)
        north, east = math.cos(angle), math.sin(angle)
        return (
            self.ahead_m * north - self.right_m * east,
            self.ahead_m * east + self.right_m * north,
            self.up_m,
        )

    def state(self) -> dict[str, Any]:
        """For a workspace."""
        return asdict(self)


def read_offset(state: object) -> FollowOffset:
    """What `state` returned; the usual offset for anything else."""
    if not isinstance(state, Mapping):
        return FollowOffset()
    usual = FollowOffset()
    found = {one.name: state.get(one.name, getattr(usual, one.name)) for one in fields(usual)}
    numbers = [value for name, value in found.items() if name != "turns"]
    is_good = all(
        isinstance(value, int | float) and abs(value) <= MOST_OFFSET_M for value in numbers
    )
    return FollowOffset(**found) if is_good and isinstance(found["turns"], bool) else usual


def why_not_follow(offset: FollowOffset, own: PilotPose | None, other: PilotPose | None) -> str:
    """Why the other aircraft cannot be followed from here and now; "" if it can."""
    if refusal := offset.why_not():
        return refusal
    place = other.place if other is not None else None
    there = own.offset_to(place) if own is not None and place is not None else None
    if own is None or other is None or there is None:
        return "One of the two does not say where it is, or where its home is. Wait for GPS."
    away_m = math.dist(there, (own.north_m, own.east_m))
    if away_m > FARTHEST_M:
        return f"The other aircraft is {away_m / 1000.0:.1f} km away. Fly nearer to it first."
    return why_not_height(other.height_m + offset.up_m) or ""


class Follow:
    """Stays at an offset from another aircraft, and never lower than guided flight goes.

    `other` tells where that is; while it does not, this one stays where it was sent last. Either
    one's height is above its own home.
    """

    name = "follow"

    def __init__(
        self,
        other: Callable[[], PilotPose | None],
        offset: FollowOffset,
        speed_mps: float,
    ) -> None:
        self._other = other
        self._offset = offset
        self._speed_mps = speed_mps
        self._last: tuple[float, float, float] | None = None

    def course(self, pose: PilotPose) -> Course | None:
        other = self._other()
        velocity = (0.0, 0.0)
        place = other.place if other is not None else None
        there = pose.offset_to(place) if place is not None else None
        if other is not None and there is not None:
            north, east, up = self._offset.place_of(other)
            height_m = max(other.height_m + up, LOWEST_M)
            self._last = there[0] + north, there[1] + east, height_m
            velocity = other.north_mps, other.east_mps
        if self._last is None:
            return None
        wanted = towards(pose, self._last[0], self._last[1], self._speed_mps)
        return Course(wanted[0] + velocity[0], wanted[1] + velocity[1], self._last[2])
