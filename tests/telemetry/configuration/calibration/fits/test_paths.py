"""Everything a fit asks to write exists in the shipped definitions."""

import numpy as np

from telemetry.configuration.calibration.fits.accelerometer import fit_accelerometer
from telemetry.configuration.calibration.fits.gyro import fit_gyro_bias
from telemetry.configuration.calibration.fits.level import fit_level
from telemetry.configuration.calibration.fits.magnetometer import fit_magnetometer
from telemetry.configuration.calibration.fits.mounting import fit_mounting
from telemetry.configuration.calibration.fits.result import Calibration
from telemetry.configuration.calibration.fits.thermal import (
    fit_accel_temperature,
    fit_baro_temperature,
    fit_gyro_temperature,
)
from telemetry.protocol.objects.catalogue import load_catalogue
from tests.telemetry.configuration.calibration.fits.sensors import BARE, BE, G, raw_field, six_sides


def _all() -> list[Calibration]:
    rng = np.random.default_rng(1)
    warm = np.linspace(10.0, 40.0, 200)
    rows = np.column_stack([rng.normal(size=(200, 3)), warm])
    up, tail = np.tile([0.0, 0.0, -G], (9, 1)), np.tile([G, 0.0, 0.0], (9, 1))
    level = np.zeros((20, 3))
    field = raw_field(600, np.eye(3), np.zeros(3), rng)
    return [
        fit_accelerometer(six_sides(np.zeros(3), np.ones(3), rng), BARE),
        fit_gyro_bias(rows, BARE),
        fit_level(level, level + np.array([0.0, 0.0, 180.0]), BARE),
        fit_mounting(up, tail, BARE).calibration,
        fit_magnetometer(field, BARE, BE).calibration,
        fit_magnetometer(field, BARE, BE, "AuxMagSettings").calibration,
        fit_gyro_temperature(rows, BARE),
        fit_accel_temperature(rows, BARE),
        fit_baro_temperature(rows[:, 2:], {}),
    ]


def test_every_path_is_an_element_of_a_field() -> None:
    catalogue = load_catalogue()
    for calibration in _all():
        for name, values in calibration.values.items():
            definition = catalogue.find(name)
            for path, value in values.items():
                field, element = path.split(".")
                assert element in definition.field_named(field).element_names
                assert isinstance(value, float)
                assert np.isfinite(value)
        assert calibration.verdict.endswith(".")
        assert all(quality.text for quality in calibration.quality)
