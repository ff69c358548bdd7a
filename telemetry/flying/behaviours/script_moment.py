"""Script moments: what a behaviour script is told, a line of JSON at a time, at both ends.

    for moment in read_moments(sys.stdin):
        scan = moment.samples.get("lidar")
        print(sticks_line(roll=0.1), flush=True)

A line has `north_m`, `east_m`, `height_m`, `north_mps`, `east_mps`, `yaw_deg` and, once home is
known, `latitude_deg` and `longitude_deg`. Of an aircraft whose sensors look at something it has
`streams`, too: by name the newest sample since the line before, with its numbers in base64, and
the first time `description` (see `telemetry.protocol.streams.description_json`).
"""

import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from telemetry.protocol.streams.description_json import description_from_json, description_to_json
from telemetry.protocol.streams.samples import (
    PictureSample,
    ScanSample,
    StreamDescription,
    StreamSample,
    ValueSample,
)

LARGEST_SAMPLE: Final = 1 << 18
"""Bytes of a sample that is told: a picture of 320x240. Larger ones are not."""
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ScriptMoment:
    """Where the aircraft is (the numbers of a line, by name), and what its sensors have sent since
    the moment before; `descriptions` are of all streams so far."""

    pose: Mapping[str, float]
    samples: Mapping[str, StreamSample] = field(default_factory=dict)
    descriptions: Mapping[str, StreamDescription] = field(default_factory=dict)


class MomentWriter:
    """Writes the lines for one script."""

    def __init__(self) -> None:
        self._described: set[str] = set()

    def line(
        self,
        pose: Mapping[str, float],
        samples: Iterable[tuple[StreamDescription, StreamSample]] = (),
    ) -> bytes:
        """The line of a moment."""
        streams = {
            description.name: self._told(description, sample)
            for description, sample in samples
            if sample.nbytes <= LARGEST_SAMPLE
        }
        said: Json = {**pose, "streams": streams} if streams else {**pose}
        return json.dumps(said).encode("ascii") + b"\n"

    def _told(self, description: StreamDescription, sample: StreamSample) -> Json:
        told: Json = {"time_us": sample.time_us, "number": sample.number, **_arrays(sample)}
        if description.name not in self._described:
            self._described.add(description.name)
            told["description"] = description_to_json(description)
        return told


def read_moments(lines: Iterable[str]) -> Iterator[ScriptMoment]:
    """Every line that the station tells, as it comes. Raises StreamError or ValueError for a line
    that no station writes."""
    descriptions: dict[str, StreamDescription] = {}
    for line in lines:
        said: Json = json.loads(line)
        samples: dict[str, StreamSample] = {}
        for name, told in said.pop("streams", {}).items():
            if "description" in told:
                descriptions[name] = description_from_json(told["description"])
            samples[name] = _sample(told)
        yield ScriptMoment(said, samples, dict(descriptions))


def sticks_line(
    roll: float = 0.0, pitch: float = 0.0, yaw: float = 0.0, throttle: float = 0.0
) -> str:
    """What a script prints: each -1 to 1, those beyond cut. Pitch back is positive, and a throttle
    of 0 holds the height."""
    axes = [max(-1.0, min(1.0, value)) for value in (roll, pitch, yaw, throttle)]
    return json.dumps({"axes": axes})


def _arrays(sample: StreamSample) -> Json:
    if isinstance(sample, PictureSample):
        pixels = np.ascontiguousarray(sample.pixels)
        return {"pixels": _text(pixels), "shape": list(pixels.shape), "flaw": sample.flaw}
    if isinstance(sample, ValueSample):
        return {"values": sample.values.tolist()}
    told: Json = {"ranges_m": _text(sample.ranges_m.astype("<f4"))}
    if sample.intensities is not None:
        told["intensities"] = _text(sample.intensities.astype("<f4"))
    return told


def _sample(told: Json) -> StreamSample:
    stamp = told["time_us"], told["number"]
    if "pixels" in told:
        pixels = np.frombuffer(base64.b64decode(told["pixels"]), np.uint8)
        return PictureSample(*stamp, pixels.reshape(told["shape"]), told["flaw"])
    if "values" in told:
        return ValueSample(*stamp, np.array(told["values"], np.float64))
    intensities = told.get("intensities")
    return ScanSample(
        *stamp, _floats(told["ranges_m"]), None if intensities is None else _floats(intensities)
    )


def _text(array: np.ndarray[Any, Any]) -> str:
    return base64.b64encode(array.tobytes()).decode("ascii")


def _floats(text: str) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.frombuffer(base64.b64decode(text), "<f4").astype(np.float32)
