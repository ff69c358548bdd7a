"""Original metadata of a board's objects from before a temporary change, kept on disk.

So it is restored after a crash too.

One file per board names each object with the metadata it had before, as bytes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from telemetry.base.board_store import BoardStore
from telemetry.base.safe_files import Json
from telemetry.protocol.objects.metadata import Metadata


class OriginalMetadataError(Exception):
    """What boards had before cannot be kept or read; one sentence for the user."""


@dataclass(frozen=True, slots=True)
class OriginalMetadata:
    """An object whose metadata was changed: what it was before, as the board had packed it."""

    object_id: int
    name: str
    metadata: bytes


class OriginalMetadataStore:
    """The original metadata of all boards. Each change is on disk when the method returns, or in
    memory only where `folder` is None."""

    def __init__(self, folder: Path | None = None) -> None:
        self._files: BoardStore[Mapping[int, OriginalMetadata]] = BoardStore(folder, _pack, _parse)

    def of(self, board: str) -> dict[int, OriginalMetadata]:
        """What was changed on a board and is not known to be restored, by object id.

        Raises OriginalMetadataError for a damaged file, which is moved aside: the next call takes
        up what stood in the file before it.
        """
        originals = self._files.get(board) or {}
        if self._files.problem:
            raise OriginalMetadataError(
                f"What this board sent before it was changed is not known. {self._files.problem} "
                "Load its settings anew, or power it up again; then connect again."
            )
        return dict(originals)

    def add(self, board: str, original: OriginalMetadata) -> None:
        """Keep what an object had, before anything is changed on board.

        The first one of an object counts: a later one would be our own change. Raises
        OriginalMetadataError if that is not possible; then nothing may be changed.
        """
        self._put(board, {original.object_id: original, **self.of(board)})

    def replace(self, board: str, original: OriginalMetadata) -> None:
        """Somebody has changed for good what is changed for a while: that is what is restored now.

        Raises OriginalMetadataError if it cannot be kept.
        """
        self._put(board, {**self.of(board), original.object_id: original})

    def remove(self, board: str, object_id: int) -> None:
        """Forget an object that was restored."""
        originals = self.of(board)
        if originals.pop(object_id, None) is not None:
            self._put(board, originals)

    def _put(self, board: str, originals: Mapping[int, OriginalMetadata]) -> None:
        if not self._files.put(board, originals or None):
            raise OriginalMetadataError(
                "What the board sends by itself cannot be kept on disk, so it is not changed: "
                f"{self._files.problem} Make room there and try again."
            )


def _pack(originals: Mapping[int, OriginalMetadata]) -> Json:
    entries = [
        {"name": one.name, "id": f"{one.object_id:08X}", "metadata": one.metadata.hex()}
        for one in originals.values()
    ]
    return {"loans": entries}  # so called since version 0.1.0


def _parse(content: Json) -> Mapping[int, OriginalMetadata]:
    originals = [_original(entry) for entry in content["loans"]]
    return {one.object_id: one for one in originals}


def _original(entry: Mapping[str, str]) -> OriginalMetadata:
    metadata = bytes.fromhex(entry["metadata"])
    Metadata.unpack(metadata)  # raises for what no board ever had
    return OriginalMetadata(int(entry["id"], 16), str(entry["name"]), metadata)
