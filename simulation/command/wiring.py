"""Flight wiring: an aircraft, what acts on it and what is kept of its flight, as the command line
says. Every command that flies simulated aircraft begins here."""

import argparse
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final, NamedTuple

from simulation.autopilot.preset import DEFAULT_AIRCRAFT, load_preset
from simulation.command.firmware_option import FIRMWARE_OPTIONS, load_firmware
from simulation.command.force_option import FORCE_OPTIONS, load_force
from simulation.command.options import (
    AIRCRAFT_OPTIONS,
    BOARD_OPTIONS,
    CHANGE_OPTION,
    CLOCK_OPTIONS,
    Options,
    not_given,
)
from simulation.command.record_option import RECORD_OPTIONS, check_record_options, open_track
from simulation.command.sil_option import SIL_OPTIONS, load_controller
from simulation.command.streams_option import STREAMS_OPTIONS, check_streams_options, open_streams
from simulation.command.terminal import tell
from simulation.command.video_option import VIDEO_OPTIONS, check_video_options, open_film
from simulation.command.wind_option import WIND_OPTIONS, load_wind
from simulation.command.world_option import (
    WORLD_OPTIONS,
    imu_to_note,
    load_flown_world,
    world_to_note,
)

if TYPE_CHECKING:
    from simulation.autopilot.autopilot import AutopilotConfig
    from simulation.perception.sensor_recorder import SensorRecorder
    from simulation.scenarios.track import OutputTrack
    from simulation.serving.recording_file import RecordingFile
    from simulation.sil.loop import SoftwareInTheLoop
    from simulation.worlds.film import FilmMaker
    from telemetry.protocol.objects.catalogue import Catalogue

FLIGHT_OPTIONS: Final[Options] = {
    **AIRCRAFT_OPTIONS,
    **WORLD_OPTIONS,
    **WIND_OPTIONS,
    **FORCE_OPTIONS,
    **SIL_OPTIONS,
    **FIRMWARE_OPTIONS,
}
"""What flies and what acts on it."""
KEPT_OPTIONS: Final[Options] = {
    **RECORD_OPTIONS,
    **VIDEO_OPTIONS,
    **STREAMS_OPTIONS,
    **CLOCK_OPTIONS,
}
"""What is kept of a flight without a station."""
_WITHOUT: Final = {
    **not_given({**KEPT_OPTIONS, **BOARD_OPTIONS, **CHANGE_OPTION}),
    "true_motion": True,
}
"""A simulator that a station runs, or that nobody connects to, is known to be one."""


class FlightWiring(NamedTuple):
    """What a flight is made of. `config` is the aircraft with its board, world, wind, force and
    `controller`; the others are what takes its telemetry, OUTPUT, film and what its sensors see."""

    config: "AutopilotConfig"
    catalogue: "Catalogue"
    controller: "SoftwareInTheLoop | None"
    recording: "RecordingFile | None"
    track: "OutputTrack | None"
    film: "FilmMaker | None"
    sensors: "SensorRecorder | None"


def wire_flight(
    options: argparse.Namespace,
    resources: ExitStack,
    aircraft: str = DEFAULT_AIRCRAFT,
    world: str = "",
) -> FlightWiring:
    """Wire the flight of the options, until `resources` are closed; options that a command does not
    have count as not given. They may name another `aircraft` and `world`. Raises ValueError for
    what cannot be flown or does not go together, FilmError."""
    from simulation.autopilot.autopilot import AutopilotConfig
    from simulation.autopilot.storage import Storage
    from telemetry.protocol.objects.catalogue import load_catalogue

    options = argparse.Namespace(**{**_WITHOUT, **vars(options)})
    for check in (check_record_options, check_video_options, check_streams_options):
        check(options)
    firmware = load_firmware(options, resources)
    controller = load_controller(options, resources)
    config = AutopilotConfig(
        load_preset(options.aircraft or aircraft),
        options.seed,
        storage=Storage.erased() if options.erased else Storage(options.store),
        inner_loop=controller,
        wind=load_wind(options),
        force=load_force(options, resources),
        world=load_flown_world(options),
        label=options.label,
        start=options.start,
        tells_truth=options.true_motion,
        firmware=firmware,
    )
    world, kind = options.world or world, config.preset.aircraft
    film = open_film(options, world)
    sensors = open_streams(options, world, kind, resources, tell)
    recording = None
    if options.record is not None:
        from simulation.serving.recording_file import open_recording
        from telemetry.protocol.objects.cli import catalogue_for

        noted = world_to_note(world, options.seed, kind)
        recording = open_recording(
            options.record, tell, resources, noted, catalogue_for(options), imu_to_note(config)
        )
    track = open_track(options.track, resources)
    return FlightWiring(config, load_catalogue(), controller, recording, track, film, sensors)
