"""HITL rate: how often a link carries the sensors out and the commands back.

Firmware counts on its own 500 Hz where it counts samples rather than time, so that is the rate
where the link carries it. Bytes per second at r ticks per second, a frame being 11 bytes longer
than its object:

    to the board     every sensor's frame, at r or at the sensor's own rate if that is lower,
                     and GCSReceiver 50 times a second
    from the board   ActuatorCommand r times a second, and its telemetry at the rates of its
                     definitions

and the link carries, in each direction, what telemetry/protocol/links/capacity.py says.
"""

import math
from collections.abc import Sequence
from typing import Final

from simulation.aircraft.aircraft import AircraftParameters
from simulation.autopilot.board import ABSENT_OBJECTS
from simulation.hitl.takeover import ACTUATORS
from simulation.records.interface import STEP_S
from simulation.records.sensor_table import SENSORS, SUPPLIED_SENSORS, ObjectMapping
from telemetry.protocol.links.capacity import line_bytes_per_s
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.definition import ObjectDefinition, UpdateMode
from telemetry.protocol.wire.dialect import INSTANCE_BYTES
from telemetry.protocol.wire.frame import CRC_BYTES, HEADER_BYTES

BOARD_HZ: Final = 500
"""PIOS_SENSOR_RATE of the firmware's boards."""
SLOWEST_HZ: Final = 1
_GYRO_FILTER_HZ: Final = 400
"""What stabilization.c works the gyro filter out for, whatever the rate is."""
_STICKS_HZ: Final = 50
_SENT_BY_TIME: Final = (UpdateMode.PERIODIC, UpdateMode.THROTTLED)


def carried_rate_hz(
    address: str, aircraft: AircraftParameters, sensors: Sequence[str], catalogue: Catalogue
) -> int:
    """The board's own rate, or what the link at `address` carries of it. Raises AddressError."""
    capacity = line_bytes_per_s(address)
    if math.isinf(capacity):
        return BOARD_HZ
    rates = range(BOARD_HZ, SLOWEST_HZ, -1)
    fitting = (r for r in rates if _needed(r, aircraft, sensors, catalogue) <= capacity)
    return next(fitting, SLOWEST_HZ)


def rate_warning(rate_hz: int) -> str:
    """What is wrong with flying a board at this rate; "" if nothing is."""
    if rate_hz >= BOARD_HZ:
        return ""
    timeout = (
        " Its sensors time out after 10 ms, so the alarm Attitude warns." if rate_hz <= 100 else ""
    )
    return (
        f"At {rate_hz} Hz firmware flies otherwise than by its own sensors ({BOARD_HZ} Hz): its "
        f"altitude loop takes 1/{BOARD_HZ} s per call, so it integrates {rate_hz / BOARD_HZ:.0%} "
        f"of what it should; its outer loop runs at every fourth gyro sample, {rate_hz / 4:.0f} "
        f"times a second; its gyro filter takes 2.5 ms per sample, so it lags "
        f"{_GYRO_FILTER_HZ / rate_hz:.1f} times as long as it is set to.{timeout}"
    )


def _needed(
    rate_hz: int, aircraft: AircraftParameters, sensors: Sequence[str], catalogue: Catalogue
) -> float:
    """Bytes per second of the busier direction."""
    out: float = _STICKS_HZ * _frame_bytes(catalogue.find("GCSReceiver"))
    for name in sensors:
        mapping = SUPPLIED_SENSORS[name]
        sensor_hz = min(rate_hz, _own_hz(mapping, aircraft))
        out += sensor_hz * _frame_bytes(catalogue.find(mapping.names[0]))
    commands = rate_hz * _frame_bytes(catalogue.find(ACTUATORS))
    return max(out, commands + _telemetry_bytes_per_s(catalogue))


def _own_hz(mapping: ObjectMapping, aircraft: AircraftParameters) -> float:
    """How often the simulated sensor delivers; 0 where the aircraft has none."""
    number = next(i for i, sensor in enumerate(SENSORS) if sensor.counter == mapping.counter)
    steps = int(aircraft.parameters["sensor_period"][number])
    return 1.0 / (steps * STEP_S) if steps else 0.0


def _telemetry_bytes_per_s(catalogue: Catalogue) -> float:
    policies = (
        (definition, definition.flight_policy)
        for definition in catalogue.release(DEFAULT_RELEASE)
        if definition.name not in {*ABSENT_OBJECTS, ACTUATORS}
    )
    return sum(
        policy.per_s * _frame_bytes(definition)
        for definition, policy in policies
        if policy.mode in _SENT_BY_TIME
    )


def _frame_bytes(definition: ObjectDefinition) -> int:
    return HEADER_BYTES + INSTANCE_BYTES + definition.size + CRC_BYTES
