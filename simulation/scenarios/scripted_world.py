"""Scripted changes of the world while a scenario's pilot flies: wind, faults, battery."""

from collections.abc import Mapping

from simulation.scenarios.pilot import Pilot
from simulation.simulator import controls
from simulation.simulator.simulator import Simulator


class ScriptedWorld:
    """Applies a scenario's live controls: its `world` at once, those of a "set" step once."""

    def __init__(self, simulator: Simulator, world: Mapping[str, float]) -> None:
        """Raises ControlError."""
        self._simulator = simulator
        self._step_index = -1
        self._apply(world)

    def follow(self, pilot: Pilot) -> None:
        """Do what the step the pilot has come to says; call whenever the pilot was updated."""
        step = pilot.step
        if step is not None and step.do == "set" and pilot.step_index != self._step_index:
            self._step_index = pilot.step_index
            self._apply(step.values)

    def _apply(self, values: Mapping[str, float]) -> None:
        for name, value in values.items():
            controls.apply(self._simulator, name, value)
