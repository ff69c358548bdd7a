"""Fleets of presets whose aircraft and gains differ: Monte Carlo series, training, tolerances.

    fleet = varied_fleet([load_preset("ar100b")] * 100, load_catalogue(), seed=7, vary={
        "mass": Normal(0.03),                                  # a share of the preset's own
        "inertia": Uniform(0.9, 1.1),
        "StabilizationSettingsBank1.RollRatePID.Kp": np.linspace(0.001, 0.004, 100),
    })

What varies is named as in `simulation.records.flight.PARAMETERS` (the physics), or as Object.Field
or Object.Field.Element (the settings). An autopilot does not know how its aircraft differs: its
inverted propulsion and what it knows of its sensors are those of the preset.
"""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.aircraft.aircraft import AircraftParameters
from simulation.aircraft.propulsion_knowledge import know_propulsion
from simulation.autopilot.board import BoardObject, SimulatedBoard
from simulation.autopilot.kernel_settings import KernelSettings
from simulation.autopilot.preset import Preset
from simulation.mathematics.random_numbers import gaussian_pair, philox
from simulation.records.flight import PARAMETERS
from simulation.simulator.fleet import SimulatedFleet
from simulation.simulator.simulator import Simulator
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import pack_values, read_path

_LEAST_FACTOR: Final = 0.01


@dataclass(frozen=True, slots=True)
class Uniform:
    """A factor from `low` to `high` on the preset's value, all equally likely."""

    low: float
    high: float

    def factor(self, seed: int, stream: int) -> float:
        """That of the aircraft with this seed."""
        word, _ = philox(seed, 0, stream)
        return self.low + (self.high - self.low) * (word + 0.5) / 2.0**32


@dataclass(frozen=True, slots=True)
class Normal:
    """A normally distributed factor of mean 1 on the preset's value, never below 0.01."""

    deviation: float

    def factor(self, seed: int, stream: int) -> float:
        """That of the aircraft with this seed."""
        return max(_LEAST_FACTOR, 1.0 + self.deviation * gaussian_pair(seed, stream, 0)[0])


Variation = Uniform | Normal | Sequence[Any] | npt.NDArray[Any]
"""A factor for all numbers of a value together, or the values themselves, one for each aircraft."""


class VariationError(ValueError):
    """What cannot be varied so. The text is one sentence for the user, with a remedy."""


def varied_fleet(
    presets: Sequence[Preset],
    catalogue: Catalogue,
    seed: int = 1,
    vary: Mapping[str, Variation] | None = None,
    threads: int = 1,
    downwash: bool = False,
) -> SimulatedFleet:
    """A fleet on the ground at time 0, each aircraft set up as its preset leaves the factory, but
    for what `vary` says.

    Aircraft i has the seed `seed` + i, which alone decides its factors: it is the same in a larger
    fleet, and whatever else varies. Raises VariationError, and what `factory_simulator` does.
    """
    plan = [_Varied(name, how, len(presets)) for name, how in (vary or {}).items()]
    distinct = {id(preset): preset for preset in presets}
    patterns = {key: _Pattern(preset, catalogue, plan) for key, preset in distinct.items()}
    chosen = [patterns[id(preset)] for preset in presets]
    aircraft = [pattern.aircraft(seed + i, i) for i, pattern in enumerate(chosen)]
    fleet = SimulatedFleet(aircraft, seed, threads=threads, downwash=downwash)
    for i, pattern in enumerate(chosen):
        fleet.records[i]["settings"] = pattern.settings(seed + i, i)
    return fleet


class _Varied:
    """One thing that varies over a fleet of `count`."""

    def __init__(self, name: str, how: Variation, count: int) -> None:
        self.name = name
        self.is_physics = name in (PARAMETERS.names or ())
        self._stream = zlib.crc32(name.encode())
        self._how = how
        if self.is_physics and PARAMETERS[name].base != np.float64:
            raise VariationError(f"{name} is a count or a choice; give another preset instead.")
        if not self.is_physics and "." not in name:
            raise VariationError(
                f"There is no {name} to vary; name a member of PARAMETERS, or Object.Field."
            )
        if not isinstance(how, Uniform | Normal) and len(how) != count:
            raise VariationError(f"{name} has {len(how)} values for {count} aircraft.")

    def value(self, nominal: Any, seed: int, i: int) -> npt.NDArray[np.float64]:
        """That of aircraft `i`, whose preset has `nominal`."""
        try:
            plain = np.asarray(nominal, np.float64)
        except ValueError:
            raise VariationError(f"{self.name} is {nominal}, which is no number.") from None
        if isinstance(self._how, Uniform | Normal):
            value = plain * self._how.factor(seed, self._stream)
        else:
            value = np.asarray(self._how[i], np.float64)
        if value.shape != plain.shape:
            raise VariationError(
                f"{self.name} takes values of shape {plain.shape}, not {value.shape}."
            )
        if not np.isfinite(value).all() or (self.is_physics and (value[plain > 0.0] <= 0.0).any()):
            raise VariationError(
                f"{self.name} of aircraft {i} would be {value}; give finite numbers, and positive "
                "ones where the preset's are."
            )
        return value


class _Pattern:
    """A preset, to make aircraft of: a board and what the program on board takes from it."""

    def __init__(self, preset: Preset, catalogue: Catalogue, plan: Sequence[_Varied]) -> None:
        self._nominal = preset.load_aircraft()
        self._board = SimulatedBoard(catalogue, preset)
        self._settings = Simulator(self._nominal).settings
        self._kernel_settings = KernelSettings(self._board, self._settings, preset.has_own_filter)
        if preset.inverts_propulsion:
            know_propulsion(self._settings, self._nominal.parameters)
        self._physics = [varied for varied in plan if varied.is_physics]
        self._gains = [
            (varied, self._field(varied.name)) for varied in plan if not varied.is_physics
        ]

    def aircraft(self, seed: int, i: int) -> AircraftParameters:
        """The physics of aircraft `i`."""
        parameters = self._nominal.parameters.copy()
        for varied in self._physics:
            nominal = self._nominal.parameters[varied.name]
            parameters[varied.name] = varied.value(nominal, seed, i)
        return replace(self._nominal, parameters=parameters)

    def settings(self, seed: int, i: int) -> Any:
        """SETTINGS of aircraft `i`, until the next is asked for."""
        for varied, field in self._gains:
            field.write(varied.value(field.nominal, seed, i))
        self._kernel_settings.update()
        return self._settings

    def _field(self, name: str) -> "_Field":
        object_name, _, path = name.partition(".")
        try:
            return _Field(self._board[object_name], path)
        except (KeyError, ValueError):
            raise VariationError(f"There is no {name} to vary; name Object.Field.") from None


class _Field:
    """A field of an object on board, or one element of it. Raises KeyError or ValueError if there
    is none."""

    def __init__(self, entry: BoardObject, path: str) -> None:
        self._entry = entry
        self._path = path
        self.nominal = read_path(entry.definition, entry.row, path)

    def write(self, value: npt.NDArray[np.float64]) -> None:
        """Set it, as a station would."""
        entry = self._entry
        entry.load(0, pack_values(entry.definition, {self._path: value.tolist()}, entry.row))
        entry.notify()
