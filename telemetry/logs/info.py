"""What a log holds, in numbers: the value behind `lapwing log info`."""

from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class ObjectInfo:
    """Frames of one object id, of any type; the rate is their mean over the whole log."""

    id: int
    count: int
    rate_hz: float


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
    `objects` counts distinct ids, metaobjects' and unknown ones too. `reboots` are the times
    at which the aircraft was first seen restarted.
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

    def as_json(self) -> dict[str, Any]:
        """The dictionary that `lapwing log info --json` prints; other programs rely on it."""
        return {
            "records": self.records,
            "frames": self.frames,
            "crc_errors": self.crc_errors,
            "junk_bytes": self.junk_bytes,
            "unknown_frames": self.unknown_frames,
            "objects": self.objects,
            "first_s": round(self.first_s, 3),
            "last_s": round(self.last_s, 3),
            "release": self.release,
            "wire": {
                "instance_id": self.wire.instance_id,
                "metadata_bytes": self.wire.metadata_bytes,
            },
            "reboots": [round(t, 3) for t in self.reboots],
            "per_object": {
                name: {
                    "id": f"0x{entry.id:08X}",
                    "count": entry.count,
                    "rate_hz": round(entry.rate_hz, 3),
                }
                for name, entry in self.per_object.items()
            },
        }
