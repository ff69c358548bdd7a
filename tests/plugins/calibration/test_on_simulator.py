"""Calibrations on the simulator as the page's guide describes them, from errors to corrections."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from plugins.calibration.page import CalibrationPage
from simulation.records.sensor_table import ACCEL
from telemetry.configuration.calibration.fits.poses import RestPose
from telemetry.configuration.calibration.fits.result import AXES
from telemetry.configuration.calibration.procedures.run import RunState
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.vehicle.vehicle import Fleet
from tests.immediate import ImmediateJobs
from tests.plugins.calibration.conftest import calibration_page
from tests.plugins.calibration.simulated import SimulatedBench
from tests.plugins.driven import Driven

DESK = {
    RestPose.LEVEL: (0.0, 0.0),
    RestPose.LEFT_DOWN: (-90.0, 0.0),
    RestPose.UPSIDE_DOWN: (180.0, 0.0),
    RestPose.RIGHT_DOWN: (90.0, 0.0),
    RestPose.NOSE_DOWN: (0.0, -90.0),
    RestPose.NOSE_UP: (0.0, 90.0),
}


class Person:
    """Holds the aircraft as the page asks, by the simulator's controls."""

    def __init__(self, qtbot: QtBot, catalogue: Catalogue) -> None:
        self.bench = SimulatedBench(catalogue)
        fleet = Fleet()
        fleet.add(self.bench.vehicle)
        self.driven = Driven(qtbot, fleet, ImmediateJobs())  # type: ignore[arg-type]
        self.page: CalibrationPage = calibration_page(self.driven)

    def start(self, kind_id: str) -> None:
        self.wait(2.0)
        self.page.cards[kind_id].start.click()
        assert self.page.run is not None, self.page.cards[kind_id].why_not.text()

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.2)):
            self.bench.pass_time(0.2)
            self.driven.panel.refresh(0.0)

    def follow(self, limit_s: float) -> None:
        """Lay it as it is drawn until nothing more is asked for."""
        run = self.page.run
        assert run is not None
        waited_s = 0.0
        while not run.is_over and waited_s < limit_s:
            recipe = run.recipe
            assert recipe is not None
            if recipe.pose is not None:
                roll, pitch = DESK[recipe.pose]
                self.bench.set(bench_roll_deg=roll, bench_pitch_deg=pitch)
            self.wait(1.0)
            waited_s += 1.0
        assert run.state is RunState.DONE, (run.problem, run.progress)


@pytest.fixture
def person(qtbot: QtBot, catalogue: Catalogue) -> Iterator[Person]:
    person = Person(qtbot, catalogue)
    yield person
    person.driven.context.close()


def found(person: Person, name: str, field: str) -> list[float]:
    values = [person.bench.settings.value(name, f"{field}.{axis}") for axis in AXES]
    return [float(value) for value in values if isinstance(value, int | float)]


@pytest.mark.slow
def test_the_gyro_is_calibrated_where_it_stands(person: Person) -> None:
    person.bench.set(gyro_x_bias=4.0, gyro_z_bias=-3.0)
    person.start("gyro")
    person.follow(30.0)
    person.page.result.stage.click()
    bias = found(person, "AccelGyroSettings", "gyro_bias")
    assert bias == pytest.approx([4.0, 0.0, -3.0], abs=1.0)  # it has a bias of its own, too
    person.bench.settings.apply("Gyro bias")
    person.bench.finish()
    person.start("gyro")
    person.follow(30.0)
    (part,) = person.page.run.parts if person.page.run is not None else ()
    assert part.calibration is not None
    assert part.calibration.quality[0].before < 0.2


@pytest.mark.slow
def test_six_drawn_poses_calibrate_the_accelerometer(person: Person) -> None:
    person.bench.autopilot.simulator.record["state"]["drift_kick"][ACCEL] = 0.0
    person.bench.set(accel_x_bias=0.1, accel_y_bias=-0.12, accel_z_bias=0.15, bench_hold=1.0)
    person.bench.set(accel_x_scale=0.01, accel_y_scale=-0.01, accel_z_scale=0.015)
    person.start("accelerometer")
    person.follow(120.0)
    (part,) = person.page.run.parts if person.page.run is not None else ()
    assert part.calibration is not None
    assert part.calibration.quality[0].before > 1.0
    assert part.calibration.quality[0].after < 0.1
    person.page.result.stage.click()
    scale = found(person, "AccelGyroSettings", "accel_scale")
    assert scale == pytest.approx([1.0 / 1.01, 1.0 / 0.99, 1.0 / 1.015], abs=0.003)


@pytest.mark.slow
def test_a_turned_board_is_found_by_two_poses(person: Person) -> None:
    person.bench.set(board_yaw_deg=90.0, bench_hold=1.0)
    person.start("mounting")
    person.follow(60.0)
    person.page.result.stage.click()
    yaw = person.bench.settings.value("AttitudeSettings", "BoardRotation.Yaw")
    assert yaw == -90.0  # the airframe as seen from the board


@pytest.mark.slow
def test_level_by_half_a_turn_in_the_hands(person: Person) -> None:
    person.bench.set(bench_hold=1.0)
    person.start("level")
    person.wait(8.0)
    assert "Turn it on the spot" in person.page.run_view.wanted.text()
    person.bench.set(bench_yaw_deg=180.0)
    person.follow(40.0)


@pytest.mark.slow
def test_turning_about_calibrates_the_compass(person: Person) -> None:
    person.bench.set(mag_x_bias=150.0, mag_y_bias=-80.0, bench_hold=1.0, bench_tumble_dps=120.0)
    person.start("magnetometer")
    person.follow(240.0)
    person.page.result.stage.click()
    bias = found(person, "RevoCalibration", "mag_bias")
    assert bias == pytest.approx([150.0, -80.0, 0.0], abs=15.0)


@pytest.mark.slow
def test_warming_the_board_finds_the_drift(person: Person) -> None:
    person.bench.set(gyro_warming_dps_per_k=0.2)
    person.start("thermal")
    for kelvin in range(16):
        person.bench.set(board_warmer_k=float(kelvin))
        person.wait(1.0)
    person.wait(10.0)
    assert person.page.run_view.finish.isEnabled()
    person.page.run_view.finish.click()
    assert person.page.result.checks[0][0].isChecked()
    person.page.result.stage.click()
    slope = found(person, "AccelGyroSettings", "gyro_temp_coeff")
    assert slope == pytest.approx([0.2, 0.2, 0.2], abs=0.05)
