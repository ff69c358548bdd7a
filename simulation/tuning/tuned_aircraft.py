"""Tuned aircraft: judges candidates of gains of one aircraft, by margins and by flights."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from simulation.autopilot.factory import factory_simulator
from simulation.autopilot.preset import Preset
from simulation.identification.parameters import changed
from simulation.records.flight import ROTORCRAFT
from simulation.tuning.conditions import Condition, conditions_of_search
from simulation.tuning.flown_steps import FlownSteps, StepFlights
from simulation.tuning.gains import GainScale, GainSet, gains_of
from simulation.tuning.linear_loop import LinearAircraft, Margins, linear_aircraft, margins
from simulation.tuning.objectives import Figures, figures_of
from simulation.tuning.uncertainty import Uncertainty
from telemetry.protocol.objects.catalogue import Catalogue

_MARGIN_DRAWS: Final = 10


class TuningError(ValueError):
    """An aircraft that cannot be tuned. The text is one sentence for the user."""


class TunedAircraft:
    """An aircraft as uncertain as `uncertainty` says, in the conditions of the search of `seed`.

    `settings` (SETTINGS) are those that its preset leaves it with, `present` their gains, and
    `flights` how many were flown.
    """

    def __init__(
        self,
        preset: Preset,
        catalogue: Catalogue,
        uncertainty: Uncertainty,
        seed: int = 1,
        threads: int = 1,
    ) -> None:
        """Raises TuningError for what is no multirotor driven by the mixer."""
        simulator = factory_simulator(preset, catalogue)
        check_aircraft(preset, simulator.record["parameters"])
        self.settings: Any = simulator.settings.copy()
        self.present = gains_of(self.settings)
        self.uncertainty = uncertainty
        self.conditions: Sequence[Condition] = conditions_of_search(uncertainty, seed)
        self.flights = 0
        self._preset, self._catalogue, self._threads = preset, catalogue, threads
        drawn = [condition.values for condition in self.conditions]
        drawn += uncertainty.draw(_MARGIN_DRAWS, seed)
        self._linear = [self._linear_of(values) for values in drawn]
        known = changed(simulator.aircraft, drawn[0]).parameters
        self.scale = GainScale(known, self.settings)
        self._search = self._flights_in(self.conditions)

    def margins(self, gains: GainSet) -> Margins:
        """Of each candidate, in the worst of the aircraft that were drawn."""
        found = [margins(one, self.settings, gains) for one in self._linear]
        return Margins(
            np.min([one.gain_db for one in found], axis=0),
            np.min([one.phase_deg for one in found], axis=0),
        )

    def fly(self, gains: GainSet) -> FlownSteps:
        """Each candidate in all conditions of the search."""
        self.flights += len(gains) * len(self.conditions)
        return self._search.fly(gains)

    def figures(self, gains: GainSet) -> Figures:
        """Of each candidate: margins, and flown in all conditions of the search."""
        return figures_of(self.fly(gains), self.margins(gains), self.conditions)

    def figures_in(self, conditions: Sequence[Condition], gains: GainSet) -> Figures:
        """Of one candidate or several flown in other conditions, without margins."""
        self.flights += len(gains) * len(conditions)
        return figures_of(self._flights_in(conditions).fly(gains), None, conditions)

    def _flights_in(self, conditions: Sequence[Condition]) -> StepFlights:
        return StepFlights(self._preset, self._catalogue, conditions, self._threads)

    def _linear_of(self, values: Any) -> LinearAircraft:
        nominal = self._preset.load_aircraft()
        return linear_aircraft(changed(nominal, values).parameters, self.settings)


def check_aircraft(preset: Preset, parameters: Any) -> None:
    """Raises TuningError for what is no multirotor driven by the mixer."""
    if parameters["kind"] != ROTORCRAFT or not parameters["rotor_count"]:
        raise TuningError(
            f"{preset.name} is no multirotor, whose gains can be searched; give one that is, such "
            "as ar100b."
        )
    if parameters["turned_rotor"]:
        raise TuningError(
            f"{preset.name} turns by a servo at its tail, which the search does not know; begin "
            "with its template and tune it in flight."
        )
    if preset.inverts_propulsion:
        raise TuningError(
            f"{preset.name} drives its motors by a propulsion model; tune it with "
            '"motor_control": "mixer".'
        )


def with_values(preset: Preset, name: str, values: Mapping[str, Any]) -> Preset:
    """A preset with other values in one of its objects; whole fields of it give way to those of
    their elements."""
    fields = {path.partition(".")[0] for path in values}
    kept = {p: v for p, v in preset.objects.get(name, {}).items() if p not in fields}
    return replace(preset, objects={**preset.objects, name: {**kept, **values}})
