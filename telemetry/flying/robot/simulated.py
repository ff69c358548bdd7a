"""Simulated robot: a simulated aircraft for a script, in a process of its own."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args
from urllib.parse import parse_qsl, urlsplit

from telemetry.base.clock import monotonic_s
from telemetry.protocol.links.address import AddressError
from telemetry.protocol.links.simulator_process import SimulatorProcess
from telemetry.recording.simulated_world import located_world

SCHEME: Final = "sim"
Start = Literal["quick", "real"]
"""Ready as soon as it can fly, or as late as firmware."""
STARTS: Final = get_args(Start)
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


@dataclass(frozen=True, slots=True)
class SimulatedAddress:
    """What "sim:NAME@WORLD?seed=3&lossless&start=real&firmware=PROGRAM#LABEL" says. `world` is
    "" for level ground, `firmware` None for the simulated board."""

    aircraft: str
    world: str
    seed: int
    start: Start
    is_lossless: bool
    firmware: Path | None
    label: str


def simulated_address(address: str) -> SimulatedAddress:
    """Read an address. Raises AddressError, a sentence."""
    parts = urlsplit(address)
    name, _, world = parts.path.partition("@")
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    unknown = set(options) - {_SEED, _LOSSLESS, _START, _FIRMWARE}
    start, seed = options.get(_START, "quick"), options.get(_SEED, "1")
    if parts.scheme != SCHEME or unknown or not name or not seed.isdecimal() or start not in STARTS:
        raise AddressError(
            f"'{address}' is no simulated aircraft: write sim:NAME, sim:NAME@WORLD or "
            "sim:NAME@WORLD?seed=3&lossless&start=real#LABEL."
        )
    firmware = options.get(_FIRMWARE)
    return SimulatedAddress(
        name,
        located_world(world),
        int(seed),
        "real" if start == "real" else "quick",
        _LOSSLESS in options,
        Path(firmware).expanduser().resolve() if firmware else None,
        parts.fragment,
    )


def open_simulated(address: str) -> SimulatedRobotLink:
    """Start the aircraft of "sim:NAME", "sim:NAME@WORLD", whose sensors look at that world, or
    "sim:NAME@WORLD?seed=3#LABEL", a board of its own with another seed; with "lossless" among its
    options ("?seed=3&lossless") pictures are recorded to the bit, with "start=real" the board is
    ready as late as firmware, and with "firmware=PROGRAM" that flight controller flies it
    (simulation/hitl/README.md). Raises LinkError."""
    asked = simulated_address(address)
    arguments = ["--aircraft", asked.aircraft, "--seed", str(asked.seed), "--start", asked.start]
    arguments += ["--label", asked.label] if asked.label else []
    arguments += ["--firmware", str(asked.firmware)] if asked.firmware else []
    pipe = SimulatorProcess(arguments, monotonic_s, asked.world)
    link = SimulatedRobotLink(address, pipe, asked.world, asked.seed)
    link.is_lossless = asked.is_lossless
    return link
