"""Settings draft: values that are edited and not sent.

What differs from the board is computed, never a flag."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from telemetry.configuration.settings.snapshot import Address
from telemetry.recording.sample import Value

StagedKey = tuple[str, int, str]
"""Object, instance and path of a staged value."""


@dataclass
class Draft:
    """Staged values by object and path. `version` rises with every change.

    A value beyond its limits can be confirmed: that it is meant. Another value at its path has to
    be confirmed anew.
    """

    version: int = 0
    _values: dict[Address, dict[str, Value]] = field(default_factory=dict)
    _confirmed: set[StagedKey] = field(default_factory=set)

    def set(self, address: Address, path: str, value: Value) -> None:
        """Stage a value."""
        values = self._values.setdefault(address, {})
        if path not in values or values[path] != value:
            values[path] = value
            self._confirmed.discard((*address, path))
            self.version += 1

    def confirm(self, key: StagedKey, *, is_meant: bool = True) -> None:
        """Say that a staged value is meant as it is, or take that back."""
        if is_meant != self.is_confirmed(key):
            self._confirmed ^= {key}
            self.version += 1

    def is_confirmed(self, key: StagedKey) -> bool:
        """Whether the value staged there now is meant as it is."""
        return key in self._confirmed

    def get(self, address: Address, path: str) -> Value | None:
        """The staged value, or None."""
        return self._values.get(address, {}).get(path)

    def of(self, address: Address) -> Mapping[str, Value]:
        """All staged values of an object by path."""
        return dict(self._values.get(address, {}))

    def staged_keys(self) -> tuple[StagedKey, ...]:
        """What values are staged for."""
        return tuple((*address, path) for address in self._values for path in self._values[address])

    def addresses(self) -> tuple[Address, ...]:
        """The objects with staged values, in the order in which they were touched."""
        return tuple(self._values)

    @property
    def count(self) -> int:
        """How many values are staged."""
        return sum(len(values) for values in self._values.values())

    def staged(self) -> Mapping[Address, Mapping[str, Value]]:
        """All staged values, which do not change with the draft."""
        return {address: dict(values) for address, values in self._values.items()}

    def drop(self, address: Address, paths: Iterable[str] | None = None) -> None:
        """Forget some values of an object, or all of them."""
        values = self._values.get(address, {})
        for path in list(values if paths is None else paths):
            if values.pop(path, None) is not None:
                self._confirmed.discard((*address, path))
                self.version += 1
        if not values:
            self._values.pop(address, None)

    def clear(self) -> None:
        """Forget everything."""
        if self._values:
            self._values.clear()
            self._confirmed.clear()
            self.version += 1
