"""Simulator link to a simulator process that the station has started."""

import os
import re
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import astuple
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from plugins.api import Device
from plugins.simulator.remote import Remote
from simulation.autopilot.preset import DEFAULT_AIRCRAFT, load_preset, preset_names
from simulation.autopilot.storage import Storage
from simulation.hitl.lockstep.program import LockstepError, located_program
from telemetry.base.clock import monotonic_s
from telemetry.base.folders import Folders
from telemetry.protocol.links.address import AddressError
from telemetry.protocol.links.simulator_process import SimulatorProcess
from telemetry.recording.simulated_world import located_world

_OPTIONS, _ERASED, _LOSSLESS = "?", "erased", "lossless"
_REAL_START = "start=real"
FIRMWARE: Final = "firmware"
"""The option that names a flight controller which flies in the place of the simulated board."""
_ANOTHER = "#"
_WORLD = "@"
_SEEING: Final = (
    ("ardrone", "arena"),
    ("hector-indoor", "office"),
    ("mcx2-indoor", "corridor"),
    ("sea-vixen-camera", "village"),
)
"""Aircraft whose sensors look at a world, each in one that suits it; others can be written."""
_LABEL = re.compile(r"[A-Za-z0-9-]*")
_QUICK_START: Final = (
    "The simulated board is ready sooner than firmware, which took 14 s by the same sensors; "
    "the manual, on the page about connecting, says how it waits as long."
)
_STARTING = "Starting the simulator."
_COMPILE_S = 8
_LOAD_S = 3.0
"""Loading what is compiled already takes less, compiling more."""


def simulated_aircraft() -> Sequence[Device]:
    """The aircraft that can be flown."""
    offered = [Device(f"sim:{name}", load_preset(name).title) for name in preset_names()]
    title = load_preset(DEFAULT_AIRCRAFT).title
    erased = Device(f"sim:{DEFAULT_AIRCRAFT}{_OPTIONS}{_ERASED}", f"{title}, without settings")
    seeing = [
        Device(f"sim:{name}{_WORLD}{world}", f"{load_preset(name).title}, in the {world}")
        for name, world in _SEEING
    ]
    return [*offered, erased, *seeing]


def open_simulator(address: str) -> "SimulatorLink":
    """Start the aircraft of "sim:NAME", or of "sim:NAME?erased", a board without any settings
    whenever it is opened; "sim:NAME#LABEL" is another board, which saves its settings apart. One of
    "sim:NAME@WORLD" flies in that world, a name or a folder, and its sensors look at it; with
    "?lossless" behind it their pictures are recorded to the bit. With "?start=real" the board is
    ready as late as firmware. "?firmware=PROGRAM", percent-encoded, is flown by that program
    (simulation/hitl/README.md), and saves nothing. Raise LinkError if that cannot be, AddressError
    if it never can."""
    _, _, wanted = address.partition(":")
    wanted, _, label = wanted.partition(_ANOTHER)
    aircraft, _, words = wanted.partition(_OPTIONS)
    given = [word.partition("=") for word in words.split("&") if word]
    firmware = next((unquote(value) for word, _, value in given if word == FIRMWARE), "")
    options = {FIRMWARE if word == FIRMWARE else word + eq + value for word, eq, value in given}
    name, _, world = aircraft.partition(_WORLD)
    world = located_world(world)
    known_options = {_ERASED, _LOSSLESS, _REAL_START, FIRMWARE}
    is_known = name in preset_names() and options <= known_options
    if not is_known or not _LABEL.fullmatch(label):
        known = ", ".join(f"sim:{known}" for known in preset_names())
        raise AddressError(
            f"There is no simulated aircraft '{wanted}'; there are: {known}. With ?{_ERASED} "
            "behind it, each is without settings, to be set up from nothing; with "
            f"{_ANOTHER}2 or another word of letters and digits, it is one more of them; with "
            f"{_WORLD}office or another world, it flies there; with ?{_LOSSLESS}, pictures are "
            f"recorded to the bit; with ?{_REAL_START}, the board is ready as late as firmware; "
            f"with ?{FIRMWARE}=PROGRAM, that flight controller flies it."
        )
    if FIRMWARE in options:
        _check_program(firmware)
    store = None if {_ERASED, FIRMWARE} & options else _store(f"{name}-{label}" if label else name)
    notice = Storage(store).problem  # moved aside here, where its user is told
    arguments = ["--aircraft", name]
    arguments += ["--label", label] if label else []
    arguments += ["--store", str(store)] if store is not None else []
    arguments += ["--erased"] if _ERASED in options else []
    arguments += ["--start", "real"] if _REAL_START in options else []
    arguments += ["--firmware", firmware] if FIRMWARE in options else []
    pipe = SimulatorProcess(arguments, monotonic_s, world)
    link = SimulatorLink(address, load_preset(name).title, pipe, notice)
    link.is_lossless = _LOSSLESS in options
    is_quick = _REAL_START not in options and store is not None  # one erased leaves nothing behind
    link.remark = _said_once(_QUICK_START) if is_quick else ""
    flown = load_preset(name).load_aircraft()
    if FIRMWARE not in options:
        link.imu = astuple(flown.imu)
    if world:
        link.world, link.span_m = world, flown.span_m
    return link


