"""Firmware work: the one place at a station where firmware is put on boards and started.

It has the chosen board and file, what was said before, and the one update under way. For the GUI
thread, which never waits: what takes long is done in jobs. Call `poll` on the tick.
"""

import os
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event

from telemetry.base.clock import local_now, monotonic_s
from telemetry.base.finding import Finding
from telemetry.base.folders import Folders
from telemetry.configuration.board.restart_commands import why_not
from telemetry.configuration.firmware.access import Bootloaders, system_bootloaders
from telemetry.configuration.firmware.allowed import refusal, refusal_by_table
from telemetry.configuration.firmware.at_hand import BoardsAtHand
from telemetry.configuration.firmware.before import Consent, KeptSettings, keep_settings
from telemetry.configuration.firmware.definitions import definitions_finding
from telemetry.configuration.firmware.image import (
    FirmwareFileError,
    FirmwareImage,
    read_image_file,
)
from telemetry.configuration.firmware.interrupted import InterruptedUploads
from telemetry.configuration.firmware.pending import PendingUpload, PendingUploads
from telemetry.configuration.firmware.update import (
    BootloaderWork,
    FirmwareStart,
    FirmwareUpdate,
)
from telemetry.configuration.firmware.upload import TOO_LATE, Connect, FirmwareUpload, HeldBoard
from telemetry.configuration.firmware.upload_progress import UploadStage
from telemetry.configuration.settings.configuration import configuration_of
from telemetry.configuration.settings.document import SettingsError
from telemetry.configuration.settings.sets import ConfigurationSets
from telemetry.protocol.bootloader.packets import Boot
from telemetry.protocol.bootloader.ssp_port import LINE
from telemetry.protocol.links.usb_boards import BoardMode
from telemetry.vehicle.vehicle import Fleet, Vehicle

_CAN_STOP = (UploadStage.WAITING, UploadStage.ASKING)
_SEEN_S = 3.0
_UNDER_WAY = "It is under way."
_CHOOSE = "Choose which board is meant."
_RUNS = "Its firmware runs. The page System restarts it."
_GONE = "Plug the chosen board in, or choose another."
_NO_BOARD = "Plug in a board by USB."
_CONNECT = (
    "Connect to it first, so that its settings can be kept and its firmware asked to go into its "
    "bootloader."
)
_UNKNOWN_MODE = "It is not known what runs on this board, so nothing is offered that could harm it."
_NOT_ASKED = "The bootloader has not answered yet."
_LINE = "Choose Rescue and restart the board: its bootloader is looked for on this line."


@dataclass(frozen=True, slots=True)
class FirmwareFile:
    """A file that was chosen: what it holds, and whether its objects are known; or the `problem`
    with it, one sentence."""

    path: Path
    image: FirmwareImage | None = None
    definitions: Finding | None = None
    problem: str = ""


