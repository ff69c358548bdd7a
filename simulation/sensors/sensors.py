"""Sensor schedule: when sensors measure and when they deliver; each is a module beside this.

Sample number k of a sensor is taken at step k * period, waits `delay` steps in the sensor's queue
and then appears in OUTPUT, where the sensor's counter moves. It may be dropped on the way, or the
sensor may have frozen and give the same value again and again. Where a station supplies a sensor's
object, its values take the place of what was delivered, and the counter moves when it has written.
"""

from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.mathematics.random_numbers import Whole, philox
from simulation.records.flight import QUEUE
from simulation.records.sensor_table import (
    ACCEL,
    AIRSPEED,
    BARO,
    GPS,
    GPS_VELOCITY,
    GYRO,
    MAG,
    ROTOR_SPEED,
    SENSOR_COUNT,
    SONAR,
)
from simulation.sensors.airspeed import measure_dynamic_pressure
from simulation.sensors.barometer import (
    measure_pressure_altitude,
    show_pressure,
    show_supplied_pressure,
)
from simulation.sensors.battery_monitor import measure_power, show_power
from simulation.sensors.error_model import begin_errors, draw_errors, sampled_with
from simulation.sensors.gps import begin_fix, measure_fix, show_fix, show_supplied_fix
from simulation.sensors.imu import measure_accel, measure_gyro
from simulation.sensors.imu_errors import begin_imu
from simulation.sensors.magnetometer import measure_field
from simulation.sensors.rotor_speed import measure_rotor_speed
from simulation.sensors.sonar import measure_range
from simulation.sensors.vibration import begin_vibration

_DROPOUT_STREAM = 0x380
_WORD = 4294967296.0
_NEVER = -1


@njit_part
def turn_on(p: Any, w: Any, s: Any) -> None:
    """Draw the offsets this run starts with and schedule the first samples."""
    begin_errors(p, s)
    begin_imu(p, s)
    begin_vibration(p, s)
    begin_fix(p, w, s)
    for sensor in range(SENSOR_COUNT):
        fitted = p["sensor_period"][sensor] > 0 and sampled_with(sensor) == sensor
        s["sample_step"][sensor] = 0 if fitted else _NEVER
        s["delivery_step"][sensor] = p["sensor_delay"][sensor] if fitted else _NEVER


@njit_part
def sample_sensors(p: Any, w: Any, s: Any, o: Any, step: int) -> None:
    """Take the samples due at this step and deliver those that have waited long enough."""
    sample, delivery = s["sample_step"], s["delivery_step"]
    for sensor in range(SENSOR_COUNT):
        if step == sample[sensor]:
            if w["sensor_frozen"][sensor] == 0:
                _take(p, w, s, sensor, s["sampled"][sensor])
            else:
                _repeat(s["sensor_queue"][sensor], s["sampled"][sensor])
            s["sampled"][sensor] += 1
            sample[sensor] += p["sensor_period"][sensor]
        if step == delivery[sensor]:
            if _arrives(p, w, s, sensor):
                _deliver(p, w, s, o, sensor)
            s["delivered"][sensor] += 1
            delivery[sensor] += p["sensor_period"][sensor]


@njit_shared
def replace_sensors(v: Any, o: Any) -> None:
    """Lay the station's sensor values, COMMAND.override `v`, over the newest in OUTPUT."""
    if v["any"] == 0:
        return
    replaced, count, value = v["replaced"], v["count"], v["value"]
    if replaced[GYRO] != 0:
        o["imu_count"] = count[GYRO]
        _show(o["gyro"], value[GYRO])
    if replaced[ACCEL] != 0:
        _show(o["accel"], value[ACCEL])
    if replaced[MAG] != 0:
        o["mag_count"] = count[MAG]
        _show(o["mag"], value[MAG])
    if replaced[BARO] != 0:
        o["baro_count"] = count[BARO]
        show_supplied_pressure(o, value[BARO])
    if replaced[GPS] != 0:
        o["gps_count"] = count[GPS]
        show_supplied_fix(o, value[GPS])
    if replaced[GPS_VELOCITY] != 0:
        _show(o["gps_velocity"], value[GPS_VELOCITY])
    if replaced[AIRSPEED] != 0:
        o["airspeed_count"] = count[AIRSPEED]
        o["airspeed_pressure_pa"] = value[AIRSPEED, 0]


@njit_part
def _repeat(queue: Any, k: Whole) -> None:
    """Let sample number `k` be the one before it once more."""
    _show(queue[k % QUEUE], queue[(k + QUEUE - 1) % QUEUE])


@njit_part
def _take(p: Any, w: Any, s: Any, sensor: int, k: Whole) -> None:
    """Sample number `k`, into the sensor's queue."""
    slot = s["sensor_queue"][sensor, k % QUEUE]
    draw_errors(p, s, sensor, k, w["sensor_noise"][sensor])
    if sensor == GYRO:
        measure_gyro(p, w, s, k, slot)
    elif sensor == ACCEL:
        measure_accel(p, w, s, k, slot)
    elif sensor == MAG:
        measure_field(p, w, s, slot)
    elif sensor == BARO:
        measure_pressure_altitude(p, w, s, slot)
    elif sensor == GPS:
        measure_fix(p, w, s, k, slot)
    elif sensor == SONAR:
        measure_range(p, s, slot)
    elif sensor == AIRSPEED:
        measure_dynamic_pressure(p, s, slot)
    elif sensor == ROTOR_SPEED:
        measure_rotor_speed(p, s, slot)
    else:
        measure_power(p, w, s, k, slot)


@njit_part
def _arrives(p: Any, w: Any, s: Any, sensor: int) -> bool:
    """Whether the sample due now is not one of those that drop out."""
    lost = p["sensor_dropout"][sensor] + w["sensor_lost"][sensor]
    if lost <= 0.0:
        return True
    number, _ = philox(s["seed"], s["delivered"][sensor], _DROPOUT_STREAM + sensor)
    return bool(number / _WORD >= lost)


@njit_part
def _deliver(p: Any, w: Any, s: Any, o: Any, sensor: int) -> None:
    """Show the sample that has waited longest."""
    k = s["delivered"][sensor]
    slot = s["sensor_queue"][sensor, k % QUEUE]
    if sensor == GYRO:
        o["imu_count"] += 1
        _show(o["raw_gyro"], slot)
        o["board_temperature_c"] = slot[3]
    elif sensor == ACCEL:
        _show(o["raw_accel"], slot)
    elif sensor == MAG:
        o["mag_count"] += 1
        _show(o["raw_mag"], slot)
    elif sensor == BARO:
        o["baro_count"] += 1
        show_pressure(o, slot)
    elif sensor == GPS:
        o["gps_count"] += 1
        show_fix(p, w, o, k * p["sensor_period"][GPS], slot)
    elif sensor == SONAR:
        o["sonar_count"] += 1
        o["sonar_range_m"] = slot[0]
    elif sensor == AIRSPEED:
        o["airspeed_count"] += 1
        o["airspeed_pressure_pa"] = slot[0]
    elif sensor == ROTOR_SPEED:
        o["rotor_speed_count"] += 1
        _show(o["rotor_speed_measured"], slot)
    else:
        o["battery_count"] += 1
        show_power(p, o, slot)


@njit_part
def _show(target: Any, slot: Any) -> None:
    for i in range(len(target)):
        target[i] = slot[i]
