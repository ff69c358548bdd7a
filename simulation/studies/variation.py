"""Variation: the table [vary] of a study, drawn for flight after flight.

What flight number i draws of a name depends on the seed, i and that name alone: not on who flies
it, on how many flights there are, or on what else varies. Generator: Philox 4x64-10 of NumPy
(Salmon et al., SC 2011), by the seed and a checksum of the name as its key.
"""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from simulation.mathematics.random_numbers import LARGEST_SEED
from simulation.studies.distribution import (
    Distribution,
    Numbers,
    StudyError,
    Value,
    read_distribution,
)

if TYPE_CHECKING:  # whoever reads a result needs nothing of what varies in an aircraft
    from simulation.studies.varied_names import Changes, VariedNames, VariedThing

_FLIGHT_SEEDS: Final = "the seed of a flight"
_PER_BLOCK: Final = 4
"""Numbers that the generator makes of one count."""


@dataclass(frozen=True, slots=True)
class Variation:
    """What varies, by name, and how."""

    distributions: Mapping[str, Distribution]

    @property
    def varied(self) -> tuple[str, ...]:
        """The names that have more than one value; a single choice sets what it names."""
        return tuple(n for n, how in self.distributions.items() if len(how.choices) != 1)

    def draw(self, seed: int, first: int, count: int = 1) -> dict[str, Numbers]:
        """What `count` flights from number `first` on draw, each alone: columns of
        `Distribution.values`."""
        return {
            name: how.values(uniform_numbers(seed, name, first, count))
            for name, how in self.distributions.items()
        }

    def values(self, columns: Mapping[str, Numbers], row: int) -> dict[str, Value]:
        """One row of such columns, as values."""
        return {name: how.value(columns[name][row]) for name, how in self.distributions.items()}

    def bound_to(self, names: "VariedNames") -> "BoundVariation":
        """The same for flights of an aircraft, in a scenario if there is one. Raises StudyError for
        a name that is none, and for values that it cannot have."""
        from simulation.studies.varied_names import check_distribution

        things = {name: names.find(name) for name in self.distributions}
        for name, thing in things.items():
            check_distribution(thing, self.distributions[name])
        return BoundVariation(self, things)


@dataclass(frozen=True, slots=True)
class BoundVariation:
    """A variation whose names have been found."""

    variation: Variation
    things: "Mapping[str, VariedThing]"

    def changes(self, drawn: Mapping[str, Value]) -> "Changes":
        """What is otherwise in a flight that has drawn this. Raises StudyError."""
        from simulation.studies.varied_names import Changes

        changes = Changes()
        for name, value in drawn.items():
            how, thing = self.variation.distributions[name], self.things[name]
            thing.put(changes, thing.value(value, is_relative=how.is_relative))
        return changes


def read_variation(table: Any) -> Variation:
    """The table [vary]. Raises StudyError."""
    if not isinstance(table, Mapping):
        raise StudyError("'vary' must be a table of names and distributions.")
    return Variation({name: read_distribution(name, how) for name, how in _flat(table).items()})


def uniform_numbers(seed: int, name: str, first: int, count: int) -> Numbers:
    """The numbers from 0 to 1 that flights draw for a name."""
    return _generator(seed, name, first).random(count)


def flight_seeds(seed: int, first: int, count: int) -> list[int]:
    """The seed of all else that is random in each of these flights."""
    raw = _generator(seed, _FLIGHT_SEEDS, first).integers(0, LARGEST_SEED, count, endpoint=True)
    return [int(number) for number in raw]


def _generator(seed: int, name: str, first: int) -> np.random.Generator:
    """That of one name, which goes on with the number of flight `first`."""
    bits = np.random.Philox(key=[seed, zlib.crc32(name.encode())])
    bits.advance(first // _PER_BLOCK)
    bits.random_raw(first % _PER_BLOCK)
    return np.random.Generator(bits)


def _flat(table: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    """Names with dots may be written as tables of tables: whatever holds no distribution itself is
    one."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        name = f"{above}{key}"
        is_table = isinstance(value, Mapping) and value
        if is_table and all(isinstance(inner, Mapping) for inner in value.values()):
            flat.update(_flat(value, f"{name}."))
        else:
            flat[name] = value
    return flat
