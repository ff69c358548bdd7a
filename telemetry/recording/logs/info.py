"""Log info: what a log holds, in numbers; the value behind `lapwing log info`."""

from dataclasses import asdict, dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class ObjectInfo:
    """One object id: how many values came, their mean rate over the whole log, and how often the
    object was asked for and refused (NACK). Acknowledgements count as nothing."""

    id: int
    count: int
    rate_hz: float
    requests: int = 0
    refusals: int = 0

    def as_json(self) -> dict[str, Any]:
        """As it stands in the dictionary of `LogInfo`."""
        return {**asdict(self), "id": f"0x{self.id:08X}", "rate_hz": round(self.rate_hz, 3)}


@dataclass(frozen=True, slots=True)
class WireInfo:
    """How the aircraft writes: "?" and None where the log has no frame that tells."""

    instance_id: Literal["always", "multi", "?"]
    metadata_bytes: int | None


@dataclass(frozen=True, slots=True)
class LogInfo:
    """Counts over a whole log.

    `junk_bytes` lie outside good frames, between records or within them. `unknown_frames`
    belong to objects that no known release defines, or have a length their object never has.
    `per_object` has the objects of which a value came, metaobjects and unknown ones too, and
    `objects` is their number; `without_value` has those that were only asked for. `reboots` are
    the times at which the aircraft was first seen restarted.
    """

    records: int
    frames: int
    crc_errors: int
    junk_bytes: int
    unknown_frames: int
    objects: int
    first_s: float
    last_s: float
    release: str | None
    wire: WireInfo
    reboots: tuple[float, ...]
    per_object: dict[str, ObjectInfo]
    without_value: dict[str, ObjectInfo]

    def as_json(self) -> dict[str, Any]:
        """The dictionary that `lapwing log info --json` prints; other programs rely on it."""
        return {
            **asdict(self),
            "first_s": round(self.first_s, 3),
            "last_s": round(self.last_s, 3),
            "reboots": [round(t, 3) for t in self.reboots],
            "per_object": {name: entry.as_json() for name, entry in self.per_object.items()},
            "without_value": {name: entry.as_json() for name, entry in self.without_value.items()},
        }
