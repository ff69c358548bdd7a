"""Boards at hand: what is plugged in, which of it is chosen, and what its bootloader told.

For the GUI thread, which never waits: looking and asking are jobs. Call `poll` on the tick.
"""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Final

from telemetry.configuration.firmware.access import BoardReading, Bootloaders
from telemetry.configuration.settings.identity import Identity, identity_in
from telemetry.protocol.bootloader.client import BootloaderError
from telemetry.protocol.bootloader.ssp_port import LINE
from telemetry.protocol.links.link import LinkError
from telemetry.protocol.links.usb_boards import UsbBoard, address_of
from telemetry.vehicle.vehicle import Fleet, LinkState, Vehicle

_LOOK_S: Final = 0.5
_AGAIN_S: Final = 5.0
"""After a bootloader did not answer: another program may have spoken to it."""
_SERIAL: Final = "serial:"
_DIGITS: Final = 6
"""Of a serial number, which tell two boards apart in a list."""


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """Somewhere a board is: by USB, or at the end of a serial line (`board` is None), where none is
    seen before it is spoken to. Its address is as `Bootloaders` takes it."""

    address: str
    title: str
    board: UsbBoard | None = None

    @property
    def is_bootloader(self) -> bool:
        """Whether it is known that a bootloader runs there, which can be spoken to."""
        return self.board is not None and self.board.is_bootloader


class BoardsAtHand:
    """`reading` is what the chosen board's bootloader told, None before; `problem` says why not.

    While it `is_rescuing`, a bootloader that appears is held at once, before it starts firmware.
    """

    def __init__(
        self,
        bootloaders: Bootloaders,
        fleet: Fleet,
        jobs: Executor,
        clock: Callable[[], float],
    ) -> None:
        self.places: tuple[BoardPlace, ...] = ()
        self.reading: BoardReading | None = None
        self.problem = ""
        self.is_rescuing = False
        self._bootloaders = bootloaders
        self._fleet = fleet
        self._jobs = jobs
        self._clock = clock
        self._address = ""
        self._read_of: UsbBoard | None = None
        self._look: Future[tuple[BoardPlace, ...]] | None = None
        self._look_at_s = 0.0
        self._again_s = 0.0
        self._asking: Future[BoardReading] | None = None

    @property
    def chosen(self) -> BoardPlace | None:
        """The chosen place, else the only board by USB; None where there are several."""
        by_usb = [place for place in self.places if place.board is not None]
        usual = by_usb[0] if len(by_usb) == 1 and not self._address else None
        return next((p for p in self.places if p.address == self._address), usual)

    @property
    def address(self) -> str:
        """The address of the chosen place, also while nothing is there."""
        place = self.chosen
        return place.address if place is not None else self._address

    @property
    def is_asking(self) -> bool:
        """Whether a bootloader is being asked."""
        return self._asking is not None

    @property
    def bootloaders(self) -> tuple[BoardPlace, ...]:
        """The places where a bootloader runs."""
        return tuple(place for place in self.places if place.is_bootloader)

    def choose(self, address: str) -> None:
        """Choose a place, or with "" the only one there is."""
        self._address = address
        self._forget()

    def poll(self, *, is_used: bool) -> None:
        """Look again, and ask whatever bootloader was chosen; not while it `is_used` otherwise."""
        self._take_places()
        self._take_reading()
        if is_used:
            self._forget()
        elif self._asking is None:
            self._follow()

    def vehicle_of(self, place: BoardPlace) -> Vehicle | None:
        """The aircraft whose firmware answers and whose board it is."""
        return next((v for v in self._fleet.vehicles if _is_board_of(v, place)), None)

    def who(self) -> Identity:
        """What the firmware of the chosen board told of itself."""
        place = self.chosen
        vehicle = self.vehicle_of(place) if place is not None else None
        return identity_in(vehicle.recording) if vehicle is not None else Identity()

    # Inside

    def _take_places(self) -> None:
        now_s = self._clock()
        if self._look is not None and self._look.done():
            self.places, self._look = self._look.result(), None
        if self._look is None and now_s >= self._look_at_s:
            self._look = self._jobs.submit(_places, self._bootloaders)
            self._look_at_s = now_s + _LOOK_S

    def _take_reading(self) -> None:
        if self._asking is None or not self._asking.done():
            return
        asking, self._asking = self._asking, None
        try:
            self.reading, self.problem = asking.result(), ""
            self.is_rescuing = self.is_rescuing and not self.reading.is_held
        except (LinkError, BootloaderError) as error:
            self.reading, self.problem = None, str(error)
            self._again_s = self._clock() + _AGAIN_S

    def _follow(self) -> None:
        """Ask the chosen bootloader once, or hold it if it is to be rescued."""
        place = self.chosen
        board = place.board if place is not None else None
        if place is None or not place.is_bootloader:
            if board != self._read_of:
                self._forget()
            self._read_of = board
            if self.is_rescuing and self.address.startswith(LINE):
                self._ask(holds=True)
        elif board != self._read_of:
            self._forget()
            self._read_of = board
            self._ask(holds=self.is_rescuing)
        elif self.is_rescuing or (self.problem and self._clock() >= self._again_s):
            self._ask(holds=self.is_rescuing)

    def _ask(self, *, holds: bool) -> None:
        self._asking = self._jobs.submit(self._bootloaders.read, self.address, holds=holds)

    def _forget(self) -> None:
        self.reading, self.problem, self._read_of = None, "", None


def _places(bootloaders: Bootloaders) -> tuple[BoardPlace, ...]:
    boards, lines = bootloaders.look()
    by_usb = [
        BoardPlace(address_of(board), f"{board.title} …{board.serial[-_DIGITS:]}", board)
        for board in boards
    ]
    by_line = [
        BoardPlace(f"{LINE}{line}", f"Bootloader on the serial line {line}") for line in lines
    ]
    return (*by_usb, *by_line)


def _is_board_of(vehicle: Vehicle, place: BoardPlace) -> bool:
    if vehicle.status.state is not LinkState.CONNECTED:
        return False
    if place.board is None:
        return vehicle.recording.source.partition("@")[0] == place.address.replace(LINE, _SERIAL, 1)
    serial = identity_in(vehicle.recording).serial
    return bool(serial) and serial.upper() == place.board.serial.upper()
