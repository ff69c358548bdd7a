"""What each calibration listens to, and what it makes of a table's slope, without a board."""

import math
from collections.abc import Callable

import pytest

from plugins.testing import add
from telemetry.configuration.calibration.fits.result import CalibrationError
from telemetry.configuration.calibration.procedures.gyro_and_level import GyroRecipe, LevelRecipe
from telemetry.configuration.calibration.procedures.magnetometer import MagnetometerRecipe
from telemetry.recording.recording import Recording
from telemetry.recording.sample import Sample

SENSORS = {"GyroSensor": 40, "AccelSensor": 40}


def rest(recipe: LevelRecipe, begin_s: float, attitude: tuple[float, float, float]) -> None:
    """Five seconds of it, 25 readings a second."""
    recording = Recording()
    names = ("Roll", "Pitch", "Yaw")
    for n in range(125):
        t = begin_s + n * 0.04
        add(recording, t, "GyroSensor", x=0.0, y=0.0, z=0.0)
        add(recording, t, "AccelSensor", x=0.0, y=0.0, z=-9.81)
        add(recording, t, "AttitudeState", **dict(zip(names, attitude, strict=True)))
    samples = [
        track.sample(n)
        for name in ("GyroSensor", "AccelSensor", "AttitudeState")
        if (track := recording.track(name)) is not None
        for n in range(track.count)
    ]
    by_time: Callable[[Sample], float] = lambda sample: sample.t  # noqa: E731
    for sample in sorted(samples, key=by_time):
        recipe.take(sample)


def test_the_level_of_a_board_on_a_slope_is_the_mean_of_both_ways() -> None:
    """The table rises by 1.5 deg, the board leans 2 deg right and 1 back: that is taken off."""
    recipe = LevelRecipe({})
    assert recipe.sources.keys() == SENSORS.keys() | {"AttitudeState"}
    assert set(recipe.sources.values()) == {40}
    with pytest.raises(CalibrationError, match="One of the two readings is missing"):
        recipe.fit()
    rest(recipe, 0.0, (2.0, 2.5, 10.0))
    assert (recipe.steps, recipe.is_turning) == (1, True)
    with pytest.raises(CalibrationError, match="One of the two readings is missing"):
        recipe.fit()
    rest(recipe, 20.0, (2.0, -0.5, -170.0))
    assert (recipe.steps, recipe.is_turning) == (2, False)
    (change,) = recipe.fit()
    assert change.title == "Level"
    trim = change.calibration.values["AttitudeSettings"]
    assert trim["BoardLevelTrim.Roll"] == pytest.approx(-2.0, abs=0.05)
    assert trim["BoardLevelTrim.Pitch"] == pytest.approx(-1.0, abs=0.05)


def test_a_gyro_that_never_lay_still_has_no_bias() -> None:
    recipe = GyroRecipe({})
    assert recipe.sources == SENSORS
    with pytest.raises(CalibrationError, match="never lay still"):
        recipe.fit()


def test_a_magnetometer_is_measured_in_the_field_at_home() -> None:
    home = {"HomeLocation": {"Be.0": 200.0, "Be.1": 10.0, "Be.2": 430.0}}
    recipe = MagnetometerRecipe(home, ("MagSensor", "AuxMagSensor"))
    assert recipe.length == pytest.approx(math.sqrt(200.0**2 + 10.0**2 + 430.0**2))
    assert recipe.sources == {"MagSensor": 50, "AuxMagSensor": 50}
    with pytest.raises(CalibrationError):
        MagnetometerRecipe({}, ("MagSensor",))
