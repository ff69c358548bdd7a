"""Simulated robot: a simulated aircraft for a script, in a process of its own."""

from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from telemetry.base.clock import monotonic_s
from telemetry.protocol.links.address import AddressError
from telemetry.protocol.links.simulator_process import SimulatorProcess
from telemetry.recording.simulated_world import located_world

SCHEME: Final = "sim"
_SEED, _LOSSLESS, _START, _FIRMWARE = "seed", "lossless", "start", "firmware"


class SimulatedRobotLink:
    """A byte pipe to it. It starts as from the box each time, and saves nothing."""

    can_write = True

    def __init__(self, address: str, pipe: SimulatorProcess, world: str, seed: int) -> None:
        self.name = self.address = address
        self.streams = pipe.streams
        """What its sensors see comes here."""
        self.world, self.seed = world, seed
        """What it flies in, "" for no world, and what chooses what that leaves to chance."""
        self.is_lossless = False
        """Whether pictures are to be recorded to the bit."""
        self.write = pipe.write
        self.close = pipe.close
        self._pipe = pipe
        self._is_flying = False

    @property
    def progress(self) -> str:
        """That it is being started; the first time after installation it compiles."""
        return "" if self._is_flying else "Starting the simulator."

    def read(self, timeout_s: float) -> bytes:
        """See `Link.read`."""
        data = self._pipe.read(timeout_s)
        self._is_flying = self._is_flying or bool(data)
        return data


def open_simulated(address: str) -> SimulatedRobotLink:
    """Start the aircraft of "sim:NAME", "sim:NAME@WORLD", whose sensors look at that world, or
    "sim:NAME@WORLD?seed=3#LABEL", a board of its own with another seed; with "lossless" among its
    options ("?seed=3&lossless") pictures are recorded to the bit, with "start=real" the board is
    ready as late as firmware, and with "firmware=PROGRAM" that flight controller flies it
    (simulation/hitl/README.md). Raises LinkError."""
    parts = urlsplit(address)
    name, _, world = parts.path.partition("@")
    world = located_world(world)
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    unknown = set(options) - {_SEED, _LOSSLESS, _START, _FIRMWARE}
    start = options.get(_START, "quick")
    is_start = start in ("quick", "real")
    if unknown or not is_start or not name or not options.get(_SEED, "1").isdecimal():
        raise AddressError(
            f"'{address}' is no simulated aircraft: write sim:NAME, sim:NAME@WORLD or "
            "sim:NAME@WORLD?seed=3&lossless&start=real#LABEL."
        )
    seed = int(options.get(_SEED, "1"))
    arguments = ["--aircraft", name, "--seed", str(seed), "--start", start]
    arguments += ["--label", parts.fragment] if parts.fragment else []
    if options.get(_FIRMWARE):
        arguments += ["--firmware", str(Path(options[_FIRMWARE]).expanduser().resolve())]
    pipe = SimulatorProcess(arguments, monotonic_s, world)
    link = SimulatedRobotLink(address, pipe, world, seed)
    link.is_lossless = _LOSSLESS in options
    return link
