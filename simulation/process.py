"""The simulator as a process of its own: `python -m simulation.process --connect ADDRESS`.

Started by the station it dials back to the station's loopback port and ends with that
connection, so it never outlives its parent. It begins with the token that the station has put into
its environment, which no other user can read. `lapwing sim --serve` waits for stations instead.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.preset import DEFAULT_AIRCRAFT, load_preset
from simulation.autopilot.storage import Storage
from simulation.console import Console
from simulation.interrupts import ending_on_request
from simulation.serving import RealTimeFlight, Record
from simulation.warm_up import warm_up
from telemetry.clock import monotonic_s
from telemetry.links.address import AddressError, scheme_of
from telemetry.links.faulty import Faults, FaultyLink
from telemetry.links.link import Link, LinkClosed, LinkError
from telemetry.links.tcp import open_tcp
from telemetry.links.tcp_server import TOKEN_VARIABLE, serve_tcp
from telemetry.links.udp import serve_udp
from telemetry.objects.catalogue import load_catalogue


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
) -> None:
    """Fly in real time at the end of a link until it closes; close it in any case.

    `on_ready` is called with the link's address when all is compiled and the flight begins.
    """
    try:
        power_up = power_up_with(config)
        on_ready(link.address)
        RealTimeFlight(power_up, link, monotonic_s, record).run(duration_s)
    except LinkClosed:
        return
    finally:
        link.close()


def serve_operated(config: AutopilotConfig, link: Link, console_link: Link) -> None:
    """As `serve`, with an operator at the other end of `console_link`; see simulation.console."""
    radio = FaultyLink(link, Faults(), monotonic_s)
    console = Console(console_link, radio, monotonic_s)
    try:
        catalogue = load_catalogue()
        warm_up(config, catalogue)
        flight = RealTimeFlight(
            lambda: console.power_up(config, catalogue), radio, monotonic_s, attend=console.attend
        )
        flight.run()
    except LinkClosed:
        return
    finally:
        link.close()
        console_link.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse the command line and fly; return the exit code."""
    parser = argparse.ArgumentParser(prog="simulation.process")
    parser.add_argument("--aircraft", default=DEFAULT_AIRCRAFT)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--label", default="", help="tells boards of one kind of aircraft apart")
    parser.add_argument("--store", type=Path, help="file that remembers saved settings")
    parser.add_argument("--erased", action="store_true", help="start without any settings")
    parser.add_argument("--connect", metavar="ADDRESS", required=True)
    parser.add_argument("--console", metavar="ADDRESS", help="where the operator listens")
    options = parser.parse_args(arguments)
    try:
        preset = load_preset(options.aircraft)
        storage = Storage.erased() if options.erased else Storage(options.store)
        if storage.problem:
            print(storage.problem, file=sys.stderr, flush=True)
        config = AutopilotConfig(preset, options.seed, storage=storage, label=options.label)
        with ending_on_request():
            token = os.environ.pop(TOKEN_VARIABLE, "")
            link = _call(options.connect, token)
            if options.console:
                serve_operated(config, link, _call(options.console, token))
            else:
                serve(config, link)
    except (LinkError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0
    return 0


def _call(address: str, token: str) -> Link:
    """Dial to the station and show that it has started this process."""
    link = open_tcp(address)
    if token:
        link.write(f"{token}\n".encode())
    return link


if __name__ == "__main__":
    sys.exit(main())
