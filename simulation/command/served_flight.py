"""Served flights: an aircraft in real time at the end of a link, with what its sensors see and its
operator at the ends of others."""

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from simulation.autopilot.autopilot import AutopilotConfig, PoweredAircraft, power_up
from simulation.command.terminal import tell
from simulation.command.wiring import FlightWiring
from simulation.serving.console import Console
from simulation.serving.real_time_flight import RealTimeFlight
from simulation.serving.warm_up import warm_up
from simulation.serving.wreck_notice import WreckNotice
from telemetry.base.clock import monotonic_s
from telemetry.protocol.links.address import AddressError, scheme_of
from telemetry.protocol.links.faulty import Faults, FaultyLink
from telemetry.protocol.links.link import Link, LinkError
from telemetry.protocol.links.tcp import TcpLink, open_tcp
from telemetry.protocol.links.tcp_server import serve_tcp
from telemetry.protocol.links.udp import serve_udp

if TYPE_CHECKING:
    from simulation.serving.sensor_streams import Sending, ServedStreams


def served_flight(
    wired: FlightWiring,
    link: Link,
    streams: "ServedStreams | None" = None,
    console_link: Link | None = None,
) -> RealTimeFlight:
    """The flight at the end of a link, compiled and powered up. `streams` are what its sensors see
    of a world; its operator is at the other end of `console_link`, see
    simulation.serving.console."""
    config, catalogue = wired.config, wired.catalogue
    console: Console | None = None
    notice = WreckNotice(tell)
    if console_link is not None:
        link = radio = FaultyLink(link, Faults(), monotonic_s)
        faults = (streams.set_fault, streams.sensor_faults) if streams else ()
        console = Console(console_link, radio, monotonic_s, *faults)

    def make() -> PoweredAircraft:
        made = console.power_up(config, catalogue) if console else power_up(config, catalogue)
        return streams.power_up(made) if streams else made

    def attend(flight: RealTimeFlight) -> None:
        if console:
            console.attend(flight)
        else:
            notice.attend(flight)
        if streams:
            streams.attend(flight)

    warm_up(config, catalogue)
    return RealTimeFlight(make, link, monotonic_s, wired.recording, attend)


def open_server(address: str, resources: ExitStack) -> Link:
    """Listen at a "tcp:" or "udp:" address until `resources` are closed; raise LinkError."""
    scheme = scheme_of(address)
    if scheme not in ("tcp", "udp"):
        raise AddressError(f"'{address}' cannot be served; write tcp:HOST:PORT or udp:HOST:PORT.")
    link = (serve_udp if scheme == "udp" else serve_tcp)(address, monotonic_s)
    resources.callback(link.close)
    return link


def dial(address: str, token: str, resources: ExitStack) -> TcpLink:
    """Call the station until `resources` are closed, and show that it has started this process.
    Raises LinkError."""
    link = open_tcp(address)
    resources.callback(link.close)
    if token:
        link.write(f"{token}\n".encode())
    return link


def offer_streams(
    config: AutopilotConfig, resources: ExitStack
) -> "tuple[ServedStreams, str] | None":
    """What the aircraft's sensors see of its world, for any programs of this computer, and the
    address at which they read; None without a world or sensors that look at it. Raises ValueError
    for a sensor that cannot be, LinkError where no port is free."""
    if config.world is None or not config.preset.load_aircraft().mounts:
        return None
    from telemetry.protocol.streams.server import StreamServer

    try:
        server = StreamServer()
    except OSError as error:
        raise LinkError(f"No port for streams is to be had: {error.strerror}.") from error
    return serve_streams(config, server, resources, tell), server.address


def serve_streams(
    config: AutopilotConfig,
    sender: "Sending",
    resources: ExitStack,
    on_stop: Callable[[str], None] = lambda sentence: None,
) -> "ServedStreams":
    """The same, sent there until `resources` are closed."""
    from simulation.perception.surroundings import Surroundings
    from simulation.serving.sensor_streams import ServedStreams

    assert config.world is not None
    mounts = config.preset.load_aircraft().mounts
    streams = ServedStreams(sender, Surroundings(config.world.scene), mounts, on_stop)
    resources.callback(streams.close)
    return streams
