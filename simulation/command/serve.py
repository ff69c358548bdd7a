"""`lapwing sim serve` and `lapwing sim connect`: an aircraft in real time at the end of a link.

`serve` waits for stations. `connect` dials to the station that has started it and ends with that
connection, so it never outlives its parent, which alone decides about Ctrl+C. It begins with the
token that the station has put into its environment, which no other user can read.
"""

import argparse
import json
import os
import sys
from contextlib import ExitStack, suppress
from typing import Final

from simulation.command.options import (
    BOARD_OPTIONS,
    DURATION_OPTION,
    ERASED_OPTION,
    JSON_OPTION,
    START_OPTION,
    WITHOUT_EFFECT,
    Options,
    flag,
    value,
)
from simulation.command.record_option import RECORD_OPTION
from simulation.command.terminal import BAD_ENVIRONMENT, BAD_INPUT
from simulation.command.wiring import FLIGHT_OPTIONS, wire_flight
from telemetry.protocol.links.link import LinkClosed, LinkError

SERVE_OPTIONS: Final[Options] = {
    "address": value("ADDRESS", "where stations connect, e.g. tcp:127.0.0.1:9000"),
    **FLIGHT_OPTIONS,
    **ERASED_OPTION,
    **START_OPTION,
    "--true-motion": flag("also send how it really moves: AttitudeSimulated, GroundTruth"),
    **DURATION_OPTION,
    **RECORD_OPTION,
    **JSON_OPTION,
    "--real-time": WITHOUT_EFFECT,
}
CONNECT_OPTIONS: Final[Options] = {
    "address": value("ADDRESS", "where the station listens"),
    **FLIGHT_OPTIONS,
    **BOARD_OPTIONS,
    "--console": value("ADDRESS", "where the operator listens"),
    "--streams": value(None, "where what its sensors see is taken", dest="streams_at"),
}


def serve(options: argparse.Namespace) -> int:
    """Wait for ground stations and fly by their commands. Raises LinkError."""
    from simulation.aircraft.aircraft import rotor_sentence
    from simulation.command.served_flight import offer_streams, open_server, served_flight

    with ExitStack() as resources:
        wired = wire_flight(options, resources)
        config = wired.config
        link = open_server(options.address, resources)
        rotors = rotor_sentence(config.preset.aircraft)
        starting = f"Starting the simulator; the first start compiles it. {rotors}".rstrip()
        print(starting, file=sys.stderr if options.json else sys.stdout, flush=True)
        streams, streams_at = offer_streams(config, resources) or (None, "")
        flight = served_flight(wired, link, streams)
        if options.json:
            report = {"aircraft": config.preset.name, "seed": options.seed, "address": link.address}
            print(
                json.dumps({**report, **({"streams": streams_at} if streams else {})}), flush=True
            )
        else:
            if streams:
                print(f"What its sensors see of the world is read at {streams_at}.", flush=True)
            ready = f"{config.preset.title} is ready: ground stations connect to {link.address}."
            print(f"{ready} Ctrl+C ends it.", flush=True)
        with suppress(LinkClosed):
            flight.run(options.duration)
    return BAD_ENVIRONMENT if wired.recording is not None and wired.recording.failure else 0


def connect(options: argparse.Namespace) -> int:
    """Fly for the station that has started this process, and for its operator."""
    from simulation.command.served_flight import dial, serve_streams, served_flight
    from simulation.serving.interrupts import deaf_to_ctrl_c
    from telemetry.protocol.links.tcp_server import TOKEN_VARIABLE

    try:
        with deaf_to_ctrl_c(), ExitStack() as resources:
            wired = wire_flight(options, resources)
            if wired.config.storage.problem:
                print(wired.config.storage.problem, file=sys.stderr, flush=True)
            token = os.environ.pop(TOKEN_VARIABLE, "")
            link = dial(options.address, token, resources)
            console = dial(options.console, token, resources) if options.console else None
            streams = None
            if wired.config.world is not None and options.streams_at:
                from telemetry.protocol.streams.sender import StreamSender

                sender = StreamSender(dial(options.streams_at, token, resources).socket)
                streams = serve_streams(wired.config, sender, resources)
            flight = served_flight(wired, link, streams, console)
            with suppress(LinkClosed):
                flight.run()
    except (LinkError, ValueError) as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    return 0
