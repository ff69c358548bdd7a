"""Claimed port: a way to a bootloader that nobody else speaks to meanwhile, in any program.

A question from another one would end an upload, and a start would start what is torn.
"""

import errno
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from telemetry.base.escaping import file_name_text
from telemetry.base.file_lock import locked
from telemetry.protocol.bootloader.packet_port import PacketPort
from telemetry.protocol.links.link import LinkError

_TAKEN: Final = (
    "Another window or command speaks to this board's bootloader. Let it end, and try again."
)


class ClaimedPort:
    """A `PacketPort` that `open_port` opens once the board `serial` is claimed. Raises LinkError
    where another one has it."""

    def __init__(self, folder: Path, serial: str, open_port: Callable[[], PacketPort]) -> None:
        with ExitStack() as claim:
            _take(claim, folder, folder / f"{file_name_text(serial)}.upload")
            port = open_port()
            claim.callback(port.close)
            self._claim = claim.pop_all()
        self.name, self.send, self.receive = port.name, port.send, port.receive

    def close(self) -> None:
        """See `PacketPort.close`."""
        self._claim.close()


def _take(claim: ExitStack, folder: Path, path: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        claim.enter_context(locked(path, longest_s=0.0))
    except OSError as error:
        unkept = f"{folder} cannot be written: {error.strerror}."
        raise LinkError(_TAKEN if error.errno == errno.EBUSY else unkept) from error