def _check_program(path: str) -> None:
    """Raise AddressError for what would fail at every try."""
    try:
        located_program(Path(path))
    except LockstepError as error:
        raise AddressError(str(error)) from None


class SimulatorLink:
    """A byte pipe to a simulator process."""

    can_write = True

    def __init__(
        self,
        address: str,
        title: str,
        pipe: SimulatorProcess,
        notice: str = "",
        clock: Callable[[], float] = monotonic_s,
    ) -> None:
        self.name = f"Simulator: {title}"
        self.address = address
        self.notice = notice
        self.remark = ""
        self.remote = Remote(pipe.console)
        self.world = ""
        """The name or path of what it flies in, if that is one."""
        self.is_lossless = False
        """Whether pictures are to be recorded to the bit."""
        self.span_m = 0.0
        """How wide the aircraft is that flies there."""
        self.imu: tuple[float, ...] = ()
        """See `imu_of`."""
        self.streams = pipe.streams
        """What its sensors see comes here; who reads it is no thread of the link's."""
        self._pipe = pipe
        self._clock = clock
        self._started_s = clock()
        self._is_flying = False

    @property
    def process(self) -> "subprocess.Popen[bytes]":
        """The simulator's."""
        return self._pipe.process

    @property
    def progress(self) -> str:
        """What the process is busy with before it speaks; afterwards "".

        A start that takes longer than loading can take is one that compiles.
        """
        if self._is_flying:
            return ""
        elapsed_s = self._clock() - self._started_s
        if elapsed_s < _LOAD_S:
            return _STARTING
        usual = f"about {_COMPILE_S} s" if elapsed_s <= _COMPILE_S else "longer on a busy machine"
        return (
            "Compiling the simulator, once after installation: "
            f"{usual}, {int(elapsed_s)} s have passed."
        )

    def read(self, timeout_s: float) -> bytes:
        """See `Link.read`."""
        data = self._pipe.read(timeout_s)
        self._is_flying = self._is_flying or bool(data)
        return data

    def write(self, data: bytes) -> None:
        """See `Link.write`; before the process listens, words go nowhere."""
        self._pipe.write(data)

    def has_crashed(self) -> bool:
        """See `Restartable`; as the newest report says."""
        report = self.remote.look()
        return report is not None and report.has_crashed

    def start_anew(self) -> None:
        """See `Restartable`."""
        self.remote.ask(reset=True)

    def close(self) -> None:
        """End the process and wait for its end."""
        self._pipe.close()


def _said_once(sentence: str) -> str:
    """The sentence, and "" for ever after: that it was said stands on the disk."""
    said = Folders.of_user(os.environ).simulated_flash / "quick-start-said"
    if said.exists():
        return ""
    with suppress(OSError):  # it is said again
        said.parent.mkdir(parents=True, exist_ok=True)
        said.touch()
    return sentence


def _store(name: str) -> Path:
    return Folders.of_user(os.environ).simulated_flash / f"{name}.json"
