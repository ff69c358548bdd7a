"""The simulator as a process of its own: `python -m simulation.command.process --connect ADDRESS`.

Started by the station it dials back to the station's loopback port and ends with that
connection, so it never outlives its parent, which alone decides about Ctrl+C. It begins with the
token that the station has put into its environment, which no other user can read. `lapwing sim
--serve` waits for stations instead.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.preset import DEFAULT_AIRCRAFT, load_preset
from simulation.autopilot.storage import Storage
from simulation.command.world_option import load_flown_world
from simulation.serving.console import Console
from simulation.serving.interrupts import deaf_to_ctrl_c, ending_on_request
from simulation.serving.real_time_flight import RealTimeFlight, Record
from simulation.serving.warm_up import warm_up
from telemetry.base.clock import monotonic_s
from telemetry.protocol.links.address import AddressError, scheme_of
from telemetry.protocol.links.faulty import Faults, FaultyLink
from telemetry.protocol.links.link import Link, LinkClosed, LinkError
from telemetry.protocol.links.tcp import TcpLink, open_tcp
from telemetry.protocol.links.tcp_server import TOKEN_VARIABLE, serve_tcp
from telemetry.protocol.links.udp import serve_udp
from telemetry.protocol.objects.catalogue import load_catalogue

if TYPE_CHECKING:
    from simulation.serving.sensor_streams import Sending, ServedStreams
    from simulation.simulator.flown_world import FlownWorld


def open_server(address: str) -> Link:
    """Listen at a "tcp:" or "udp:" address; raise LinkError."""
    scheme = scheme_of(address)
    if scheme not in ("tcp", "udp"):
        raise AddressError(f"'{address}' cannot be served; write tcp:HOST:PORT or udp:HOST:PORT.")
    serve_at = serve_udp if scheme == "udp" else serve_tcp
    return serve_at(address, monotonic_s)


def power_up_with(config: AutopilotConfig) -> Callable[[], Autopilot]:
    """A function that makes the aircraft, with everything compiled that it needs."""
    catalogue = load_catalogue()
    warm_up(config, catalogue)
    return lambda: Autopilot(config, catalogue)


def serve(
    config: AutopilotConfig,
    link: Link,
    duration_s: float | None = None,
    record: Record | None = None,
    on_ready: Callable[[str], None] = lambda address: None,
    streams: "ServedStreams | None" = None,
) -> None:
    """Fly in real time at the end of a link until it closes; close it in any case.

    `on_ready` is called with the link's address when all is compiled and the flight begins.
    `streams` are what the aircraft's sensors see of a world, if it flies in one.
    """
    try:
        power_up = power_up_with(config)
        on_ready(link.address)
        if streams is None:
            flight = RealTimeFlight(power_up, link, monotonic_s, record)
        else:
            carry = streams.power_up
            flight = RealTimeFlight(
                lambda: carry(power_up()), link, monotonic_s, record, streams.attend
            )
        flight.run(duration_s)
    except LinkClosed:
        return
    finally:
        link.close()
        if streams is not None:
            streams.close()


def serve_operated(
    config: AutopilotConfig,
    link: Link,
    console_link: Link,
    streams: "ServedStreams | None" = None,
) -> None:
    """As `serve`, with an operator at the other end of `console_link`; see
    simulation.serving.console. `streams` are what the aircraft's sensors see of a world, if it
    flies in one."""
    radio = FaultyLink(link, Faults(), monotonic_s)
    console = Console(console_link, radio, monotonic_s)
    if streams is not None:
        console = Console(
            console_link, radio, monotonic_s, streams.set_fault, streams.sensor_faults
        )

    def attend(flight: RealTimeFlight) -> None:
        console.attend(flight)
        if streams is not None:
            streams.attend(flight)

    try:
        catalogue = load_catalogue()
        warm_up(config, catalogue)

        def power_up() -> Autopilot:
            autopilot = console.power_up(config, catalogue)
            return autopilot if streams is None else streams.power_up(autopilot)

        RealTimeFlight(power_up, radio, monotonic_s, attend=attend).run()
    except LinkClosed:
        return
    finally:
        link.close()
        console_link.close()
        if streams is not None:
            streams.close()


def open_streams(
    config: AutopilotConfig, address: str | None, token: str
) -> "ServedStreams | None":
    """What the aircraft's sensors see of its world, sent to who listens at an address. Raises
    ValueError for a sensor that cannot be, LinkError where nobody listens."""
    if config.world is None or address is None:
        return None
    from telemetry.protocol.streams.sender import StreamSender

    return _served(config, config.world, StreamSender(_call(address, token).socket))


def offer_streams(
    config: AutopilotConfig, tell: Callable[[str], None]
) -> "tuple[ServedStreams, str] | None":
    """The same, for any programs of this computer, and the address at which they read; None without
    a world or sensors that look at it. `tell` is told of each sensor that stops. Raises ValueError
    for a sensor that cannot be, LinkError where no port is free."""
    from simulation.aircraft.aircraft import load_aircraft

    if config.world is None or not load_aircraft(config.preset.aircraft).mounts:
        return None
    from telemetry.protocol.streams.server import StreamServer

    try:
        server = StreamServer()
    except OSError as error:
        raise LinkError(f"No port for streams is to be had: {error.strerror}.") from error
    return _served(config, config.world, server, tell), server.address


def _served(
    config: AutopilotConfig,
    world: "FlownWorld",
    sender: "Sending",
    tell: Callable[[str], None] = lambda sentence: None,
) -> "ServedStreams":
    from simulation.aircraft.aircraft import load_aircraft
    from simulation.perception.surroundings import Surroundings
    from simulation.serving.sensor_streams import ServedStreams

    mounts = load_aircraft(config.preset.aircraft).mounts
    return ServedStreams(sender, Surroundings(world.scene), mounts, tell)


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse the command line and fly; return the exit code."""
    parser = argparse.ArgumentParser(prog="simulation.command.process")
    parser.add_argument("--aircraft", default=DEFAULT_AIRCRAFT)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--label", default="", help="tells boards of one kind of aircraft apart")
    parser.add_argument("--store", type=Path, help="file that remembers saved settings")
    parser.add_argument("--erased", action="store_true", help="start without any settings")
    parser.add_argument("--connect", metavar="ADDRESS", required=True)
    parser.add_argument("--console", metavar="ADDRESS", help="where the operator listens")
    parser.add_argument("--world", metavar="NAME", help="where it flies")
    parser.add_argument("--streams", metavar="ADDRESS", help="where what they see is taken")
    options = parser.parse_args(arguments)
    try:
        preset = load_preset(options.aircraft)
        storage = Storage.erased() if options.erased else Storage(options.store)
        if storage.problem:
            print(storage.problem, file=sys.stderr, flush=True)
        config = AutopilotConfig(
            preset,
            options.seed,
            storage=storage,
            label=options.label,
            world=load_flown_world(options),
        )
        with ending_on_request(), deaf_to_ctrl_c():
            token = os.environ.pop(TOKEN_VARIABLE, "")
            link = _call(options.connect, token)
            if options.console:
                console = _call(options.console, token)
                streams = open_streams(config, options.streams, token)
                serve_operated(config, link, console, streams)
            else:
                serve(config, link)
    except (LinkError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0
    return 0


def _call(address: str, token: str) -> TcpLink:
    """Dial to the station and show that it has started this process."""
    link = open_tcp(address)
    if token:
        link.write(f"{token}\n".encode())
    return link


if __name__ == "__main__":
    sys.exit(main())
