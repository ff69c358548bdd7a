"""Random sequences of what users do and what befalls boards, against emulated bootloaders.

Whatever happens: no board is erased that nobody agreed to, nothing is called right that is not in
flash, what was begun is on disk until it is verified or forgotten, and nothing is busy for ever.
The worker's thread and the test take turns, so that each seed is one sequence.
"""

import os
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from telemetry.base.folders import Folders
from telemetry.configuration.firmware import update as update_module
from telemetry.configuration.firmware import upload as upload_module
from telemetry.configuration.firmware.access import Bootloaders
from telemetry.configuration.firmware.before import Consent
from telemetry.configuration.firmware.pending import PendingUploads
from telemetry.configuration.firmware.upload_progress import UploadStage
from telemetry.configuration.firmware.work import FirmwareWork
from telemetry.protocol.bootloader.packet_port import PacketPort
from telemetry.protocol.bootloader.packets import Boot
from telemetry.protocol.links.link import LinkClosed, LinkError, NotThere
from telemetry.protocol.links.usb_boards import BoardMode, UsbBoard
from telemetry.vehicle.vehicle import Fleet
from tests.boards.emulated_bootloader import EmulatedBootloader
from tests.boards.emulated_packet_port import EmulatedPacketPort, Fault, Kind
from tests.boards.firmware_files import make_opfw
from tests.boards.stepped_clock import SteppedClock
from tests.immediate import ImmediateJobs

SEQUENCES = int(os.environ.get("LAPWING_ALL_WAYS_SEQUENCES", "2000"))
SEQUENCES = SEQUENCES if os.environ.get("LAPWING_ALL_WAYS") else 8
ACTS = 40
FILES = {
    name: make_opfw(board, size, seed)
    for name, board, size, seed in [
        ("a.opfw", 0x0903, 2001, 1),
        ("b.opfw", 0x0903, 1200, 2),
        ("cc3d.opfw", 0x0402, 900, 3),
    ]
}


class Killed(BaseException):
    """The program ends, wherever it is."""


class Turns:
    """Lets one worker at a time go on to its next turn."""

    def __init__(self) -> None:
        self.worker: threading.Thread | None = None
        self.is_killed = False
        self._go, self._came = threading.Semaphore(0), threading.Semaphore(0)

    def start(self, work: Callable[[], object]) -> None:
        def run() -> None:
            try:
                self._go.acquire()
                if not self.is_killed:
                    work()
            except Killed:
                pass
            finally:
                self.worker = None
                self._came.release()

        self.worker = threading.Thread(target=run, daemon=True)
        self.worker.start()

    def turn(self) -> None:
        """In the worker: let the others go on."""
        if threading.current_thread() is self.worker:
            self._came.release()
            self._go.acquire()
            if self.is_killed:
                raise Killed

    def step(self) -> None:
        if self.worker is not None:
            self._go.release()
            self._came.acquire()

    def kill(self) -> None:
        self.is_killed = True
        while self.worker is not None:
            self.step()
        self.is_killed = False


class Plugged:
    """A board on the desk: `images` are those that the user agreed to have put on it."""

    def __init__(self, clock: SteppedClock, serial: str, board: int) -> None:
        self.serial, self.is_plugged = serial, False
        self.boot = EmulatedBootloader(clock, board, erase_s=2.0)
        self.images: set[str] = set()
        self.erased = 0
        self.most_erases = 0
        """Four for each time that somebody begins, plugs it in or starts the station."""

    @property
    def usb(self) -> UsbBoard:
        started = self.boot.started is not None
        mode = BoardMode.FIRMWARE if started else BoardMode.BOOTLOADER
        return UsbBoard(self.serial, "Board", 0x20A0, 0x415E, mode, b"/dev/" + b"h", "")

    def holds(self, name: str) -> bool:
        file = FILES[name]
        return self.boot.code == file.ljust(self.boot.code_size, b"\xff")


class Port(EmulatedPacketPort):
    """Gives turns away, and may have its board pulled."""

    desk: "Desk"
    plugged: Plugged

    def send(self, packet: bytes) -> None:
        if self.desk.random.random() < 0.2:
            self.desk.turns.turn()
        if not self.plugged.is_plugged:
            raise LinkClosed("It was unplugged.")
        super().send(packet)

    def receive(self, timeout_s: float) -> bytes | None:
        if not self.plugged.is_plugged:
            raise LinkClosed("It was unplugged.")
        return super().receive(timeout_s)


