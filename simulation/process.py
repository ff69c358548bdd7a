"""The simulator as a process of its own: `python -m simulation.process`.

Started by the station with --connect it dials back to the station's loopback port and ends with
that connection, so it never outlives its parent. With --serve it waits for ground stations.
Lines on standard output say how far it is: "compiling", then "ready ADDRESS".
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.preset import load_preset
from simulation.autopilot.storage import Storage
from simulation.serving import RealTimeFlight, Record
from simulation.warm_up import warm_up
from telemetry.clock import monotonic_s
from telemetry.links.address import AddressError, scheme_of
from telemetry.links.link import Link, LinkClosed, LinkError
from telemetry.links.tcp import open_tcp, serve_tcp
from telemetry.links.udp import serve_udp
from telemetry.objects.catalogue import load_catalogue


def open_server(address: str) -> Link:
    """Listen at a "tcp:" or "udp:" address; raise LinkError."""
    scheme = scheme_of(address)
    if scheme not in ("tcp", "udp"):
        raise AddressError(f"'{address}' cannot be served; write tcp:HOST:PORT or udp:HOST:PORT.")
    return serve_udp(address) if scheme == "udp" else serve_tcp(address)


def power_up_with(config: AutopilotConfig) -> Callable[[], Autopilot]:
    """A function that makes the aircraft, with everything compiled that it needs."""
    catalogue = load_catalogue()
    warm_up(config, catalogue)
    return lambda: Autopilot(config, catalogue)


def say(word: str, address: str = "") -> None:
    """Print how far it is, at once."""
    print(f"{word} {address}".rstrip(), flush=True)


def serve(
    config: AutopilotConfig,
    open_link: Callable[[], Link],
    duration_s: float | None = None,
    record: Record | None = None,
    tell: Callable[..., None] = say,
) -> None:
    """Fly in real time at the end of a link until it closes; raise LinkError if it never opens.

    `tell` is called with "compiling", then with "ready" and the address.
    """
    link = open_link()
    try:
        tell("compiling")
        power_up = power_up_with(config)
        tell("ready", link.address)
        RealTimeFlight(power_up, link, monotonic_s, record).run(duration_s)
    except LinkClosed:
        return
    finally:
        link.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse the command line and fly; return the exit code."""
    parser = argparse.ArgumentParser(prog="simulation.process")
    parser.add_argument("--aircraft", default="ar100b")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", type=Path, help="file that remembers saved settings")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--connect", metavar="ADDRESS")
    where.add_argument("--serve", metavar="ADDRESS")
    options = parser.parse_args(arguments)
    open_link = (
        (lambda: open_tcp(options.connect))
        if options.connect
        else (lambda: open_server(options.serve))
    )
    try:
        preset = load_preset(options.aircraft)
        serve(AutopilotConfig(preset, options.seed, storage=Storage(options.store)), open_link)
    except (LinkError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
