"""Flown steps: candidates of gains, each flown in the same conditions over the compiled kernel.

An aircraft hangs in somebody's hands until its estimator has settled, which no gains see, and is
let go of: from there each candidate flies on. Roll, pitch, rate of yaw and heading take four steps
each, to and fro on both sides; the answer is their mean, so that a level that is estimated a degree
off, or a gust, does not count as an overshoot. Answers are of the truth.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.aircraft.performance import hover_thrust
from simulation.autopilot.factory import factory_simulator
from simulation.autopilot.preset import Preset
from simulation.identification.parameters import changed
from simulation.records.flight import FLIGHT, POSITION
from simulation.records.interface import (
    AXIS_ATTITUDE,
    AXIS_MANUAL,
    AXIS_RATE,
    STEP_S,
    VERTICAL_VARIO,
)
from simulation.scenarios.flight_measures import eulers_deg
from simulation.simulator.fleet import SimulatedFleet
from simulation.simulator.simulator import Diverged
from simulation.tuning.conditions import Condition
from simulation.tuning.gains import GainSet
from telemetry.protocol.objects.catalogue import Catalogue

Array = npt.NDArray[np.float64]

_HEIGHT_M: Final = 30.0
_IN_HANDS_S, _SPINNING_S = 10.0, 0.5
_SETTLE_S, _LISTEN_S = 3.0, 1.0
_SAMPLE_STEPS: Final = 10
_SAMPLE_S: Final = _SAMPLE_STEPS * STEP_S
_STEEPEST_DEG: Final = 75.0
_MOST_FLIGHTS: Final = 96


@dataclass(frozen=True, slots=True)
class AxisSteps:
    """How an axis is tried: which setpoint goes to `size` and back, for how long each."""

    name: str
    axis: int
    size: float
    unit: str
    seconds: float
    yaw_mode: int


STEPS: Final = (
    AxisSteps("roll", 0, 15.0, "deg", 1.5, AXIS_RATE),
    AxisSteps("pitch", 1, 15.0, "deg", 1.5, AXIS_RATE),
    AxisSteps("yaw", 2, 30.0, "deg/s", 1.0, AXIS_RATE),
    AxisSteps("heading", 2, 20.0, "deg", 2.0, AXIS_ATTITUDE),
)
"""Sizes as those of the scenario step-test."""
_SIDES: Final = (1.0, 0.0, -1.0, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class FlownSteps:
    """`answers` by name of STEPS: (candidates, conditions, samples) from 0 to 1, every 10 ms from
    the step on; NaN where the aircraft was lost. `actuator_noise` (candidates, conditions): rms of
    the actuators that move most in hover, a share of full."""

    answers: dict[str, Array]
    actuator_noise: Array


def sample_times_s(samples: int) -> Array:
    """Of an answer."""
    return _SAMPLE_S * np.arange(samples, dtype=np.float64)


class StepFlights:
    """Flies candidates in conditions, which are prepared once."""

    def __init__(
        self,
        preset: Preset,
        catalogue: Catalogue,
        conditions: Sequence[Condition],
        threads: int = 1,
    ) -> None:
        self._aircraft = preset.load_aircraft()
        self._threads = threads
        self._starts = np.stack([_let_go(preset, catalogue, condition) for condition in conditions])

    def fly(self, gains: GainSet) -> FlownSteps:
        """All candidates in all conditions."""
        conditions = len(self._starts)
        at_once = max(_MOST_FLIGHTS // conditions, 1)
        parts = [
            self._fly(gains[first : first + at_once]) for first in range(0, len(gains), at_once)
        ]
        answers = {
            step.name: np.concatenate([part.answers[step.name] for part in parts]) for step in STEPS
        }
        return FlownSteps(answers, np.concatenate([part.actuator_noise for part in parts]))

    def _fly(self, gains: GainSet) -> FlownSteps:
        count, conditions = len(gains), len(self._starts)
        flights = count * conditions
        with SimulatedFleet([self._aircraft] * flights, threads=self._threads) as fleet:
            records = fleet.records
            records.view(np.uint8).reshape(flights, FLIGHT.itemsize)[:] = np.tile(
                self._starts, (count, 1)
            )
            each = np.repeat(np.arange(count), conditions)
            gains[each].write(records["settings"])
            flight = _Flight(fleet)
            noise = flight.settle()
            answers = {step.name: flight.answer(step) for step in STEPS}
        for answer in answers.values():
            answer[flight.is_lost] = np.nan
        shape = (count, conditions)
        noise[flight.is_lost] = np.nan
        return FlownSteps(
            {name: answer.reshape(*shape, -1) for name, answer in answers.items()},
            noise.reshape(shape),
        )


class _Flight:
    """A fleet that is let go of and flown step by step."""

    def __init__(self, fleet: SimulatedFleet) -> None:
        self._fleet = fleet
        self._records = fleet.records
        self._command = fleet.records["command"]
        self._output = fleet.records["output"]
        self.is_lost = np.zeros(len(fleet.records), bool)
        self._command["vertical_mode"] = VERTICAL_VARIO
        self._records["world"]["bench_held"] = 0

    def settle(self) -> Array:
        """Come to rest in the wind; (flights,) what the actuators do at the end of it."""
        self._command["axis_mode"] = (AXIS_ATTITUDE, AXIS_ATTITUDE, AXIS_RATE)
        self._advance(_SETTLE_S - _LISTEN_S, self._angles)
        moved = self._advance(_LISTEN_S, self._actuators)
        noise: Array = moved.std(axis=0).max(axis=1)
        return noise

    def answer(self, step: AxisSteps) -> Array:
        """(flights, samples): the mean answer to the steps of an axis."""
        self._command["axis_mode"][:, 2] = step.yaw_mode
        take = self._rates if step.unit == "deg/s" else self._angles
        middle = np.zeros(len(self._records))
        if step.yaw_mode == AXIS_ATTITUDE:  # hold the heading that it has
            middle = self._output["attitude_deg"][:, 2].copy()
        was, shares = 0.0, []
        for side in _SIDES:
            before, after = was * step.size, side * step.size
            self._command["axis_setpoint"][:, step.axis] = middle + after
            first = take()[None]
            flown = np.concatenate([first, self._advance(step.seconds, take)])[..., step.axis]
            if step.yaw_mode == AXIS_ATTITUDE:
                flown = (flown - middle + 180.0) % 360.0 - 180.0
            shares.append((flown - before) / (after - before))
            was = side
        self._command["axis_setpoint"] = 0.0
        answer: Array = np.mean(shares, axis=0).T
        return answer

    def _angles(self) -> Array:
        return eulers_deg(self._output["true_quaternion"])

    def _actuators(self) -> Array:
        actuators: Array = self._output["actuator_desired"][:, :3].copy()
        return actuators

    def _rates(self) -> Array:
        rates: Array = self._output["true_rates"].copy()
        return rates

    def _advance(self, seconds: float, take: Any) -> Array:
        taken = []
        for _ in range(round(seconds / _SAMPLE_S)):
            try:
                self._fleet.advance(_SAMPLE_STEPS)
            except* Diverged:
                self.is_lost |= self._records["state"]["diverged"] != 0
            taken.append(take())
        self.is_lost |= np.abs(self._angles()[:, :2]).max(axis=1) > _STEEPEST_DEG
        self.is_lost |= (self._output["crashed"] != 0) | (self._output["touches_ground"] != 0)
        return np.array(taken)


def _let_go(preset: Preset, catalogue: Catalogue, condition: Condition) -> Array:
    """The record of an aircraft at the moment at which the hands open, as bytes."""
    nominal = preset.load_aircraft()
    aircraft = replace(changed(nominal, condition.values), known=nominal.parameters)
    simulator = factory_simulator(preset, catalogue, condition.seed, aircraft)
    flight = simulator.record
    to = np.radians(condition.wind_to_deg)
    simulator.set_wind(
        condition.wind_mps * float(np.cos(to)), condition.wind_mps * float(np.sin(to))
    )
    simulator.set_turbulence(condition.turbulence_mps)
    simulator.set_charge(condition.charge)
    simulator.take_in_hands()
    flight["state"]["motion"][POSITION + 2] = -_HEIGHT_M
    simulator.advance(round(_IN_HANDS_S / STEP_S))
    command = simulator.command
    command["armed"] = 1
    command["axis_mode"] = AXIS_MANUAL
    command["thrust"] = command["start_thrust"] = hover_thrust(
        flight["parameters"], simulator.settings
    )
    simulator.advance(round(_SPINNING_S / STEP_S))
    return np.frombuffer(simulator.snapshot(), np.uint8)
