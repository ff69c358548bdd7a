"""What a station supplies in place of the board's own sensors and states.

A station that sets a sensor object read-only for the flight side writes its values itself
(hardware in the loop, seed 004: overriding by access flags). The simulated sensors go on
sampling; what they delivered is replaced here, sensor by sensor, and a sensor's counter moves
only when the station has written.
"""

from typing import Any

from simulation.compiled import njit_part
from simulation.interface import (
    OVERRIDE_ACCEL,
    OVERRIDE_AIRSPEED,
    OVERRIDE_ATTITUDE,
    OVERRIDE_BARO,
    OVERRIDE_GPS_POSITION,
    OVERRIDE_GPS_VELOCITY,
    OVERRIDE_GYRO,
    OVERRIDE_MAG,
    OVERRIDE_POSITION,
    OVERRIDE_RATES,
    OVERRIDE_VELOCITY,
)


@njit_part
def _replace(v: Any, number: int, target: Any) -> None:
    """Lay the station's values over `target`, if it supplies them."""
    if v["replaced"][number] != 0:
        for i in range(len(target)):
            target[i] = v["value"][number, i]


@njit_part
def replace_sensors(v: Any, o: Any) -> None:
    """Lay the station's sensor values `v` over the newest in OUTPUT."""
    if v["any"] == 0:
        return
    _replace(v, OVERRIDE_GYRO, o["gyro"])
    _replace(v, OVERRIDE_ACCEL, o["accel"])
    _replace(v, OVERRIDE_MAG, o["mag"])
    _replace(v, OVERRIDE_GPS_VELOCITY, o["gps_velocity"])
    replaced, count, value = v["replaced"], v["count"], v["value"]
    if replaced[OVERRIDE_GYRO] != 0:
        o["imu_count"] = count[OVERRIDE_GYRO]
    if replaced[OVERRIDE_MAG] != 0:
        o["mag_count"] = count[OVERRIDE_MAG]
    if replaced[OVERRIDE_BARO] != 0:
        o["baro_count"] = count[OVERRIDE_BARO]
        o["baro_altitude_m"] = value[OVERRIDE_BARO, 0]
        o["baro_temperature_c"] = value[OVERRIDE_BARO, 1]
        o["baro_pressure_kpa"] = value[OVERRIDE_BARO, 2]
    if replaced[OVERRIDE_AIRSPEED] != 0:
        o["airspeed_count"] = count[OVERRIDE_AIRSPEED]
        o["airspeed_pressure_pa"] = value[OVERRIDE_AIRSPEED, 0]
    if replaced[OVERRIDE_GPS_POSITION] != 0:
        _replace_fix(count[OVERRIDE_GPS_POSITION], value[OVERRIDE_GPS_POSITION], o)


@njit_part
def _replace_fix(count: int, fix: Any, o: Any) -> None:
    o["gps_count"] = count
    o["gps_latitude_deg"] = fix[0]
    o["gps_longitude_deg"] = fix[1]
    o["gps_altitude_m"] = fix[2]
    o["gps_status"] = int(fix[3])
    o["gps_satellites"] = int(fix[4])
    o["gps_pdop"] = fix[5]
    o["gps_hdop"] = fix[6]
    o["gps_vdop"] = fix[7]


@njit_part
def replace_states(v: Any, o: Any) -> None:
    """Lay the station's attitude, rates, position and velocity over the estimate in OUTPUT."""
    if v["any"] == 0:
        return
    _replace(v, OVERRIDE_RATES, o["rates"])
    _replace(v, OVERRIDE_POSITION, o["position"])
    _replace(v, OVERRIDE_VELOCITY, o["velocity"])
    _replace(v, OVERRIDE_ATTITUDE, o["quaternion"])


@njit_part
def supply_outputs(m: Any, o: Any) -> None:
    """Let the actuators do what a station wrote into ActuatorCommand, if it supplies that."""
    if m["outputs_supplied"] != 0:
        for i in range(len(m["outputs"])):
            o["actuator_command"][i] = m["outputs"][i]
