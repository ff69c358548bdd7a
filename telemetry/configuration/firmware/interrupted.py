"""Interrupted uploads: boards that wait for one are held when they appear, and it begins again.

A board that has a description again was mended otherwise meanwhile, and of one whose description
cannot be read that is not known: then somebody has to say so.
"""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor, Future
from typing import Final

from telemetry.configuration.firmware.access import BoardReading, Bootloaders
from telemetry.configuration.firmware.at_hand import BoardPlace
from telemetry.configuration.firmware.board_check import (
    FlashContent,
    FlashVerdict,
    code_verdict,
    description_verdict,
)
from telemetry.configuration.firmware.pending import PendingUpload, PendingUploads
from telemetry.protocol.bootloader.client import BootloaderError
from telemetry.protocol.links.link import LinkError

_MOST_TRIES: Final = 10


class InterruptedUploads:
    """`waiting` are those whose board has not come, or has other firmware by now. For the GUI
    thread; the disk and the boards are asked in jobs."""

    def __init__(self, uploads: PendingUploads, bootloaders: Bootloaders, jobs: Executor) -> None:
        self.waiting: tuple[PendingUpload, ...] = ()
        self._uploads = uploads
        self._bootloaders = bootloaders
        self._jobs = jobs
        self._tries: Counter[str] = Counter()
        """By address, since it appeared."""
        self._reading: tuple[PendingUpload, Future[BoardReading]] | None = None
        self._listing: Future[tuple[PendingUpload, ...]] | None = None
        self.look()

    @property
    def is_reading(self) -> bool:
        """Whether it is speaking to a bootloader, which nothing else may do meanwhile."""
        return self._reading is not None

    def look(self) -> None:
        """See anew what is on disk."""
        self._listing = self._jobs.submit(self._uploads.all)

    def forget(self, upload: PendingUpload) -> None:
        """It is not wanted any more."""
        self._uploads.remove(upload.serial)
        self.look()

    def leave(self, address: str) -> None:
        """An upload to the board there has just ended: as long as it stays plugged in another one
        is for the user to begin, or a board that takes none would be erased for ever."""
        self._tries[address] = _MOST_TRIES

    def poll(self, places: Sequence[BoardPlace], *, is_used: bool) -> PendingUpload | None:
        """The upload to begin again now, once for each board that appears; none while a bootloader
        `is_used` otherwise."""
        if self._listing is not None and self._listing.done():
            self.waiting, self._listing = self._listing.result(), None
        if self._reading is not None:
            return self._take_reading(*self._reading)
        there = {place.address for place in places if place.is_bootloader}
        self._tries = Counter({each: n for each, n in self._tries.items() if each in there})
        for upload in () if is_used else self.waiting:
            is_it = bool(upload.serial) and upload.address in there  # by "" it is not told
            if is_it and self._tries[upload.address] < _MOST_TRIES:
                self._tries[upload.address] += 1
                read = self._jobs.submit(self._bootloaders.read, upload.address, holds=True)
                self._reading = upload, read
                return None
        return None

    def _take_reading(
        self, upload: PendingUpload, reading: "Future[BoardReading]"
    ) -> PendingUpload | None:
        if not reading.done():
            return None
        self._reading = None
        try:
            content = reading.result().content
        except (LinkError, BootloaderError):  # the system may not be ready with it yet
            self.look()  # and another program may have finished it
            return None
        self.leave(upload.address)
        if _is_finished(upload, content):
            self.forget(upload)
            return None
        has_none = content.description is not None and content.about is None
        return upload if has_none else None


def _is_finished(upload: PendingUpload, content: FlashContent) -> bool:
    """Whether a board holds it; of what cannot be read back nobody knows, and the code counts."""
    described = description_verdict(upload.image, content.description)
    is_right = code_verdict(upload.image, content.device) is FlashVerdict.RIGHT
    return is_right and described is not FlashVerdict.WRONG
