"""Settings edit: one object's change on its way to the aircraft; no link, no clock."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of one object instance: the values before and after, by field or element."""

    name: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    instance: int = 0

    @property
    def address(self) -> tuple[str, int]:
        """The object and its instance."""
        return self.name, self.instance

    def only(self, paths: Iterable[str]) -> "Edit":
        """The part of this edit that concerns some paths."""
        chosen = list(paths)
        return replace(self, before=_only(self.before, chosen), after=_only(self.after, chosen))

    def inverse(self) -> "Edit":
        """The edit that takes this one back."""
        return Edit(self.name, self.after, self.before, self.instance)


def _only(values: Mapping[str, Any], paths: Iterable[str]) -> dict[str, Any]:
    return {path: values[path] for path in paths if path in values}
