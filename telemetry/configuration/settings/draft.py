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

    A value that is in doubt can be confirmed: that it is meant. Another value at its path has to
    be confirmed anew. A foreign one was taken from another aircraft, and stays so until another
    value is at its path.
    """

    version: int = 0
    _values: dict[Address, dict[str, Value]] = field(default_factory=dict)
    _confirmed: set[StagedKey] = field(default_factory=set)
    _foreign: set[StagedKey] = field(default_factory=set)

    def set(self, address: Address, path: str, value: Value, *, is_foreign: bool = False) -> None:
        """Stage a value."""
        values, key = self._values.setdefault(address, {}), (*address, path)
        if path not in values or values[path] != value:
            self._forget(key)
            values[path] = value
        if is_foreign and key not in self._foreign:
            self._forget(key)
            self._foreign.add(key)

    def confirm(self, key: StagedKey, *, is_meant: bool = True) -> None:
        """Say that a staged value is meant as it is, or take that back."""
        if is_meant != self.is_confirmed(key):
            self._confirmed ^= {key}
            self.version += 1

    def is_confirmed(self, key: StagedKey) -> bool:
        """Whether the value staged there now is meant as it is."""
        return key in self._confirmed

    @property
    def foreign(self) -> frozenset[StagedKey]:
        """What values of another aircraft are staged for."""
        return frozenset(self._foreign)

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
                self._forget((*address, path))
        if not values:
            self._values.pop(address, None)

    def clear(self) -> None:
        """Forget everything."""
        if self._values:
            self._values.clear()
            self._confirmed.clear()
            self._foreign.clear()
            self.version += 1

    def _forget(self, key: StagedKey) -> None:
        """What was said of the value that stood here."""
        self._confirmed.discard(key)
        self._foreign.discard(key)
        self.version += 1
