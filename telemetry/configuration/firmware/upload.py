"""Firmware upload: an image put on a board and verified, begun again after every fault.

A fault on the way (a packet lost, doubled or late) is answered by Abort and a new erase, three
times. Where the board itself goes, its way back is waited for and it begins again, as often as it
takes: what was begun is on disk since before the erase, and stays there until it is verified.
"""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock, Thread
from typing import Final

from telemetry.base.clock import monotonic_s
from telemetry.configuration.firmware.allowed import refusal
from telemetry.configuration.firmware.before import kept_as
from telemetry.configuration.firmware.board_check import (
    FlashVerdict,
    description_verdict,
    read_board_description,
)
from telemetry.configuration.firmware.image import FirmwareImage
from telemetry.configuration.firmware.pending import PendingUploads
from telemetry.configuration.firmware.starting import start_firmware
from telemetry.configuration.firmware.upload_progress import (
    StageTimes,
    UploadProgress,
    UploadStage,
)
from telemetry.protocol.bootloader.client import Bootloader, BootloaderError, RestartedError
from telemetry.protocol.bootloader.crc import region_crc
from telemetry.protocol.bootloader.packet_port import PacketPort
from telemetry.protocol.bootloader.packets import Boot, BootDevice, Memory
from telemetry.protocol.links.link import LinkClosed, LinkError

REPEATS: Final = 3
TOO_LATE: Final = (
    "The erase has begun, so there is no firmware on the board to go back to. "
    "Let the upload end, and leave the board plugged in."
)


@dataclass(frozen=True, slots=True)
class HeldBoard:
    """A board whose bootloader can be spoken to. `serial` is what tells it from others when it
    comes back: its USB serial number, or its serial port."""

    port: PacketPort
    serial: str


Connect = Callable[[str, Callable[[], bool]], HeldBoard | None]
"""Brings a board, waiting for it where it is not there; it is given the `serial` of the one that
was held before, which no other may stand in for, "" at first, and what says whether to stop, and
returns None then. May raise LinkError."""


_UNFINISHED: Final = (
    "The board may have no whole firmware: leave propellers and battery off. The upload is kept."
)


class _EndedError(Exception):
    """The upload is over, without success."""

    def __init__(self, stage: UploadStage, sentence: str) -> None:
        super().__init__(sentence)
        self.stage = stage


