"""`--world NAME`: fly in a world instead of over level ground without end."""

import argparse
from typing import TYPE_CHECKING

from simulation.command.options import Options, value
from simulation.command.terminal import tell
from telemetry.recording.simulated_imu import SimulatedImu
from telemetry.recording.simulated_world import SimulatedWorld, located_world

if TYPE_CHECKING:
    from simulation.autopilot.autopilot import AutopilotConfig
    from simulation.simulator.flown_world import FlownWorld


WORLD_OPTIONS: Options = {
    "--world": value(
        "NAME|FOLDER",
        "the world to fly in, with its start place if not the first: office:start=hall; "
        "see `lapwing sim worlds`",
        located_world,
    )
}


def load_flown_world(options: argparse.Namespace) -> "FlownWorld | None":
    """The world asked for, or None; what is missing in it is told on standard error. What it leaves
    to chance follows from the seed of the flight. Raises WorldError, a sentence with a remedy."""
    if options.world is None:
        return None
    from simulation.simulator.flown_world import open_world

    flown = open_world(options.world, options.seed)
    for note in flown.scene.notes:
        tell(note)
    return flown


def world_to_note(name: str | None, seed: int, aircraft: str) -> SimulatedWorld | None:
    """What is noted beside the log of a flight in a world, None without one. `aircraft`: see
    load_aircraft, whose errors it raises."""
    from simulation.aircraft.aircraft import load_aircraft

    return SimulatedWorld(name, seed, load_aircraft(aircraft).span_m) if name else None


def imu_to_note(config: "AutopilotConfig") -> SimulatedImu | None:
    """By which IMU is noted beside the log; none where a firmware makes of it what it tells."""
    return None if config.firmware is not None else config.preset.load_aircraft().imu
