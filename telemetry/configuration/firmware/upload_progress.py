"""Upload progress: how far one has come, in stages, each with an estimate of how long it takes."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from telemetry.protocol.bootloader.packets import packet_count


class UploadStage(StrEnum):
    """Where an upload is. The first cannot be gone back from but by the whole upload, from ERASING
    on; those from DONE on are ends."""

    WAITING = "waiting for the board"
    ASKING = "asking the board"
    ERASING = "erasing"
    SENDING = "sending"
    DESCRIBING = "writing the description"
    VERIFYING = "verifying"
    STARTING = "starting the firmware"
    DONE = "done"
    REFUSED = "refused"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


ENDS: Final = (
    UploadStage.DONE,
    UploadStage.REFUSED,
    UploadStage.CANCELLED,
    UploadStage.INTERRUPTED,
    UploadStage.FAILED,
)
_TIMED: Final = (
    UploadStage.ERASING,
    UploadStage.SENDING,
    UploadStage.DESCRIBING,
    UploadStage.VERIFYING,
)

_ERASE_S_PER_BYTE: Final = 16.0 / 0xA0000
"""Of the slowest boards; most take half of it."""
_PACKET_S: Final = 0.004
_SHORT_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class UploadProgress:
    """How an upload is at one instant. `share` is of all of it, 0 to 1; `seconds_left` is None
    where nobody knows. `attempt` counts from 1, after each fault. `sentence` says what is so."""

    stage: UploadStage
    share: float
    seconds_left: float | None
    attempt: int
    sentence: str

    @property
    def is_over(self) -> bool:
        """Whether nothing comes any more."""
        return self.stage in ENDS


def plain_progress(stage: UploadStage, sentence: str, attempt: int = 1) -> UploadProgress:
    """Progress of what has no stages of which it is known how long they take."""
    return UploadProgress(stage, 1.0 if stage is UploadStage.DONE else 0.0, None, attempt, sentence)


class StageTimes:
    """Share and time left of the stages that take long, from when each began."""

    def __init__(self, upload_bytes: int) -> None:
        self._estimates_s: dict[UploadStage, float] = dict.fromkeys(_TIMED, _SHORT_S)
        self._estimates_s[UploadStage.SENDING] = packet_count(bytes(upload_bytes))[0] * _PACKET_S
        self._began_s = 0.0

    def begin(self, now_s: float) -> None:
        """A stage begins."""
        self._began_s = now_s

    def erases(self, region_bytes: int) -> None:
        """So much of the board is erased."""
        self._estimates_s[UploadStage.ERASING] = region_bytes * _ERASE_S_PER_BYTE

    def share_and_left(
        self, stage: UploadStage, sent: float, now_s: float
    ) -> tuple[float, float | None]:
        """How much is done, 0 to 1, and for how many seconds it goes on. `sent` is the share of the
        data that is on board."""
        if stage not in _TIMED:
            return (1.0 if stage in (UploadStage.STARTING, UploadStage.DONE) else 0.0), None
        at = _TIMED.index(stage)
        before_s = sum(self._estimates_s[earlier] for earlier in _TIMED[:at])
        later_s = sum(self._estimates_s[later] for later in _TIMED[at + 1 :])
        elapsed_s, whole_s = now_s - self._began_s, self._estimates_s[stage]
        if stage is UploadStage.SENDING:
            done_s = whole_s * sent
            left_s = elapsed_s * (1.0 - sent) / sent if sent else whole_s
        else:
            done_s = min(elapsed_s, whole_s)
            left_s = whole_s - done_s
        return (before_s + done_s) / (before_s + whole_s + later_s), left_s + later_s
