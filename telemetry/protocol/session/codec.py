"""Object codec between frames and objects: definitions, dialect, and what is to be sent.

`define` decides which objects exist: the whole catalogue for a station, the firmware's own
objects for an aircraft.
"""

from collections.abc import Callable

from telemetry.protocol.objects.definition import ALL_INSTANCES, ObjectDefinition
from telemetry.protocol.objects.metadata import metaobject
from telemetry.protocol.wire.decoder import FrameDecoder
from telemetry.protocol.wire.dialect import Dialect, DialectDetector, Parts
from telemetry.protocol.wire.frame import DATA_TYPES, TIMESTAMPED, Frame, FrameType

Define = Callable[[int], ObjectDefinition | None]


class KnownObject:
    """A known object id with what the receiving path needs at hand."""

    __slots__ = ("definition", "is_meta", "named_size", "object_id", "single", "size")

    def __init__(self, definition: ObjectDefinition) -> None:
        self.definition = definition
        self.object_id = definition.object_id
        self.is_meta = definition.meta_of is not None
        self.single = definition.single_instance
        self.size = definition.size
        self.named_size = definition.size + 2


class Codec:
    """The bytes of one end of a conversation, in both directions, and what is counted there."""

    def __init__(self, define: Define, dialect: Dialect, *, learns: bool) -> None:
        """`learns`: take over the dialect that the other side is heard to speak."""
        self.decoder = FrameDecoder()
        self.dialect = dialect
        self.tx_bytes = 0
        self.rx_objects = 0
        self.unknown_frames = 0
        self.misfits = 0
        self._define = define
        self._detector = DialectDetector()
        self._is_settled = not learns
        self._learns_metadata = learns
        self._entries: dict[int, KnownObject] = {}
        self._outbox = bytearray()

    @property
    def heard_instance_id(self) -> str:
        """Where the other side puts instance ids: "always", "multi", or "?" so far."""
        return self._detector.instance_id

    def entry(self, object_id: int) -> KnownObject | None:
        """The object with this id, or None if it does not exist here."""
        try:
            return self._entries[object_id]
        except KeyError:
            return self._look_up(object_id)

    def values(self, frame: Frame, entry: KnownObject) -> tuple[int, bytes] | None:
        """Instance and payload of a frame that carries values. The hot path of a session."""
        body = frame.body
        is_plain = len(body) == entry.named_size and frame.type < TIMESTAMPED
        if is_plain and self._is_settled and not entry.is_meta:
            return body[0] | body[1] << 8, body[2:]
        parts = self.split(frame, entry)
        return None if parts is None else (parts.instance, parts.payload)

    def split(self, frame: Frame, entry: KnownObject) -> Parts | None:
        """Take apart a frame of a known object; None (and counted) if its length is wrong."""
        if not self._is_settled or (entry.is_meta and self._learns_metadata):
            self._learn(frame, entry)
        parts = self.dialect.split(frame, entry.size, entry.single, entry.is_meta)
        is_value = frame.type in DATA_TYPES
        if parts is None or (is_value and len(parts.payload) != entry.size):
            self.misfits += 1
            return None
        return parts

    def define_anew(self) -> None:
        """`define` says other things than before of the same ids: another release answers."""
        for object_id, known in self._entries.items():
            if not known.is_meta:
                known.definition = self._define(object_id) or known.definition

    def learn_anew(self) -> None:
        """The other side may speak another dialect from now on."""
        self._detector = DialectDetector()
        self._is_settled = False
        self._learns_metadata = True

    def put(
        self, frame_type: FrameType, definition: ObjectDefinition, instance: int, payload: bytes
    ) -> None:
        """Queue a frame. Raises ValueError as `check` does."""
        if instance or len(payload) != definition.size:  # the usual needs no closer look
            check(frame_type, definition, instance, payload)
        self._outbox += self.dialect.encode(
            frame_type, definition.object_id, instance, definition.single_instance, payload
        )

    def refuse(self, object_id: int, instance: int) -> None:
        """Queue a NACK, which may name an object that does not exist here."""
        self._outbox += self.dialect.encode(FrameType.NACK, object_id, instance, True)

    def take_outgoing(self) -> bytes:
        """All queued bytes, whole frames, once."""
        data = bytes(self._outbox)
        self._outbox.clear()
        self.tx_bytes += len(data)
        return data

    def _look_up(self, object_id: int) -> KnownObject | None:
        definition = self._define(object_id)
        if definition is None and object_id & 1:
            parent = self._define(object_id - 1)
            if parent is not None:
                definition = metaobject(parent, self.dialect.metadata_bytes)
        if definition is None:
            return None  # it may be defined by the next time
        entry = self._entries[object_id] = KnownObject(definition)
        return entry

    def _learn(self, frame: Frame, entry: KnownObject) -> None:
        detector = self._detector
        detector.observe(frame, entry.size, entry.single, entry.is_meta)
        if detector.instance_id == "?":
            return
        self._is_settled = True
        self._learns_metadata = detector.metadata_bytes is None
        learned = detector.dialect
        if detector.metadata_bytes is None and learned.instance_id == self.dialect.instance_id:
            return  # the size in use is as good a guess as any
        if learned.metadata_bytes != self.dialect.metadata_bytes:
            for known in self._entries.values():
                if known is not None and known.is_meta:
                    self._resize(known, learned.metadata_bytes)
        self.dialect = learned

    def _resize(self, entry: KnownObject, metadata_bytes: int) -> None:
        parent = self._define(entry.object_id - 1)
        if parent is not None:
            entry.definition = metaobject(parent, metadata_bytes)
            entry.size = entry.definition.size
            entry.named_size = entry.size + 2


def check(
    frame_type: FrameType, definition: ObjectDefinition, instance: int, payload: bytes
) -> None:
    """Raise ValueError for what would halt real firmware, or what it would not take."""
    if instance != 0 and definition.single_instance:
        asks_all = frame_type is FrameType.OBJ_REQ and instance == ALL_INSTANCES
        if not asks_all:
            raise ValueError(f"{definition.name} has one instance only, {instance} cannot be sent")
    if payload and len(payload) != definition.size:
        raise ValueError(f"{definition.name} has {definition.size} bytes, not {len(payload)}")
