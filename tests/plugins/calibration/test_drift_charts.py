"""The barometer's drift in Pa, whatever unit the release publishes pressure in."""

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from plugins.calibration.drift_charts import drift_charts
from telemetry.configuration.calibration.fits.thermal import fit_baro_temperature
from telemetry.configuration.calibration.procedures.recipe import CalibrationChange
from telemetry.configuration.calibration.procedures.thermal import ThermalRecipe
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.recording import Recording


@pytest.mark.slow
@pytest.mark.parametrize(
    ("release", "unit_pa"), [("LibrePilot-next-2019-02", 1.0), ("OpenPilot-14.06", 1000.0)]
)
def test_pressure_is_drawn_in_pascals(
    qtbot: QtBot, catalogue: Catalogue, release: str, unit_pa: float
) -> None:
    """BaroSensor has Pa in LibrePilot next and kPa in OpenPilot 14.06 (interface facts)."""
    definition, recording = catalogue.find("BaroSensor", release), Recording()
    recipe = ThermalRecipe({}, has_baro=True)
    for reading, warmth in enumerate(np.linspace(15.0, 40.0, 600)):
        t = 0.1 * reading
        recipe.capture.add_gyro(t, (0.0, 0.0, 0.0), warmth)  # it rests
        recipe.capture.add_accel(t, (0.0, 0.0, -9.81), warmth)
        pascals = 100_000.0 + 4.0 * (warmth - 15.0)
        values = {"Pressure": pascals / unit_pa, "Temperature": warmth}
        recording.append(t, definition, 0, pack_values(definition, values))
        sample = recording.latest("BaroSensor", t)
        assert sample is not None
        recipe.take(sample)
    fit = fit_baro_temperature(recipe.capture.rows("baro"), {})
    (chart,) = drift_charts(recipe, [CalibrationChange("Barometer", fit)])
    qtbot.addWidget(chart)
    points, line = chart.series
    assert np.ptp(points.y) == pytest.approx(100.0, rel=0.05)
    assert np.ptp(line.y) == pytest.approx(100.0, rel=0.05)
