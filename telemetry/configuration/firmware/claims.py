"""Claims: one program at a time speaks to a board's bootloader. A question from another one would
end an upload, even one that only asks what is there."""

import errno
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from telemetry.base.escaping import file_name_text
from telemetry.base.file_lock import locked
from telemetry.protocol.bootloader.packet_port import PacketPort
from telemetry.protocol.links.link import LinkError

_CLAIMED: Final = (
    "Another window or command speaks to this board's bootloader. Let it end, and try again."
)


class Claims:
    """Which boards are spoken to, by serial number, in any program that has the same folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextmanager
    def held(self, serial: str) -> Iterator[None]:
        """Nobody else has this board meanwhile. Raises LinkError where another one has it."""
        with ExitStack() as claim:
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
                claim.enter_context(locked(self._folder / file_name_text(serial), longest_s=0.0))
            except OSError as error:
                unkept = f"{self._folder} cannot be written: {error.strerror}."
                raise LinkError(_CLAIMED if error.errno == errno.EBUSY else unkept) from error
            yield

    def open(self, serial: str, open_port: Callable[[], PacketPort]) -> PacketPort:
        """A port that nobody else opens until it is closed. Raises LinkError."""
        with ExitStack() as claim:
            claim.enter_context(self.held(serial))
            return _ClaimedPort(open_port(), claim.pop_all())


class _ClaimedPort:
    def __init__(self, port: PacketPort, claim: ExitStack) -> None:
        self.name = port.name
        self.send = port.send
        self.receive = port.receive
        self._port = port
        self._claim = claim

    def close(self) -> None:
        """See `PacketPort.close`."""
        self._port.close()
        self._claim.close()
