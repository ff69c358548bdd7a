"""Simulated world: where a simulated flight takes place."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from telemetry.base.installation import RESOURCES

_SHIPPED: Final = RESOURCES / "worlds"


@dataclass(frozen=True, slots=True)
class SimulatedWorld:
    """`name` is what the simulator opens it by: a name, or the path of a folder, with start place
    and values behind it. `seed` chooses what it leaves to chance. `span_m` is how wide the aircraft
    is that flies there, 0 where nobody says; worlds are the same whatever flies in them."""

    name: str
    seed: int = 1
    span_m: float = field(default=0.0, compare=False)


def split_world(name: str) -> tuple[str, str]:
    """What is before and behind the colon of `NAME:start=hall,width_m=3`: a name or path, and
    options, "" if there are none."""
    where, colon, options = name.rpartition(":")
    return (where, options) if colon and "=" in options else (name, "")


def is_at_path(name: str) -> bool:
    """Whether a world is somebody's own, and named by its place."""
    where, _ = split_world(name)
    return "/" in where or "\\" in where


def located_world(name: str) -> str:
    """The same world, found from other folders too if it is one of the user's."""
    where, options = split_world(name)
    is_own = is_at_path(name) or (_is_there(where) and not _is_there(_SHIPPED / where))
    where = str(Path(where).absolute()) if is_own else where
    return f"{where}:{options}" if options else where


def _is_there(path: str | Path) -> bool:
    try:
        return Path(path).exists()
    except OSError:  # such as a name that is too long to be one
        return False
