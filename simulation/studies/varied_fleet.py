"""Fleets of presets whose aircraft and gains differ: Monte Carlo series, training, tolerances.

    fleet = varied_fleet([load_preset("ar100b")] * 100, load_catalogue(), seed=7, vary={
        "aircraft.mass_kg": {"normal": [1.0, 0.03], "limits": [0.9, 1.1], "relative": True},
        "settings.StabilizationSettingsBank1.RollRatePID.Kp": np.linspace(0.001, 0.004, 100),
    })

What varies is named, and said, as in the table [vary] of a study; or it is a column of values, one
for each aircraft.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.aircraft.aircraft import AircraftParameters, load_aircraft
from simulation.aircraft.propulsion_knowledge import know_propulsion
from simulation.autopilot.board import BoardObject, SimulatedBoard
from simulation.autopilot.kernel_settings import KernelSettings
from simulation.autopilot.preset import Preset
from simulation.simulator.fleet import SimulatedFleet
from simulation.simulator.simulator import Simulator
from simulation.studies.distribution import StudyError, Value
from simulation.studies.variation import BoundVariation, Variation, read_variation
from simulation.studies.varied_names import Changes, VariedNames
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import pack_values

Column = Sequence[Any] | npt.NDArray[Any]
Vary = Mapping[str, Mapping[str, Any] | Column]


def varied_fleet(
    presets: Sequence[Preset],
    catalogue: Catalogue,
    seed: int = 1,
    vary: Vary | None = None,
    threads: int = 1,
    downwash: bool = False,
) -> SimulatedFleet:
    """A fleet on the ground at time 0, each aircraft set up as its preset leaves the factory, but
    for what `vary` says.

    Aircraft i has the seed `seed` + i, and draws what flight number i of a study of that `seed`
    draws: it is the same in a larger fleet, and whatever else varies. Raises StudyError, and what
    `factory_simulator` does.
    """
    vary = vary or {}
    tables = {name: how for name, how in vary.items() if isinstance(how, Mapping)}
    columns = {name: how for name, how in vary.items() if not isinstance(how, Mapping)}
    for name, column in columns.items():
        if len(column) != len(presets):
            raise StudyError(f"'{name}' has {len(column)} values for {len(presets)} aircraft.")
    variation = read_variation(tables)
    drawn = variation.draw(seed, 0, len(presets))
    patterns = {
        of: VariedPreset(preset, catalogue, variation, tuple(columns))
        for of, preset in {id(preset): preset for preset in presets}.items()
    }
    aircraft, settings = [], []
    for i, preset in enumerate(presets):
        values: dict[str, Value] = variation.values(drawn, i)
        values |= {name: np.asarray(column[i]).tolist() for name, column in columns.items()}
        one = patterns[id(preset)].with_values(values)
        aircraft.append(one[0])
        settings.append(one[1])
    fleet = SimulatedFleet(aircraft, seed, threads=threads, downwash=downwash)
    for i, made in enumerate(settings):
        fleet.records[i]["settings"] = made
    return fleet


class VariedPreset:
    """A preset to make aircraft of that differ: a board, and what the program on board takes from
    it."""

    def __init__(
        self,
        preset: Preset,
        catalogue: Catalogue,
        variation: Variation,
        columns: Sequence[str] = (),
    ) -> None:
        """`columns` are names whose values are given. Raises StudyError for a name that is none."""
        names = VariedNames(preset, catalogue)
        self._bound: BoundVariation = variation.bound_to(names)
        self._given = {name: names.find(name) for name in columns}
        self._preset = preset
        self._nominal = preset.load_aircraft()
        self._board = SimulatedBoard(catalogue, preset)
        self._settings = Simulator(self._nominal).settings
        self._kernel_settings = KernelSettings(self._board, self._settings, preset.has_own_filter)
        if preset.inverts_propulsion:
            know_propulsion(self._settings, self._nominal.parameters)
        self._changed: set[str] = set()

    def with_values(self, values: Mapping[str, Value]) -> tuple[AircraftParameters, Any]:
        """The physics and SETTINGS of an aircraft where these values were drawn, or given. Raises
        StudyError, and ParameterError for physics that cannot be."""
        changes = self._bound.changes(
            {name: value for name, value in values.items() if name not in self._given}
        )
        for name, thing in self._given.items():
            thing.put(changes, thing.value(values[name], is_relative=False))
        return self._aircraft(changes), self._settings_with(changes)

    def _aircraft(self, changes: Changes) -> AircraftParameters:
        if not changes.aircraft:
            return replace(self._nominal, parameters=self._nominal.parameters.copy())
        return load_aircraft(self._preset.aircraft, changes.aircraft)

    def _settings_with(self, changes: Changes) -> Any:
        for name in self._changed | changes.settings.keys():
            self._write(self._board[name], changes.settings.get(name, {}))
        self._changed = set(changes.settings)
        self._kernel_settings.update()
        return self._settings.copy()

    def _write(self, entry: BoardObject, values: Mapping[str, Any]) -> None:
        """Set an object as a station would, all else as the preset has it."""
        definition = entry.definition
        before = self._preset.objects.get(definition.name, {})
        entry.load(0, pack_values(definition, {**before, **values}))
        entry.notify()
