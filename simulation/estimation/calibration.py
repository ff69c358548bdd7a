"""Sensor calibration on board: raw samples to body axes by SETTINGS.calibration, as in firmware.

    accelerometer  R ((y - bias) * scale - warming(T))
    gyro           R (y * scale - bias - warming(T))
    magnetometer   R M (y - bias)

with R of BoardRotation and BoardLevelTrim, M the mag_transform and T kept within the calibrated
range. Sensor objects show the result: a calibration works on raw values after it has set bias and
scale to what changes nothing.
"""

from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.mathematics.rotation import clamp


@njit_part
def calibrate(k: Any, o: Any) -> None:
    """Set gyro, accelerometer and magnetometer in OUTPUT from their raw values."""
    if k["applied"] == 0:
        for i in range(3):
            o["gyro"][i] = o["raw_gyro"][i]
            o["accel"][i] = o["raw_accel"][i]
            o["mag"][i] = o["raw_mag"][i]
        return
    warmth = clamp(o["board_temperature_c"], k["temperatures"][0], k["temperatures"][1])
    gyro, accel, mag = o["raw_gyro"], o["raw_accel"], o["raw_mag"]
    for i in range(3):
        o["gyro"][i] = o["accel"][i] = o["mag"][i] = 0.0
    for j in range(3):
        by_warmth = k["gyro_temperature"][j]
        drift = (by_warmth[0] + by_warmth[1] * warmth) * warmth
        turning = gyro[j] * k["gyro_scale"][j] - k["gyro_bias"][j] - drift
        felt = (accel[j] - k["accel_bias"][j]) * k["accel_scale"][j]
        felt -= k["accel_temperature"][j] * warmth
        field = mag[j] - k["mag_bias"][j]
        for i in range(3):
            o["gyro"][i] += k["board_to_body"][i, j] * turning
            o["accel"][i] += k["board_to_body"][i, j] * felt
            o["mag"][i] += k["mag_to_body"][i, j] * field
