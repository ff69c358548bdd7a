"""Preferences of the user, kept between starts."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from telemetry.base import safe_files

VERSION = 2
_LINK_LOSS_OF_VERSION_1_S = 8.0
AUTOMATIC = "automatic"
REMEMBERED_LIMIT = 12
SCALE_RANGE = (0.8, 2.0)
LINK_LOSS_RANGE_S = (1.0, 60.0)


def _forget_usual_link_loss(value: dict[str, Any]) -> dict[str, Any]:
    """The file holds what nobody has chosen, too: what was usual then gives way to what is now."""
    if value.get("link_loss_s") == _LINK_LOSS_OF_VERSION_1_S:
        return {name: kept for name, kept in value.items() if name != "link_loss_s"}
    return value


MIGRATIONS: tuple[safe_files.Migration, ...] = (_forget_usual_link_loss,)


@dataclass(frozen=True, slots=True)
class Preferences:
    """All preferences. `connect_at_start` is an address, "" for none, or "automatic" for the
    first simulator that is found. `scale` enlarges the whole interface.
    """

    theme: str = "system"
    scale: float = 1.0
    link_loss_s: float = 5.0
    recording_folder: str = ""
    connect_at_start: str = AUTOMATIC
    remembered: tuple[str, ...] = ()
    recent_logs: tuple[str, ...] = ()
    workspace: str = "fly"
    window: str = ""
    units: str = "metric"

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "Preferences":
        """Take over what fits; anything of a wrong type or out of range keeps its default."""
        default = cls()
        taken: dict[str, Any] = {}
        for entry in fields(cls):
            if (fitted := _fit(value.get(entry.name), getattr(default, entry.name))) is not None:
                taken[entry.name] = fitted
        chosen = replace(default, **taken)
        return replace(
            chosen,
            scale=min(max(chosen.scale, SCALE_RANGE[0]), SCALE_RANGE[1]),
            link_loss_s=min(max(chosen.link_loss_s, LINK_LOSS_RANGE_S[0]), LINK_LOSS_RANGE_S[1]),
        )


class PreferenceStore:
    """The present preferences and their file, which several windows have. `change` saves at once.

    A window goes on with what it has shown itself; in the file, each keeps what it has not changed.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        stored = safe_files.load(path, MIGRATIONS)
        self.problem = stored.problem
        self.current = Preferences.from_json(stored.value or {})

    def change(self, **changes: Any) -> str:
        """Take over changes and save them. Returns a sentence if something was wrong, else ""."""
        return self._change(lambda _kept: changes)

    def remember(self, address: str) -> str:
        """Put an address first in the list of remembered connections."""
        return self._change(lambda kept: {"remembered": _first(address, kept.remembered)})

    def remember_log(self, path: str) -> str:
        """Put a file first in the list of recent logs."""
        return self._change(lambda kept: {"recent_logs": _first(path, kept.recent_logs)})

    def _change(self, changes_of: Callable[[Preferences], dict[str, Any]]) -> str:
        changes = changes_of(self.current)

        def new(value: dict[str, Any]) -> dict[str, Any]:
            nonlocal changes
            kept = Preferences.from_json(value) if value else self.current
            changes = changes_of(kept)
            return {**value, **asdict(kept), **changes}

        try:
            problem = safe_files.change(self._path, new, VERSION, MIGRATIONS)
        except OSError as error:
            problem = f"The preferences could not be saved: {error.strerror or error}."
        self.current = replace(self.current, **changes)
        return problem


def _first(entry: str, others: tuple[str, ...]) -> tuple[str, ...]:
    return (entry, *(other for other in others if other != entry))[:REMEMBERED_LIMIT]


def _fit(value: Any, default: Any) -> Any:
    """Return `value` in the type of `default`, or None when it does not fit."""
    if isinstance(default, tuple):
        if isinstance(value, list | tuple) and all(isinstance(entry, str) for entry in value):
            return tuple(value)
        return None
    if isinstance(default, float):
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return float(value) if is_number else None
    return value if isinstance(value, type(default)) else None
