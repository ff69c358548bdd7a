"""Session statistics: what is counted about a link, and how it is told to the other side."""

from dataclasses import dataclass, field

from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.values import pack_values
from telemetry.protocol.session.codec import Codec
from telemetry.protocol.session.config import SessionState
from telemetry.protocol.wire.dialect import Dialect


@dataclass(frozen=True, slots=True)
class Counters:
    """Totals since the session began.

    `frames` arrived whole, `crc_errors` and `junk_bytes` were lost on the way;
    `unknown_frames` carried ids nobody knows and `misfits` lengths that no definition has.
    """

    rx_bytes: int = 0
    tx_bytes: int = 0
    frames: int = 0
    objects: int = 0
    crc_errors: int = 0
    junk_bytes: int = 0
    unknown_frames: int = 0
    misfits: int = 0
    retries: int = 0
    failures: int = 0


def count(codec: Codec, retries: int = 0, failures: int = 0) -> Counters:
    """The present totals."""
    decoder = codec.decoder
    return Counters(
        rx_bytes=decoder.bytes,
        tx_bytes=codec.tx_bytes,
        frames=decoder.frames,
        objects=codec.rx_objects,
        crc_errors=decoder.crc_errors,
        junk_bytes=decoder.junk_bytes,
        unknown_frames=codec.unknown_frames,
        misfits=codec.misfits,
        retries=retries,
        failures=failures,
    )


@dataclass(slots=True)
class Reporter:
    """Fills GCSTelemetryStats or FlightTelemetryStats from counters; rates since the last time."""

    _last: Counters = field(default_factory=Counters)
    _last_s: float | None = None

    def pack(
        self, definition: ObjectDefinition, status: str, counters: Counters, now: float
    ) -> bytes:
        """The packed statistics object. Rates are bytes per second since the last report."""
        elapsed = now - self._last_s if self._last_s is not None else 0.0
        per_second = 1.0 / elapsed if elapsed > 0.0 else 0.0
        values: dict[str, float | int | str] = {
            "TxDataRate": (counters.tx_bytes - self._last.tx_bytes) * per_second,
            "TxBytes": counters.tx_bytes & 0xFFFFFFFF,
            "TxFailures": counters.failures,
            "TxRetries": counters.retries,
            "RxDataRate": (counters.rx_bytes - self._last.rx_bytes) * per_second,
            "RxBytes": counters.rx_bytes & 0xFFFFFFFF,
            "RxFailures": counters.unknown_frames + counters.misfits,
            "RxSyncErrors": counters.junk_bytes,
            "RxCrcErrors": counters.crc_errors,
            "Status": status,
        }
        self._last, self._last_s = counters, now
        known = {name: value for name, value in values.items() if definition.has_field(name)}
        return pack_values(definition, known)


def pack_silent(definition: ObjectDefinition, status: str) -> bytes:
    """The statistics of an end that is not connected: all zero but the status."""
    return pack_values(definition, {"Status": status})


@dataclass(frozen=True, slots=True)
class SessionStatus:
    """A session at one moment. `unknown_ids` are of objects that nobody has a definition of;
    `missing` names wanted objects that did not come, `last_heard` is when the last whole frame did
    (None before any).
    """

    state: SessionState
    fetched: int
    total: int
    release: str
    unknown_ids: frozenset[int]
    dialect: Dialect
    counters: Counters
    last_heard: float | None = None
    missing: tuple[str, ...] = ()

    @property
    def unknown_objects(self) -> int:
        """How many objects nobody has a definition of."""
        return len(self.unknown_ids)
