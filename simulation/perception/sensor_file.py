"""Sensor files of numbers, resources/sensors, with what a mount says in their place."""

from pathlib import Path
from typing import Any, Final

from simulation.aircraft.parameters.mounts import SensorMount
from simulation.files.parameter_file import (
    ParameterFile,
    Schema,
    describe_rule,
    remedy_for,
    what_is_wrong,
)
from simulation.perception.kinds import KINDS
from simulation.perception.sensor_settings import (
    COMMON_FAULTS,
    TIMING_KEYS,
    SensorSettings,
    mount_error,
)
from telemetry.base.installation import RESOURCES

FOLDER: Final = RESOURCES / "sensors"


def sensor_names() -> tuple[str, ...]:
    """Names of the sensors that come with the program."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def load_sensor(mount: SensorMount) -> SensorSettings:
    """The sensor of a mount. Raises ParameterError, which says where a file is wrong and what to
    do."""
    path = _path_of(mount)
    file = ParameterFile(path, FOLDER)
    file.refuse_unknown("", ("title", *KINDS))
    found = [name for name in KINDS if file.has(name)]
    if len(found) != 1:
        what = f"It has {len(found) or 'no'} tables that say of which kind the sensor is."
        raise file.error("", "", what, f"Give one of [{'], ['.join(KINDS)}].")
    kind = KINDS[found[0]]
    faults = faults_of(kind.name)
    schema = schema_of(kind.name)
    values = {**file.values(kind.name, schema), **_changes(mount, schema)}
    return SensorSettings(
        mount,
        kind.name,
        file.text("title"),
        {key: value for key, value in values.items() if key not in faults},
        {key: float(values[key]) for key in faults},
        path,
    )


def faults_of(kind: str) -> Schema:
    """The faults that a kind of sensor can have."""
    return {**COMMON_FAULTS, **KINDS[kind].faults}


def schema_of(kind: str) -> Schema:
    """All keys of a kind of sensor."""
    return {**TIMING_KEYS, **KINDS[kind].keys, **faults_of(kind)}


def _path_of(mount: SensorMount) -> Path:
    """Files of a user's own stand beside the aircraft's."""
    if mount.sensor.endswith(".toml"):
        return (mount.path.parent if mount.path else Path()) / mount.sensor
    known = sensor_names()
    if mount.sensor not in known:
        what = f"There is no sensor {mount.sensor!r}."
        remedy = f"Use a .toml file, or one of: {', '.join(known)}."
        raise mount_error(mount, "sensor", what, remedy)
    return FOLDER / f"{mount.sensor}.toml"


def _changes(mount: SensorMount, schema: Schema) -> dict[str, Any]:
    for key, value in mount.changes.items():
        if key not in schema:
            what = f"Unknown key {key!r} in [{mount.section}]."
            raise mount_error(mount, key, what, remedy_for(key, tuple(schema)))
        if wrong := what_is_wrong(value, schema[key]):
            what = f"{key!r} in [{mount.section}] {wrong}."
            raise mount_error(mount, key, what, f"Give {describe_rule(schema[key])}.")
    return dict(mount.changes)


def check_fault(settings: SensorSettings, fault: str, value: float) -> None:
    """Raise ValueError for what is no fault of that sensor, or no value of it."""
    schema = faults_of(settings.kind)
    name = settings.mount.name
    if fault not in schema:
        raise ValueError(f"{name} has no fault {fault!r}; it has: {', '.join(schema)}.")
    if wrong := what_is_wrong(value, schema[fault]):
        raise ValueError(f"{fault!r} of {name} {wrong}; give {describe_rule(schema[fault])}.")
