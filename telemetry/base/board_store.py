"""Board store: what is kept of each board while it is away, one readable JSON file per board.

answers = BoardStore(folder, pack=Answers.to_json, parse=answers_from_json)
answers.put(board, Answers(frame="QuadX"))
answers.get(board)
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final, Generic, TypeVar
from zlib import crc32

from telemetry.base import safe_files
from telemetry.base.safe_files import Json

VERSION: Final = 1
_SIMULATED: Final = "sim:"
_BLANK_SERIALS: Final = (b"", b"\x00", b"\xff")

Content = TypeVar("Content")


def board_key(cpu_serial: bytes, address: str) -> str:
    """What tells one board from another: its processor's serial number. Whatever is kept of a board
    is kept by this.

    Where that tells none (all bytes alike, 00 or FF) it is the address too. So it is of an aircraft
    that the station simulates, with a number made of the whole address: the serial is that of its
    kind, which "sim:ar100b", "sim:ar100b?erased" and "sim:ar100b@office" have in common.
    """
    serial = cpu_serial.hex()
    is_simulated = address.startswith(_SIMULATED)
    if not is_simulated and bytes(sorted(set(cpu_serial))) not in _BLANK_SERIALS:
        return serial
    words = re.sub(r"[^A-Za-z0-9]+", "-", address)
    number = f"-{crc32(address.encode()):08x}" if is_simulated else ""
    return f"{serial or 'board'}-{words}{number}"


class BoardStore(Generic[Content]):
    """Content by board. A change is on the disk when `put` returns, or in memory only where
    `folder` is None.

    `pack` makes JSON of it and `parse` reads that again; it raises for what is not such content.
    A damaged file is moved aside and counts as the one before it, or as none. `problem` is a
    sentence about the last call that names the file; empty if all went well.
    """

    def __init__(
        self,
        folder: Path | None,
        pack: Callable[[Content], Json],
        parse: Callable[[Json], Content],
    ) -> None:
        self.problem = ""
        self._folder = folder
        self._pack = pack
        self._parse = parse
        self._memory: dict[str, Content] = {}

    def get(self, board: str) -> Content | None:
        """What is kept of a board; None if nothing is."""
        self.problem = ""
        if self._folder is None:
            return self._memory.get(board)
        path, earlier = _path(self._folder, board), _earlier_path(self._folder, board)
        if earlier is not None and earlier.exists() and not path.exists():
            path = earlier
        stored = safe_files.load(path, check=self._parse, otherwise="It counts as empty.")
        if stored.problem:
            self.problem = f"In {self._folder}: {stored.problem}"
        return None if stored.value is None else self._parse(stored.value)

    def put(self, board: str, content: Content | None) -> bool:
        """Keep something of a board instead of what was before; None keeps nothing of it.

        False, with the reason in `problem`, if the disk does not take it.
        """
        self.problem = ""
        if self._folder is None:
            self._memory.pop(board, None)
            if content is not None:
                self._memory[board] = content
            return True
        path = _path(self._folder, board)
        try:
            if content is None:
                safe_files.delete(path)
            else:
                safe_files.save(path, {"board": board, **self._pack(content)}, VERSION)
            if (earlier := _earlier_path(self._folder, board)) is not None:
                safe_files.delete(earlier)
        except OSError as error:
            self.problem = f"{path} cannot be written ({error.strerror})."
        return not self.problem


def _path(folder: Path, board: str) -> Path:
    return folder / f"{re.sub(r'[^A-Za-z0-9-]+', '-', board) or 'board'}.json"


def _earlier_path(folder: Path, board: str) -> Path | None:
    """Where version 0.1.0 kept what is of a simulated aircraft: by the serial of its kind. It is
    taken for that of "sim:NAME" itself, and of none with options or a world."""
    parts = re.fullmatch(r"([0-9a-f]+)-sim-(.+)-([0-9a-f]{8})", board)
    if parts is None or crc32(f"{_SIMULATED}{parts[2]}".encode()) != int(parts[3], 16):
        return None
    return _path(folder, parts[1])
