"""Aircraft identity: its board, serial number and firmware, from FirmwareIAPObj."""

from dataclasses import dataclass
from datetime import datetime

from telemetry.configuration.hardware.board_names import board_name
from telemetry.protocol.objects.firmware_description import (
    OBJECT_NAME,
    FirmwareDescription,
    read_description,
)
from telemetry.recording.recording import Recording
from telemetry.recording.sample import Sample

_BLANK: tuple[set[str], ...] = (set(), {"00"}, {"ff"})


@dataclass(frozen=True, slots=True)
class Identity:
    """What tells one aircraft from another; empty where it is not known.

    `board` is type and revision as limits name them (0x0903). `serial` and the hashes are
    hexadecimal. `firmware` is the tag of a release or the name of a branch.
    """

    board: int = 0
    serial: str = ""
    firmware: str = ""
    firmware_date: datetime | None = None
    firmware_hash: str = ""
    uavo_hash: str = ""

    @property
    def is_known(self) -> bool:
        """Whether the board has said who it is."""
        return bool(self.board)

    @property
    def has_serial(self) -> bool:
        """Whether the serial number tells this board from others: simulated ones have none."""
        return {self.serial[i : i + 2] for i in range(0, len(self.serial), 2)} not in _BLANK

    @property
    def board_name(self) -> str:
        """What the hardware is called, or its number where nobody knows a name."""
        if not self.board:
            return "unknown board"
        return board_name(self.board)

    @property
    def firmware_text(self) -> str:
        """Tag, date and hash in one line."""
        date = f"{self.firmware_date:%Y-%m-%d}" if self.firmware_date else ""
        return ", ".join(part for part in (self.firmware, date, self.firmware_hash) if part)


def identity_of(sample: Sample | None) -> Identity:
    """Read FirmwareIAPObj of any release; nothing is known without a sample."""
    if sample is None:
        return Identity()
    board = (int(sample["BoardType"]) << 8) | (int(sample["BoardRevision"]) & 0xFF)
    serial = _bytes(sample, "CPUSerial").hex()
    return identity_by(read_description(_bytes(sample, "Description")), board, serial)


def identity_by(about: FirmwareDescription | None, board: int, serial: str = "") -> Identity:
    """A board with a firmware that describes itself so; None for one that does not."""
    if about is None:
        return Identity(board, serial)
    return Identity(board, serial, about.tag, about.date, about.commit, about.uavo_hash)


def identity_in(recording: Recording, t: float | None = None) -> Identity:
    """Who flew in a recording at `t`, or at its end."""
    at_s = recording.last_s if t is None else t
    return identity_of(recording.latest(OBJECT_NAME, at_s))


def _bytes(sample: Sample, field: str) -> bytes:
    if not sample.definition.has_field(field):
        return b""
    return bytes(int(number) & 0xFF for number in sample[field])
