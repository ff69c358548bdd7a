"""Factory simulator: a bare one with a preset's settings, for experiments and notebooks."""

from simulation.aircraft.aircraft import AircraftParameters
from simulation.aircraft.propulsion_knowledge import know_propulsion
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.kernel_settings import KernelSettings
from simulation.autopilot.preset import Preset
from simulation.simulator.simulator import Simulator
from telemetry.protocol.objects.catalogue import Catalogue


def factory_simulator(
    preset: Preset, catalogue: Catalogue, seed: int = 1, aircraft: AircraftParameters | None = None
) -> Simulator:
    """The preset's aircraft (or this one) with the preset's gains, mixer and limits, at time 0.

    No module of the autopilot runs and no object exists afterwards: write `command`, call
    `advance`, read `output`. Raises ParameterError, and ValueError for settings no board takes.
    """
    simulator = Simulator(aircraft or preset.load_aircraft(), seed)
    board = SimulatedBoard(catalogue, preset)
    KernelSettings(board, simulator.settings, preset.has_own_filter).update()
    if preset.inverts_propulsion:
        know_propulsion(simulator.settings, simulator.aircraft.known_parameters)
    return simulator
