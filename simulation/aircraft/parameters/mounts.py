"""[mounts.*]: the sensors that look at the world, where they sit and how they are turned.

What the keys of a sensor mean is known to `simulation.perception`, which checks those that are
given here in the place of the sensor's own.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from simulation.files.parameter_file import NumberKey, ParameterFile

MOST_MOUNTS: Final = 32
PLACE_KEYS: Final = {
    "position_m": NumberKey(-100.0, 100.0, (3,), default=(0.0, 0.0, 0.0)),
    "attitude_deg": NumberKey(-360.0, 360.0, (3,), default=(0.0, 0.0, 0.0)),
}
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_SENSOR: Final = "sensor"

Triple = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class SensorMount:
    """A sensor on an aircraft. `sensor` is the name of a file in resources/sensors, or the path of
    one.

    `position_m` is in the body's axes from the centre of mass, `attitude_deg` are roll, pitch and
    yaw of the sensor's axes as seen from the body's: [0, -90, 0] looks down. `changes` are keys of
    the sensor with other values, `path` is the file that says all this, if one does.
    """

    name: str
    sensor: str
    position_m: Triple = (0.0, 0.0, 0.0)
    attitude_deg: Triple = (0.0, 0.0, 0.0)
    changes: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    path: Path | None = None

    @property
    def section(self) -> str:
        """Its table in the aircraft's file."""
        return f"mounts.{self.name}"


def read_mounts(file: ParameterFile, shift: Triple) -> tuple[SensorMount, ...]:
    """What the tables [mounts.*] say; () without any. `shift` is added to every place: that by
    which a payload moves them from the centre of mass. Raises ParameterError."""
    if "mounts" not in file.content:
        return ()
    mounts = file.table("mounts")
    if len(mounts) > MOST_MOUNTS:
        what = f"There are {len(mounts)} mounts."
        raise file.error("mounts", "", what, f"Keep at most {MOST_MOUNTS}.")
    return tuple(_mount(file, name, shift) for name in mounts)


def _mount(file: ParameterFile, name: str, shift: Triple) -> SensorMount:
    if not _NAME.fullmatch(name):
        what = f"{name[:60]!r} cannot name a mount."
        raise file.error("mounts", name, what, "Use up to 40 letters, digits, - and _.")
    section = f"mounts.{name}"
    table = file.table(section)
    sensor = table.get(_SENSOR)
    if not isinstance(sensor, str) or not sensor.strip():
        what = f"'sensor' is missing in [{section}]." if sensor is None else "'sensor' is no text."
        raise file.error(section, _SENSOR, what, 'Write sensor = "utm-30lx", or another.')
    place = file.values(section, PLACE_KEYS, beside=tuple(table))
    x, y, z = np.add(place["position_m"], shift).tolist()
    roll, pitch, yaw = map(float, place["attitude_deg"])
    changes = {key: table[key] for key in table if key not in (_SENSOR, *PLACE_KEYS)}
    return SensorMount(name, sensor, (x, y, z), (roll, pitch, yaw), changes, file.path)