class Desk:
    """Boards, a station and its user."""

    def __init__(self, folder: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.random, self.clock, self.turns = Random(seed), SteppedClock(), Turns()
        for module in (upload_module, update_module):
            monkeypatch.setattr(module, "Thread", self._thread)
        kinds = [("0042", 0x0903), ("0043", 0x0903), ("0044", 0x0402), ("0045", 0x7777)]
        self.boards = [Plugged(self.clock, *kind) for kind in kinds]
        if seed % 5 == 0:
            self.boards[0].boot.stuck_at = 77
        self.folder, self.jobs, self.did = folder, ImmediateJobs(), [f"seed {seed}"]
        self.forgotten: set[str] = set()
        self.folders = Folders.under(folder)
        self.pending = PendingUploads(self.folders.pending_uploads)
        for name, data in FILES.items():
            (folder / name).write_bytes(data)
        self.begin_station()

    def begin_station(self) -> None:
        claims = self.folders.pending_uploads
        bootloaders = Bootloaders(self._look, self._open, self._no_line, claims)
        self.work = FirmwareWork(
            Fleet(), self.jobs, bootloaders, self.folders, self.clock, self._wait
        )

    def _thread(self, target: Callable[[], object], **_: object) -> Any:
        class Start:
            def start(_self) -> None:  # noqa: N805
                self.turns.start(target)

        return Start()

    def _wait(self, seconds: float) -> None:
        self.clock.advance(seconds)
        self.turns.turn()

    def _look(self) -> tuple[tuple[UsbBoard, ...], tuple[str, ...]]:
        for board in self.boards:
            board.boot.tick()
        return tuple(board.usb for board in self.boards if board.is_plugged), ()

    def _no_line(self, _line: str) -> PacketPort:
        raise LinkError("There is no line.")

    def _open(self, usb: UsbBoard) -> PacketPort:
        board = next(each for each in self.boards if each.serial == usb.serial)
        if not board.is_plugged or self.random.random() < 0.1:
            raise NotThere("It cannot be opened.")
        commands, kinds = (1, 3, 7, 8, 11, 12, 2), (Kind.LOSE, Kind.DOUBLE, Kind.DELAY)
        faults = [
            Fault(self.random.choice(kinds), command, self.random.randrange(30), command in (2, 12))
            for command in commands
            if self.random.random() < 0.1
        ]
        port = Port(board.boot, tuple(faults), name=board.serial)
        port.desk, port.plugged = self, board
        return port

    # What may happen

    def plug(self) -> None:
        board = self.random.choice(self.boards)
        if not board.is_plugged:
            board.boot.power_on()
            board.most_erases += 4
        board.is_plugged = not board.is_plugged

    def choose(self) -> None:
        self.work.at_hand.choose(
            self.random.choice(["", *(f"usb:{b.serial}" for b in self.boards)])
        )

    def open_file(self) -> None:
        self.work.open_file(self.folder / self.random.choice(list(FILES)))

    def consent(self) -> None:
        self.work.consent = Consent(True, True, self.work.board_name)

    def begin(self) -> None:
        if self.work.refusal():
            return
        assert self.work.file is not None
        serial = self.work.at_hand.address.removeprefix("usb:")
        board = next(each for each in self.boards if each.serial == serial)
        board.images.add(self.work.file.path.name)
        board.most_erases += 4
        self.work.begin_upload()

    def again(self) -> None:
        if self.work.pending and not self.work.is_busy:
            upload = self.random.choice(self.work.pending)
            for board in self.boards:
                board.most_erases += 4
            self.work.begin_again(upload)

    def forget(self) -> None:
        if self.work.pending and not self.work.is_busy and self.random.random() < 0.2:
            upload = self.random.choice(self.work.pending)
            self.work.forget(upload)
            self.forgotten.add(upload.serial)

    def start(self) -> None:
        boot = self.random.choice(list(Boot))
        if not self.work.start_refusal(boot):
            self.work.begin_start(boot)

    def rescue(self) -> None:
        self.work.at_hand.is_rescuing = not self.work.at_hand.is_rescuing

    def cancel(self) -> None:
        self.work.cancel()

    def restart(self) -> None:
        self.turns.kill()
        for board in self.boards:
            board.most_erases += 4
        self.begin_station()

    def jump(self) -> None:
        self.clock.advance(self.random.choice([1.0, 7.0, 100.0, 1e5]))

    def go_on(self) -> None:
        for _ in range(self.random.randrange(20)):
            self.clock.advance(0.2)
            self.step()

    def step(self) -> None:
        self.turns.step()
        self.work.poll()
        self._check()

    def act(self) -> None:
        acts = [self.plug, self.choose, self.open_file, self.consent, self.begin, self.begin]
        acts += [self.again, self.forget, self.start, self.rescue, self.cancel, self.restart]
        acts += [self.use_well] * 4
        chosen = self.random.choice([*acts, self.consent, self.jump, *[self.go_on] * 6, self.plug])
        self.did.append(chosen.__name__)
        chosen()
        self.step()

    def use_well(self) -> None:
        """Until a board is being written, so that not all sequences end in refusals."""
        self.plug()
        acts = (self.choose, self.open_file, self.go_on, self.consent, self.begin, self.go_on)
        for each in acts:
            each()
            self.step()

    # What always has to be so

    def _check(self) -> None:
        update = self.work.update
        for board in self.boards:
            if board.boot.erased > board.erased:
                board.erased = board.boot.erased
                self.forgotten.discard(board.serial)
                assert board.images, f"{board.serial} was erased unasked: {self.did}"
                kept = self.pending.get(board.serial)
                assert kept is None or kept.image.name in board.images, self.did
                assert board.erased <= board.most_erases, f"{board.serial} wears out: {self.did}"
            is_whole = not board.erased or any(map(board.holds, board.images))
            if not is_whole and board.serial not in self.forgotten:
                assert self.pending.get(board.serial) is not None, self.did
        if update is not None and update.progress.stage is UploadStage.DONE:
            self._check_done(update.progress.sentence)

    def _check_done(self, sentence: str) -> None:
        name = sentence.split(" ", maxsplit=1)[0]
        if name in FILES:
            assert any(board.holds(name) for board in self.boards), self.did

    def check_end(self) -> None:
        """Every board is there, nothing is lost any more: it ends, or can be stopped."""
        for board in self.boards:
            board.is_plugged = False
        for _ in range(3):
            self.go_on()
        for count in range(4000):
            if not self.work.is_busy:
                return
            if count > 2000:
                self.work.cancel()
            self.clock.advance(0.2)
            self.step()
        raise AssertionError(f"it is busy for ever: {self.work.objection} {self.did}")


@pytest.mark.parametrize("seed", range(SEQUENCES))
def test_whatever_happens(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path, seed, monkeypatch)
    if seed % 2:
        desk.use_well()
    for _ in range(ACTS):
        desk.act()
    desk.check_end()
