"""A simulated aircraft, set up from an erased board by what the assistant works out.

The plan is `propose_setup`, which the assistant's button stages; it goes over the link object by
object, is saved, and the board started again from what is stored. It is flown without a link.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.preset import Preset
from simulation.autopilot.storage import Storage
from telemetry.configuration.assistant.aircraft import AssistedAircraft
from telemetry.configuration.assistant.answers import Answers
from telemetry.configuration.assistant.flight_modes import usual_modes
from telemetry.configuration.assistant.proposal import propose_setup
from telemetry.configuration.settings.slots import read_values
from telemetry.protocol.objects.catalogue import Catalogue
from tests.simulation.bench import Bench

REVOLUTION = 0x0903
Spoil = Callable[[dict[str, dict[str, Any]]], None]
"""What a control does to the plan before it is written."""


def set_up(
    preset: Preset, answers: Answers, catalogue: Catalogue, seed: int, spoil: Spoil | None = None
) -> Autopilot:
    """The aircraft of a preset, whose board was erased and holds what the assistant wrote."""
    storage = Storage()
    storage.erase()
    config = AutopilotConfig(preset, seed, storage=storage)
    bench = Bench(config, catalogue)
    bench.run(1.0)
    aircraft, plan = _aircraft(bench.autopilot.board), planned(answers, bench.autopilot.board)
    if spoil is not None:
        spoil(plan)
    for name, values in plan.items():
        bench.write(name, {**aircraft.values(name), **values})
        bench.station.persist("Save", bench.definition(name))
        bench.run(0.2)
    return Autopilot(replace(config, has_link=False), catalogue)


def planned(answers: Answers, board: SimulatedBoard) -> dict[str, dict[str, Any]]:
    """What the assistant wants written, by object and path, flown with sticks of the station."""
    aircraft = _aircraft(board)
    answers = replace(answers, receiver="GCS", arming="Accessory 0")
    answers = replace(answers, modes=usual_modes(answers, aircraft))
    plan = propose_setup(answers, aircraft)
    assert not plan.left_out
    return plan.values


def _aircraft(board: SimulatedBoard) -> AssistedAircraft:
    """The board as the assistant sees it."""

    def values(name: str) -> Mapping[str, Any]:
        return read_values(board[name].definition, board[name].row) if name in board else {}

    def definition(name: str) -> Any:
        return board[name].definition if name in board else None

    return AssistedAircraft(definition, values, REVOLUTION, is_simulated=True)
