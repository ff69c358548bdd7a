"""Sensor settings of a mount: its numbers and faults, checked before it takes anything."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.aircraft.aircraft import FOLDER as AIRCRAFT_FOLDER
from simulation.aircraft.parameters.mounts import SensorMount
from simulation.files.parameter_file import NumberKey, ParameterError, ParameterFile, Schema
from simulation.mathematics.rotation import set_euler
from telemetry.protocol.streams.samples import StreamDescription, StreamKind

Array = npt.NDArray[np.float64]
Columns = Sequence[tuple[str, str]]

TIMING_KEYS: Final[Schema] = {
    "rate_hz": NumberKey(0.01, 1000.0),
    "delay_ms": NumberKey(0.0, 10_000.0, default=0.0),
}
"""Of every sensor. The delay runs from the end of what a sample looks at until it is there."""
COMMON_FAULTS: Final[Schema] = {
    "lost": NumberKey(0.0, 1.0, default=0.0),
    "stuck": NumberKey(0.0, 1.0, whole=True, default=0.0),
    "clock_offset_ms": NumberKey(-1e9, 1e9, default=0.0),
    "clock_drift_ppm": NumberKey(-1e5, 1e5, default=0.0),
}
"""Of every sensor: the share of samples that never arrive; 1: the newest sample comes over and
over; and by what its clock is ahead of the flight's, at power-up and in each million."""


@dataclass(frozen=True, slots=True)
class SensorSettings:
    """A sensor on its mount. `values` and `faults` are those of its file, with what the mount says
    in their place; `path` is that file."""

    mount: SensorMount
    kind: str
    title: str
    values: Mapping[str, Any]
    faults: Mapping[str, float]
    path: Path

    @property
    def attitude_q_wxyz(self) -> tuple[float, float, float, float]:
        """Turns vectors of the sensor's axes into the body's."""
        q = [0.0] * 4
        set_euler(q, *(math.radians(angle) for angle in self.mount.attitude_deg))
        return q[0], q[1], q[2], q[3]

    def describe(self, kind: StreamKind, details: Mapping[str, Any]) -> StreamDescription:
        """Its stream."""
        mount = self.mount
        return StreamDescription(
            mount.name,
            kind,
            self.title,
            float(self.values["rate_hz"]),
            mount.position_m,
            self.attitude_q_wxyz,
            details,
        )

    def describe_values(self, columns: Columns, **details: Any) -> StreamDescription:
        """The same of a sensor that sends numbers: their names and units."""
        names, units = map(list, zip(*columns, strict=True))
        return self.describe(StreamKind.VALUES, {"names": names, "units": units, **details})

    def check_reach(self) -> None:
        """Raise ParameterError for one that hears nothing: from `least_m` to `longest_m`."""
        if self.values["least_m"] >= self.values["longest_m"]:
            raise self.error("least_m", "'least_m' is not below 'longest_m'.", "Lower it.")

    def error(self, key: str, what: str, remedy: str) -> ParameterError:
        """An error about one of its keys, which names the file that says it."""
        if key in self.mount.changes:
            return mount_error(self.mount, key, what, remedy)
        return ParameterFile(self.path, self.path.parent).error(self.kind, key, what, remedy)


def mount_error(mount: SensorMount, key: str, what: str, remedy: str) -> ParameterError:
    """An error about what a mount says."""
    if mount.path is None:
        return ParameterError(Path(f"[{mount.section}]"), None, what, remedy)
    file = ParameterFile(mount.path, AIRCRAFT_FOLDER)
    return file.error(mount.section, key, what, remedy)
