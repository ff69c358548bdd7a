"""Kinds of sensors that look at the world: one row each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from simulation.files.parameter_file import Schema
from simulation.perception.cameras.camera import SimulatedCamera
from simulation.perception.cameras.camera_keys import CAMERA_FAULTS, CAMERA_KEYS
from simulation.perception.flow.optic_flow_module import OPTIC_FLOW_KEYS, OpticFlowModule
from simulation.perception.flow.ring_sensor import FLOW_RING_KEYS, FlowRingSensor
from simulation.perception.lidar import LIDAR_FAULTS, LIDAR_KEYS, Lidar
from simulation.perception.navdata import NAVDATA_KEYS, Navdata
from simulation.perception.range_faults import RANGE_FAULTS
from simulation.perception.range_finder import RANGE_FINDER_KEYS, RangeFinder
from simulation.perception.sensor import PerceptionSensor
from simulation.perception.sensor_settings import SensorSettings
from simulation.perception.sonar import SONAR_KEYS, Sonar
from simulation.perception.surroundings import Surroundings


@dataclass(frozen=True, slots=True)
class SensorKind:
    """A kind of sensor. `name` is that of the table in its files; `keys` and `faults` are what that
    may say besides what all sensors have. `make` may raise ParameterError (`settings.error`) for
    keys that do not go together. One that `draws` takes a picture for each sample, which takes
    longer than all others do together."""

    name: str
    keys: Schema
    make: Callable[[SensorSettings, Surroundings], PerceptionSensor]
    faults: Schema = field(default_factory=lambda: MappingProxyType({}))
    draws: bool = False


_ROWS: Final = (
    SensorKind("camera", CAMERA_KEYS, SimulatedCamera, CAMERA_FAULTS, draws=True),
    SensorKind("lidar", LIDAR_KEYS, Lidar, {**RANGE_FAULTS, **LIDAR_FAULTS}),
    SensorKind("sonar", SONAR_KEYS, Sonar, RANGE_FAULTS),
    SensorKind("range_finder", RANGE_FINDER_KEYS, RangeFinder, RANGE_FAULTS),
    SensorKind("navdata", NAVDATA_KEYS, Navdata),
    SensorKind("flow_ring", FLOW_RING_KEYS, FlowRingSensor, draws=True),
    SensorKind("optic_flow", OPTIC_FLOW_KEYS, OpticFlowModule, draws=True),
)

KINDS: Final[Mapping[str, SensorKind]] = {row.name: row for row in _ROWS}