class FirmwareWork:
    """`at_hand` has the boards that are there, `update` the last thing that was begun."""

    def __init__(
        self,
        fleet: Fleet,
        jobs: Executor,
        bootloaders: Bootloaders,
        folders: Folders,
        clock: Callable[[], float] = monotonic_s,
        wait: Callable[[float], object] | None = None,
    ) -> None:
        self.at_hand = BoardsAtHand(bootloaders, fleet, jobs, clock)
        self.file: FirmwareFile | None = None
        self.consent = Consent()
        self.update: FirmwareUpdate | None = None
        self._jobs = jobs
        self._bootloaders = bootloaders
        self._uploads = PendingUploads(folders.pending_uploads)
        self._sets = ConfigurationSets(folders.configuration_sets)
        self._definitions = folders.definitions
        self._clock = clock
        self._wait = wait or Event().wait
        self._ended: FirmwareUpdate | None = None
        self._used_address = ""
        self._seen_s = -_SEEN_S
        self._reading: Future[FirmwareFile] | None = None
        self._interrupted = InterruptedUploads(self._uploads, bootloaders, jobs)

    # How it is

    @property
    def is_busy(self) -> bool:
        """Whether an update is under way."""
        return self.update is not None and not self.update.is_over

    @property
    def is_watchful(self) -> bool:
        """Whether a board that appears has to be held within its 6 s, or somebody looks for it."""
        is_seen = self._clock() - self._seen_s < _SEEN_S
        return is_seen or self.at_hand.is_rescuing or bool(self._interrupted.waiting)

    @property
    def objection(self) -> str:
        """Why the station should not be closed now; "" if nothing is against it."""
        if not self.is_busy or self.update is None:
            return ""
        stage = self.update.progress.stage
        if not self.update.has_begun:
            return f"Something is done with a board ({stage}). Closing ends it."
        return (
            f"Firmware is being put on a board ({stage}). Closing interrupts "
            "it: the board may have no whole firmware then, and the next start goes on with it. "
            "Let it end first, and leave the board plugged in."
        )

    @property
    def pending(self) -> tuple[PendingUpload, ...]:
        """What was interrupted on boards that have not come back, or have other firmware."""
        return () if self.is_busy else self._interrupted.waiting

    @property
    def vehicle(self) -> Vehicle | None:
        """The aircraft whose firmware answers and whose board is chosen."""
        place = self.at_hand.chosen
        return self.at_hand.vehicle_of(place) if place is not None else None

    @property
    def board_name(self) -> str:
        """What consent is given for by name: the chosen board, as it is listed."""
        place = self.at_hand.chosen
        if place is None or place.board is None:
            return self.at_hand.address
        return f"{place.board.name} {place.board.serial}".strip()

    def refusal(self) -> str:
        """Why no upload can begin now; "" if one can."""
        reason = self._why_no_board() or self.file_refusal()
        if reason:
            return reason
        can_keep = self.vehicle is not None
        return self.consent.missing(self.board_name, can_keep=can_keep)

    def file_refusal(self) -> str:
        """Why the file may not be put on the chosen board: asked before and after it is in its
        bootloader, by the same guard."""
        if self.file is None:
            return "Choose a file."
        image, reading = self.file.image, self.at_hand.reading
        if image is None:
            return self.file.problem
        if reading is not None:
            return refusal(image, reading.content.device)
        return refusal_by_table(image, self.at_hand.who().board)

    def start_refusal(self, boot: Boot) -> str:
        """Why no firmware can be started so now; "" if it can."""
        reason = self._why_no_board()
        if reason or self.vehicle is not None:
            return reason or (_RUNS if boot is Boot.NORMAL else "")
        if boot is not Boot.ERASE_SETTINGS:
            return ""
        return self.consent.missing_loss(self.board_name)

    def cancel_refusal(self) -> str:
        """Why what is under way cannot be stopped now; "" if it can."""
        if self.update is None or self.update.is_over:
            return "Nothing is under way."
        return "" if self.update.progress.stage in _CAN_STOP else TOO_LATE

    # What the user does

    def see(self) -> None:
        """Somebody looks now; call it again and again."""
        self._seen_s = self._clock()

    def open_file(self, path: Path, board: int | None = None) -> None:
        """Read a file; `board` says whose a .bin is."""
        self._reading = self._jobs.submit(_read_file, path, board, self._definitions)

    def begin_upload(self) -> None:
        """Do what `refusal` has nothing against. Raises RuntimeError with the reason if it has."""
        image = self.file.image if self.file is not None else None
        reason = self.refusal()
        if reason or image is None:
            raise RuntimeError(reason)
        self._begin(FirmwareUpload(image, self._awaiting(), self._uploads, clock=self._clock))

    def begin_again(self, upload: PendingUpload) -> None:
        """Go on with what was interrupted, as soon as its board is there."""
        if self.is_busy:
            raise RuntimeError(_UNDER_WAY)
        self._used_address = upload.address
        connect = self._bootloaders.awaiting(upload.address, self._wait, self._clock)
        self.update = FirmwareUpdate(
            FirmwareUpload(
                upload.image,
                connect,
                self._uploads,
                is_resumed=True,
                kept_set=upload.kept_set,
                clock=self._clock,
            ),
            self._clock,
        )

    def forget(self, upload: PendingUpload) -> None:
        """What was interrupted is not wanted any more."""
        self._interrupted.forget(upload)

    def put_aside(self) -> None:
        """What has ended is told no more: another board or file is looked at."""
        if not self.is_busy:
            self.update = None

    def look_for_interrupted(self) -> None:
        """See anew what was interrupted: another program may have changed it."""
        self._interrupted.look()

    def begin_start(self, boot: Boot) -> None:
        """Start the firmware. Raises RuntimeError with the reason if it cannot be."""
        reason = self.start_refusal(boot)
        if reason:
            raise RuntimeError(reason)
        self._begin(FirmwareStart(self._awaiting(), boot))

    def cancel(self) -> str:
        """Stop what is under way. Returns why not, where it is too late."""
        return self.update.cancel() if self.update is not None else ""

    def poll(self) -> None:
        """Move on; a few times a second will do."""
        self.at_hand.poll(is_used=self.is_busy or self._interrupted.is_reading)
        if self._reading is not None and self._reading.done():
            self.file, self._reading = self._reading.result(), None
        if self.update is not None:
            self.update.poll()
            if self.update.is_over and self.update is not self._ended:
                self._ended = self.update
                self._interrupted.leave(self._used_address)
                self.look_for_interrupted()
        is_used = self.is_busy or self.at_hand.is_asking
        upload = self._interrupted.poll(self.at_hand.places, is_used=is_used)
        if upload is not None and not self.is_busy:
            self.begin_again(upload)

    # Inside

    def _begin(self, work: BootloaderWork) -> None:
        vehicle = self.vehicle
        kept = self._keep(vehicle) if vehicle is not None else None
        self.consent = Consent()  # what was said counts once
        self._used_address = self.at_hand.address
        self.update = FirmwareUpdate(work, self._clock, vehicle, kept)

    def _keep(self, vehicle: Vehicle) -> KeptSettings:
        try:
            kept = keep_settings(configuration_of(vehicle), self._sets, local_now())
        except SettingsError as error:
            raise RuntimeError(f"Nothing was begun: {error}") from error
        return replace(kept, missing=max(0, vehicle.status.total - vehicle.status.fetched))

    def _awaiting(self) -> Connect:
        address, vehicle = self.at_hand.address, self.vehicle
        connect = self._bootloaders.awaiting(address, self._wait, self._clock)
        if vehicle is None or not address.startswith(LINE):
            return connect

        def after_leaving(before: str, is_stopped: Callable[[], bool]) -> HeldBoard | None:
            vehicle.close()  # its link holds the line that the bootloader speaks on
            return connect(before, is_stopped)

        return after_leaving

    def _why_no_board(self) -> str:
        if self.is_busy:
            return _UNDER_WAY
        place = self.at_hand.chosen
        if place is None and self.at_hand.address:
            return _GONE
        if place is None:
            return _CHOOSE if self.at_hand.places else _NO_BOARD
        vehicle = self.at_hand.vehicle_of(place)
        if vehicle is not None:
            return why_not(vehicle)
        if place.board is not None and place.board.mode is BoardMode.UNKNOWN:
            return _UNKNOWN_MODE
        if place.board is not None and not place.is_bootloader:
            return _CONNECT
        if self.at_hand.is_asking or self._interrupted.is_reading:
            return "The bootloader is being asked."
        if self.at_hand.reading is None:
            return self.at_hand.problem or (_LINE if place.board is None else _NOT_ASKED)
        return ""


def firmware_work_of(fleet: Fleet, jobs: Executor, folders: Folders | None = None) -> FirmwareWork:
    """The firmware work of the station that has this fleet, made when first asked for: in these
    folders, else in those of the present user."""

    def make() -> FirmwareWork:
        used = folders or Folders.of_user(os.environ)
        return FirmwareWork(fleet, jobs, system_bootloaders(used.pending_uploads), used)

    return fleet.attachment("firmware.work", make)


def _read_file(path: Path, board: int | None, definitions: Path) -> FirmwareFile:
    try:
        image = read_image_file(path, board)
    except FirmwareFileError as error:
        return FirmwareFile(path, problem=str(error))
    about = image.about
    finding = definitions_finding(about.uavo_hash, definitions) if about is not None else None
    return FirmwareFile(path, image, finding)
