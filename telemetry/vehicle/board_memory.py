"""Board memory: the settings a board told last, shown at once when it is back, then verified.

Fetching all settings takes many seconds over a slow radio. Firmware tells its version by
FirmwareIAPObj, and nothing that tells its settings from others, so that each has to be asked for
all the same; until the board has said one again, it is from last time, and nothing that is sent to
the board may be made of it.

Only settings are kept: they hold until somebody changes them. What an aircraft does is never shown
from another day.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from telemetry.base.board_store import BoardStore, board_key
from telemetry.base.clock import wall_now
from telemetry.base.safe_files import Json
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.firmware_description import OBJECT_NAME as WHO
from telemetry.protocol.objects.values import row_of
from telemetry.protocol.session.config import SessionState
from telemetry.protocol.session.events import (
    ObjectReceived,
    ObjectSent,
    ReleaseDetected,
    SessionEvent,
    StateChanged,
)
from telemetry.protocol.session.transactions import Address
from telemetry.recording.recording import Recording


@dataclass(frozen=True, slots=True)
class ToldSetting:
    """One object instance as the board had packed it."""

    object_id: int
    instance: int
    name: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class BoardContent:
    """What a board told. `firmware` is its description as bytes: other firmware may mean other
    things by the same bytes. `told_at` is when, as ISO time."""

    firmware: bytes
    release: str
    told_at: str
    settings: tuple[ToldSetting, ...]

    @property
    def digest(self) -> str:
        """The state of the settings, as a hash."""
        said = hashlib.sha256()
        for one in self.settings:
            said.update(b"%d %d %d " % (one.object_id, one.instance, len(one.payload)))
            said.update(one.payload)
        return said.hexdigest()


ContentStore = BoardStore[BoardContent]


def content_store(folder: Path | None) -> ContentStore:
    """What all boards told, one file each; in memory only where `folder` is None."""
    return BoardStore(folder, _pack, _parse)


class BoardMemory:
    """Recalls and keeps the settings of the board at one address, over all its conversations.

    `unverified` are the addresses in the recording that are from last time. For the worker thread.
    """

    def __init__(
        self, store: ContentStore | None, catalogue: Catalogue, recording: Recording
    ) -> None:
        self.unverified: frozenset[Address] = frozenset()
        self._store = store
        self._catalogue = catalogue
        self._recording = recording
        self._told: dict[Address, ToldSetting] = {}
        self._board = self._release = ""
        self._firmware = b""
        self._is_complete = False

    def take(self, events: Iterable[SessionEvent], t: float) -> None:
        """Take what the session told at `t`, after it was recorded."""
        if self._store is None:
            return
        for event in events:
            if isinstance(event, ObjectReceived | ObjectSent):
                self._note(event)
                if event.definition.name == WHO:
                    self._meet(self._store, event, t)
            elif isinstance(event, ReleaseDetected):
                self._release = event.release
            elif isinstance(event, StateChanged) and event.state is SessionState.CONNECTED:
                self._is_complete = True
                self.keep()

    def keep(self) -> None:
        """Keep what the board told, if that is all of it. Where the disk does not take it, it is
        fetched the next time as it would have been anyway."""
        store = self._store
        if store is None or self.unverified or not (self._is_complete and self._board):
            return
        settings = tuple(self._told[address] for address in sorted(self._told))
        now = wall_now().isoformat(timespec="seconds")
        content = BoardContent(self._firmware, self._release, now, settings)
        before = store.get(self._board)
        if before is None or (before.digest, before.firmware) != (content.digest, self._firmware):
            store.put(self._board, content)

    def _note(self, event: ObjectReceived | ObjectSent) -> None:
        definition = event.definition
        if not definition.settings or definition.meta_of is not None:
            return
        address = (definition.object_id, event.instance)
        self._told[address] = ToldSetting(*address, definition.name, event.payload)
        if address in self.unverified:
            self.unverified -= {address}

    def _meet(self, store: ContentStore, event: ObjectReceived | ObjectSent, t: float) -> None:
        """The board says who it is: recall what it told when it had the same firmware."""
        row, definition = row_of(event.definition, event.payload), event.definition
        if not (definition.has_field("CPUSerial") and definition.has_field("Description")):
            return
        board = board_key(row["CPUSerial"].tobytes(), self._recording.source)
        firmware = row["Description"].tobytes()
        if (board, firmware) == (self._board, self._firmware):
            return
        self._board, self._firmware, self._is_complete = board, firmware, False
        content = store.get(board)
        if content is not None and content.firmware == firmware:
            self.unverified |= frozenset(self._recall(content, t))

    def _recall(self, content: BoardContent, t: float) -> Iterator[Address]:
        for one in content.settings:
            address = (one.object_id, one.instance)
            definition = self._catalogue.get(one.object_id, content.release)
            is_known = address in self._told or self._recording.track(*address) is not None
            if definition is None or is_known or len(one.payload) != definition.size:
                continue
            self._recording.append(t, definition, one.instance, one.payload)
            yield address


def _pack(content: BoardContent) -> Json:
    return {
        "firmware": content.firmware.hex(),
        "release": content.release,
        "told_at": content.told_at,
        "digest": content.digest,
        "settings": [
            {
                "name": one.name,
                "id": f"{one.object_id:08X}",
                "instance": one.instance,
                "values": one.payload.hex(),
            }
            for one in content.settings
        ],
    }


def _parse(json: Json) -> BoardContent:
    settings = tuple(
        ToldSetting(
            int(one["id"], 16), int(one["instance"]), str(one["name"]), bytes.fromhex(one["values"])
        )
        for one in json["settings"]
    )
    content = BoardContent(
        bytes.fromhex(json["firmware"]), str(json["release"]), str(json["told_at"]), settings
    )
    if content.digest != json["digest"]:
        raise ValueError("the settings are not those that were kept")
    return content
