"""Estimator selection: RevoSettings.FusionAlgorithm decides which one runs, while disarmed.

Firmware's INS13 stands behind the options of that name, the complementary filters behind the
others: with magnetometer and GPS, with magnetometer alone (no position), or with neither (heading
drifts). `None` and `Acro` have no estimator of their own and get the last of these. Where
SETTINGS.own_filter says so, Lapwing's own extended Kalman filter stands in the place of INS13, for
experiments: it is better than what flies on a board.
"""

from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.estimation.attitude_filter import update_attitude
from simulation.estimation.field_alarm import forget_field
from simulation.estimation.position_filter import correct_height, correct_horizontal, predict
from simulation.records.filters import INS_STATES
from simulation.records.interface import (
    FUSION_ACRO,
    FUSION_COMPLEMENTARY,
    FUSION_COMPLEMENTARY_MAG_GPS,
    FUSION_NONE,
    MAG_UNJUDGED,
)


@njit_part
def choose(c: Any, f: Any, o: Any) -> None:
    """Take the algorithm over and start from the beginning, at the height estimated last, if it is
    another one."""
    fusion = c["fusion_algorithm"]
    if fusion in (FUSION_NONE, FUSION_ACRO):
        fusion = FUSION_COMPLEMENTARY
    if fusion == f["fusion"] and c["own_filter"] == f["own"]:
        return
    f["fusion"] = fusion
    f["own"] = c["own_filter"]
    f["ins"]["begun"] = 0
    o["fusion"] = fusion
    f["samples"] = 0
    f["windows"] = 0
    f["mag_seen"] = 0
    forget_field(f)
    if fusion == FUSION_COMPLEMENTARY:  # "reinit Mag alarm", stateestimation.c
        o["mag_alarm"] = MAG_UNJUDGED
    f["baro_seen"] = 0
    f["gps_differences"] = 0
    f["gyro_square"] = 0.0
    f["accel_square"] = 0.0
    if o["attitude_valid"] != 0:
        f["had_estimate"] = 1
    o["attitude_valid"] = 0
    o["position_valid"] = 0
    for i in range(3):
        f["gyro_sum"][i] = 0.0
        f["accel_sum"][i] = 0.0
        o["velocity"][i] = 0.0
        o["accel_bias"][i] = 0.0
        for row in range(4):
            o["estimate_variance"][row, i] = 0.0
    o["estimate_warning"] = 0
    for i in range(INS_STATES):
        o["ekf_variance"][i] = 0.0
    o["position"][0] = o["position"][1] = 0.0  # the height goes on: it may stand on a hill


@njit_part
def is_kalman(f: Any) -> bool:
    """Whether one of the Kalman filters is chosen."""
    return bool(f["fusion"] > FUSION_COMPLEMENTARY_MAG_GPS)


@njit_part
def is_ins13(f: Any) -> bool:
    """Whether it is firmware's, which begins by itself."""
    return bool(is_kalman(f) and f["own"] == 0)


@njit_part
def complement(c: Any, f: Any, o: Any, step: int) -> None:
    """One IMU sample through the complementary filters."""
    update_attitude(c, f, o)
    predict(f, o, step)
    correct_height(c, f, o)
    if f["fusion"] == FUSION_COMPLEMENTARY_MAG_GPS:
        correct_horizontal(c, f, o, step)
