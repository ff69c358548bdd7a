"""Flight mode set-up: the positions of the switch, whatever objects a release keeps them in."""

from collections.abc import Mapping
from dataclasses import dataclass

from telemetry.recording.sample import ReadValues, Values

AXES = ("Roll", "Pitch", "Yaw", "Thrust")
_KEEPERS = ("FlightModeSettings", "ManualControlSettings")
_MOST_SETS = 6


def keeper_of(field: str, values: ReadValues) -> str:
    """The object that has a field: FlightModeSettings, or in older releases and other families
    ManualControlSettings; the former where neither has it."""
    for name in _KEEPERS:
        kept = values(name)
        if field in kept or any(path.partition(".")[0] == field for path in kept):
            return name
    return _KEEPERS[0]


@dataclass(frozen=True, slots=True)
class Position:
    """One position of the switch, counted from 0. Empty texts: the release does not have it."""

    index: int
    mode: str
    assist: str = ""

    @property
    def title(self) -> str:
        """As people count."""
        return f"Position {self.index + 1}"

    @property
    def set_number(self) -> int:
        """Which set of axis modes it flies by, 0 for none."""
        tail = self.mode.removeprefix("Stabilized")
        return int(tail) if tail != self.mode and tail.isdigit() else 0

    @property
    def is_assisted(self) -> bool:
        """Whether GPS brakes and holds when the sticks are let go."""
        return self.assist not in ("", "None")


@dataclass(frozen=True, slots=True)
class FlightModeSetup:
    """All positions that the board keeps, how many of them the switch has, and the sets."""

    positions: tuple[Position, ...]
    count: int
    sets: Mapping[int, Mapping[str, str]]
    """Axis modes by axis, by number of the set."""

    @property
    def used(self) -> tuple[Position, ...]:
        """The positions that the switch can be in."""
        return self.positions[: self.count]

    @property
    def used_sets(self) -> tuple[int, ...]:
        """The sets that some position flies by, in order."""
        return tuple(sorted({p.set_number for p in self.used if p.set_number in self.sets}))

    def thrust_mode(self, position: Position) -> str:
        """What thrust does at a position; empty where the pilot does not set it by a set."""
        return self.sets.get(position.set_number, {}).get("Thrust", "")


def read_setup(values: ReadValues) -> FlightModeSetup:
    """Read the setup of any release; without positions where the aircraft has none."""
    kept = values(keeper_of("FlightModePosition", values))
    shared = values("StabilizationSettings")
    modes = [str(v) for p, v in kept.items() if p.partition(".")[0] == "FlightModePosition"]
    positions = tuple(
        Position(
            index,
            mode,
            str(shared.get(f"FlightModeAssistMap.{index}", "")),
        )
        for index, mode in enumerate(modes)
    )
    said = values("ManualControlSettings").get("FlightModeNumber", len(positions))
    count = min(max(int(said), 0), len(positions))
    sets = {number: _axis_modes(kept, number) for number in range(1, _MOST_SETS + 1)}
    return FlightModeSetup(positions, count, {number: s for number, s in sets.items() if s})


def _axis_modes(kept: Values, number: int) -> dict[str, str]:
    field = f"Stabilization{number}Settings"
    return {a: str(kept[f"{field}.{a}"]) for a in AXES if f"{field}.{a}" in kept}
