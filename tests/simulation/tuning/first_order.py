"""A judge of gains that flies nothing: its answers are of first order."""

from typing import Any

import numpy as np

from simulation.aircraft.aircraft import load_aircraft
from simulation.autopilot.factory import factory_simulator
from simulation.autopilot.preset import load_preset
from simulation.tuning.conditions import conditions_of_search
from simulation.tuning.flown_steps import STEPS, FlownSteps, sample_times_s
from simulation.tuning.gains import GainScale, GainSet, gains_of
from simulation.tuning.linear_loop import LEAST_PHASE_MARGIN_DEG, Margins
from simulation.tuning.objectives import Figures, figures_of
from simulation.tuning.uncertainty import assumed
from telemetry.protocol.objects.catalogue import load_catalogue


class FirstOrder:
    """Answers of first order: a rate rises by its Kp, an angle by that of its loop. The phase
    margin falls with the rate's Kp and ends at `ends_at` times that of the preset."""

    def __init__(self, ends_at: float = 2.0) -> None:
        simulator = factory_simulator(load_preset("ar100b"), load_catalogue())
        parameters = simulator.record["parameters"]
        self.scale = GainScale(parameters, simulator.settings)
        self.present = gains_of(simulator.settings)
        self.uncertainty = assumed(load_aircraft("ar100b").parameters)
        self.conditions = conditions_of_search(self.uncertainty, 1)[:2]
        self.flights = 0
        self.flown: list[GainSet] = []
        self._ends_at = ends_at

    def margins(self, gains: GainSet) -> Margins:
        shares = gains.rate_pid[:, :, 0] / self.present.rate_pid[:, 0] / self._ends_at
        phase = LEAST_PHASE_MARGIN_DEG * (2.0 - shares)
        return Margins(np.full(shares.shape, 12.0), phase)

    def fly(self, gains: GainSet) -> FlownSteps:
        self.flown += list(gains)
        self.flights += len(gains) * len(self.conditions)
        return self._fly(gains, len(self.conditions))

    def figures(self, gains: GainSet) -> Figures:
        return figures_of(self.fly(gains), self.margins(gains), self.conditions)

    def figures_in(self, conditions: Any, gains: GainSet) -> Figures:
        return figures_of(self._fly(gains, len(conditions)), None, conditions)

    def _fly(self, gains: GainSet, conditions: int) -> FlownSteps:
        answers = {}
        for step in STEPS:
            per_s = gains.attitude_pi[:, step.axis, 0]
            if step.unit == "deg/s":
                per_s = 400.0 * gains.rate_pid[:, step.axis, 0]
            times = sample_times_s(round(100.0 * step.seconds))
            answer = 1.0 - np.exp(-per_s[:, None, None] * times)
            answers[step.name] = np.repeat(answer, conditions, axis=1)
        noise = np.repeat(gains.rate_pid[:, :1, 0], conditions, axis=1)
        return FlownSteps(answers, noise)