class FirmwareUpload:
    """One upload. `run` carries it out in the calling thread, `start` in one of its own; all else
    may be asked from any thread.

    upload = FirmwareUpload(image, connect, PendingUploads(folders.pending_uploads))
    upload.start()
    upload.progress.sentence
    """

    erases_settings = False

    def __init__(
        self,
        image: FirmwareImage,
        connect: Connect,
        pending: PendingUploads,
        *,
        is_resumed: bool = False,
        kept_set: str = "",
        clock: Callable[[], float] = monotonic_s,
    ) -> None:
        """`is_resumed`: it was begun before, so the board may have no whole firmware."""
        self.image = image
        self.kept_set = kept_set
        """Where the settings of before are kept, for who goes on with it after an interruption."""
        self._connect = connect
        self._pending = pending
        self._clock = clock
        self._lock = Lock()
        self._stage = UploadStage.WAITING
        self._sentence = "Waiting for the board."
        self._attempt = 1
        self._sent = 0.0
        self._times = StageTimes(len(image.data))
        self._has_begun = self._is_resumed = is_resumed
        self._is_cancelled = False

    @property
    def has_begun(self) -> bool:
        """Whether the board may have no whole firmware by this upload."""
        return self._has_begun

    @property
    def progress(self) -> UploadProgress:
        """How it is now."""
        with self._lock:
            share, left_s = self._times.share_and_left(self._stage, self._sent, self._clock())
            return UploadProgress(self._stage, share, left_s, self._attempt, self._sentence)

    def start(self) -> None:
        """Carry it out in a thread of its own."""
        Thread(target=self.run, name="firmware upload", daemon=True).start()

    def cancel(self) -> str:
        """Stop before anything is erased, or waiting for a board that went: it is kept for later
        then. Returns why not, where it is too late."""
        with self._lock:
            if self._has_begun and self._stage is not UploadStage.WAITING:
                return TOO_LATE
            self._is_cancelled = True
            return ""

    def run(self) -> UploadProgress:
        """Carry it out, and return how it ended."""
        try:
            self._until_verified()
        except _EndedError as end:
            self._show(end.stage, str(end))
        except LinkError as error:
            stage = UploadStage.INTERRUPTED if self._has_begun else UploadStage.FAILED
            self._show(stage, self._with_state(str(error)))
        except OSError as error:
            why = error.strerror or str(error)
            told = f"{self.image.name} cannot be kept for later ({why}), so the upload ends."
            self._show(UploadStage.FAILED, self._with_state(told))
        finally:
            if not self.progress.is_over:
                told = "The upload ended for a reason that is not known."
                self._show(UploadStage.FAILED, self._with_state(told))
        return self.progress

    def _until_verified(self) -> None:
        restarts_left, serial = REPEATS, ""
        while True:
            held = self._connect(serial, lambda: self._is_cancelled)
            if held is None:
                raise self._stopped_waiting()
            serial = held.serial
            try:
                return self._on_board(held)
            except RestartedError as restarted:
                if not (restarts_left and serial):
                    raise
                restarts_left -= 1
                self._show(UploadStage.WAITING, f"{restarted} It is waited for.")
            except LinkClosed as gone:
                if not (self._has_begun and serial):
                    raise
                self._show(UploadStage.WAITING, f"{gone} The upload begins again by itself then.")
            finally:
                held.port.close()

    def _with_state(self, told: str) -> str:
        """With what is known of the board then."""
        return f"{told} {_UNFINISHED if self._has_begun else 'This upload has erased nothing.'}"

    def _stopped_waiting(self) -> _EndedError:
        if self._has_begun:
            return _EndedError(UploadStage.INTERRUPTED, f"Stopped waiting. {_UNFINISHED}")
        return _EndedError(UploadStage.CANCELLED, "Cancelled. Nothing was erased.")

    def _on_board(self, held: HeldBoard) -> None:
        """All attempts with a board that stays. Raises LinkClosed where it goes."""
        bootloader = Bootloader(held.port, self._clock)
        for repeats_left in range(REPEATS, -1, -1):
            try:
                device, described = self._attempted(bootloader, held.serial)
                break
            except BootloaderError as error:
                if not repeats_left or not self._has_begun:
                    raise _EndedError(UploadStage.FAILED, self._gave_up(error)) from error
                with self._lock:
                    self._attempt += 1
        self._pending.remove(held.serial)
        self._finish(bootloader, device, described)

    def _attempted(self, bootloader: Bootloader, serial: str) -> tuple[BootDevice, FlashVerdict]:
        """One attempt, from the beginning to the verdict. Raises BootloaderError."""
        self._show(UploadStage.ASKING, f"Asking {bootloader.name}.")
        device = bootloader.capabilities()
        if why := refusal(self.image, device):
            raise self._refused(why)
        bootloader.enter()
        self._times.erases(device.code_bytes)
        self._keep(serial)
        self._write_code(bootloader, device)
        described = self._write_description(bootloader, device)
        self._show(UploadStage.VERIFYING, "Comparing what the board holds with the file.")
        found = bootloader.capabilities()
        if found.code_crc != region_crc(self.image.data, device.code_bytes):
            raise BootloaderError(f"{bootloader.name} does not hold what was sent.")
        return found, described

    def _refused(self, why: str) -> Exception:
        """The board that was begun on is one that takes the image: it is asked again."""
        return BootloaderError(why) if self._has_begun else _EndedError(UploadStage.REFUSED, why)

    def _keep(self, serial: str) -> None:
        """Before the erase: the last moment to cancel, and the first at which it is on disk."""
        self._pending.put(serial, self.image, self.kept_set)
        with self._lock:
            self._has_begun = self._has_begun or not self._is_cancelled
        if not self._has_begun:
            self._pending.remove(serial)
            raise self._stopped_waiting()

    def _write_code(self, bootloader: Bootloader, device: BootDevice) -> None:
        self._show(
            UploadStage.ERASING, f"Erasing for {self.image.name}. Leave the board plugged in."
        )
        bootloader.start_upload(self.image.data, Memory.FIRMWARE, device.code_bytes)
        bootloader.await_ready()
        self._show(UploadStage.SENDING, f"Sending {self.image.name}. Leave the board plugged in.")
        bootloader.send(self.image.data, self._note_sent)
        bootloader.end()

    def _write_description(self, bootloader: Bootloader, device: BootDevice) -> FlashVerdict:
        """A .bin has none: the board then says of itself that it does not know. Raises
        BootloaderError where another one than was sent is read back."""
        if not self.image.description:
            return FlashVerdict.NOT_KNOWN
        self._show(UploadStage.DESCRIBING, "Writing the description.")
        bootloader.start_upload(self.image.description, Memory.DESCRIPTION, device.code_bytes)
        bootloader.await_ready()
        bootloader.send(self.image.description)
        bootloader.end()
        read = read_board_description(bootloader, device)
        verdict = description_verdict(self.image, read)
        if verdict is FlashVerdict.WRONG:
            raise BootloaderError(f"{bootloader.name} does not hold the description that was sent.")
        return verdict

    def _finish(self, bootloader: Bootloader, device: BootDevice, described: FlashVerdict) -> None:
        said = f"{self.image.name} was put on the board, verified by the CRC of its code region."
        if self.image.description and described is FlashVerdict.NOT_KNOWN:
            said += " Whether its description is right is not known: it could not be read back."
        self._show(UploadStage.STARTING, said)
        said = f"{said} {_started(bootloader, device)}"
        if self._is_resumed and self.kept_set:
            said = f"{said} {kept_as(self.kept_set)}"
        self._show(UploadStage.DONE, said)

    def _gave_up(self, error: BootloaderError) -> str:
        if not self._has_begun:
            return self._with_state(str(error))
        times = f"The upload failed {REPEATS + 1} times. The last time: {error}"
        return f"{self._with_state(times)} Try another cable or USB socket."

    def _note_sent(self, share: float) -> None:
        with self._lock:
            self._sent = share

    def _show(self, stage: UploadStage, sentence: str) -> None:
        with self._lock:
            self._stage, self._sentence, self._sent = stage, sentence, 0.0
            self._times.begin(self._clock())


def _started(bootloader: Bootloader, device: BootDevice) -> str:
    """Whether it was started, in a sentence."""
    try:
        if start_firmware(bootloader, device.board, Boot.NORMAL):
            return "The board has left its bootloader."
    except BootloaderError as error:
        return str(error)
    return "Whether it was started is not known: restart the board where it does not answer."
