"""Boards in their bootloader as messages that lead to the page *Firmware*, whatever shows."""

from collections.abc import Callable
from dataclasses import replace

from app.messages import Message, Messages
from telemetry.base.finding import Level
from telemetry.configuration.firmware.pending import PendingUpload
from telemetry.configuration.firmware.work import FirmwareWork

RATE_HZ = 4


class BootloaderMonitor:
    """Moves the firmware work on too, which goes on behind other pages. `show` leads to the page.
    For the GUI thread; call `poll` on the tick."""

    def __init__(self, work: FirmwareWork, messages: Messages, show: Callable[[], object]) -> None:
        self._work = work
        self._messages = messages
        self._show = show
        self._told: dict[str, Message] = {}

    def poll(self) -> None:
        """Tell of each bootloader and of each board that an upload waits for, until it is over."""
        self._work.poll()
        if self._work.is_busy:
            return
        now = self._conditions()
        for topic in now.keys() - self._told.keys():
            self._messages.put(now[topic])
        for topic in self._told.keys() - now.keys():
            over = replace(self._told[topic], text="", lasts=False, is_over=True, remedy=None)
            self._messages.put(over)
        self._told = now

    def _conditions(self) -> dict[str, Message]:
        found = [
            self._message(
                f"bootloader/{place.address}",
                "Bootloader",
                f"{place.title} is there. The page Firmware says what is on it, puts firmware on "
                "it, and starts it.",
            )
            for place in self._work.at_hand.bootloaders
        ]
        found += [self._waiting(upload) for upload in self._work.pending]
        return {message.topic: message for message in found}

    def _waiting(self, upload: PendingUpload) -> Message:
        topic = f"upload/{upload.serial}"
        waiting = self._message(topic, "Upload not finished", upload.sentence)
        return replace(waiting, level=Level.WARNING)

    def _message(self, topic: str, title: str, text: str) -> Message:
        return Message(
            text,
            topic=topic,
            title=title,
            lasts=True,
            remedy_title="Show Firmware",
            remedy=self._show,
        )
