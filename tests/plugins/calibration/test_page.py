"""The page of calibration as a user meets it: start, be led, see the quality, stage or cancel."""

from collections.abc import Iterable

import numpy as np
import pytest
from PySide6.QtCore import Qt, QTimer
from pytestqt.qtbot import QtBot

from plugins.calibration.page import CalibrationPage
from telemetry.configuration.calibration.fits.poses import RestPose
from telemetry.configuration.calibration.fits.rotation import rotation_of
from telemetry.configuration.calibration.procedures.run import RunState
from tests.immediate import ImmediateJobs
from tests.plugins.calibration.conftest import calibration_page
from tests.plugins.calibration.rig import G, Rig, put, turned_about
from tests.plugins.driven import Driven
from tests.telemetry.configuration.settings.bench import Bench

UP = np.array([0.0, 0.0, -G])
SENSORS = "AccelGyroSettings"


def staged(bench: Bench, name: str, field: str, elements: Iterable[str] = "XYZ") -> list[float]:
    """Values of a field as forms show them."""
    values = [bench.settings.value(name, f"{field}.{element}") for element in elements]
    return [float(value) for value in values if isinstance(value, int | float)]


def begin(page: CalibrationPage, kind_id: str) -> None:
    page.cards[kind_id].start.click()
    assert page.run is not None
    assert not page.run_view.isHidden()


# What each finds


@pytest.mark.slow
def test_six_sides_give_bias_and_scale(page: CalibrationPage, rig: Rig, bench: Bench) -> None:
    rig.accel_bias, rig.accel_scale = np.array([0.2, -0.15, 0.3]), np.array([1.02, 0.98, 1.01])
    begin(page, "accelerometer")
    for pose in RestPose:
        rig.lie(pose, 5.0)
    assert page.run is not None
    assert page.run.state is RunState.DONE
    assert bench.settings.staged() == ()  # nothing before it is accepted
    page.result.stage.click()
    assert staged(bench, SENSORS, "accel_bias") == pytest.approx([0.2, -0.15, 0.3], abs=0.01)
    assert staged(bench, SENSORS, "accel_scale") == pytest.approx([1.02, 0.98, 1.01], rel=0.002)
    assert bench.on_board(SENSORS, "accel_bias.X") == 0.0  # the drawer sends it
    assert page.cards["accelerometer"].mark.text() == "Staged, not sent"


@pytest.mark.slow
def test_the_drawn_pose_follows_what_is_wanted(page: CalibrationPage, rig: Rig) -> None:
    begin(page, "accelerometer")
    rig.lie(RestPose.LEVEL, 5.0)
    assert page.run_view.sides[RestPose.LEVEL].mark == "done"
    assert page.run_view.pose.angles == (-90.0, 0.0, 0.0)
    assert page.run_view.wanted.text() == "Lay it left side down."
    rig.lie(RestPose.NOSE_UP, 2.5)  # any other side is taken as well
    assert page.run_view.pose.angles == (0.0, 90.0, 0.0)
    assert page.run_view.wanted.text() == "Hold it."
    assert 0.0 < page.run_view.ring.share < 1.0


@pytest.mark.slow
def test_the_gyro_bias_is_found_at_rest(page: CalibrationPage, rig: Rig, bench: Bench) -> None:
    rig.gyro_bias = np.array([3.0, -2.0, 1.0])
    begin(page, "gyro")
    rig.rest(UP, 8.0)
    page.result.stage.click()
    assert staged(bench, SENSORS, "gyro_bias") == pytest.approx([3.0, -2.0, 1.0], abs=0.03)


@pytest.mark.slow
def test_level_takes_half_a_turn(page: CalibrationPage, rig: Rig, bench: Bench) -> None:
    begin(page, "level")
    rig.attitude = (3.0, -1.0, 20.0)  # the board is tilted by 2 and 1, the table by 1 and -2
    rig.rest(UP, 7.0)
    assert "Turn it on the spot" in page.run_view.wanted.text()
    rig.attitude = (1.0, 3.0, -160.0)
    rig.rest(UP, 7.0)
    page.result.stage.click()
    trim = staged(bench, "AttitudeSettings", "BoardLevelTrim", ("Roll", "Pitch"))
    assert trim == pytest.approx([-2.0, -1.0], abs=0.05)


@pytest.mark.slow
def test_the_mounting_is_found_in_quarter_turns(
    page: CalibrationPage, rig: Rig, bench: Bench
) -> None:
    to_board = rotation_of(0.0, 0.0, 90.0).T
    begin(page, "mounting")
    rig.rest(to_board @ UP, 6.0)
    assert page.run_view.pose.angles == (0.0, 90.0, 0.0)
    rig.rest(to_board @ np.array([G, 0.0, 0.0]), 6.0)
    page.result.stage.click()
    assert bench.settings.value("AttitudeSettings", "BoardRotation.Yaw") == 90.0
    # Level builds on the rotation, which waits to be sent.
    assert "BoardRotation" in page.cards["level"].why_not.text()
    assert not page.cards["level"].start.isEnabled()


@pytest.mark.slow
def test_iron_is_taken_out_of_the_magnetometer(
    page: CalibrationPage, rig: Rig, bench: Bench
) -> None:
    rig.mag_bias, rig.mag_iron = np.array([120.0, -60.0, 40.0]), np.diag([1.1, 0.95, 1.0])
    begin(page, "magnetometer")
    turned_about(rig, 240)
    assert page.run is not None
    assert page.run.state is RunState.DONE
    (part,) = page.run.parts
    assert part.calibration is not None
    length = part.calibration.quality[0]
    assert length.before > 15.0
    assert length.after < 1.0
    page.result.stage.click()
    bias = staged(bench, "RevoCalibration", "mag_bias")
    assert bias == pytest.approx([120.0, -60.0, 40.0], abs=3.0)
    diagonal = [bench.settings.value("RevoCalibration", f"mag_transform.r{i}c{i}") for i in "012"]
    assert diagonal == pytest.approx([1 / 1.1, 1 / 0.95, 1.0], abs=0.005)


@pytest.mark.slow
def test_drift_with_temperature_is_fitted_part_by_part(
    page: CalibrationPage, rig: Rig, bench: Bench
) -> None:
    begin(page, "thermal")
    assert not page.run_view.finish.isEnabled()
    for warmth in np.linspace(15.0, 40.0, 160):
        rig.temperature = float(warmth)
        rig.gyro_bias = np.array([0.1, 0.0, -0.05]) * warmth
        rig.rest(UP, 0.2)
    assert page.run_view.finish.isEnabled()
    page.run_view.finish.click()
    gyro = page.result.checks[0]
    assert gyro[0].isChecked()
    assert gyro[1].title == "Gyro"
    assert not page.result.checks[1][0].isChecked()  # the accelerometer does not drift
    page.result.stage.click()
    slope = staged(bench, SENSORS, "gyro_temp_coeff")
    assert slope == pytest.approx([0.1, 0.0, -0.05], abs=0.01)
    assert not bench.settings.is_staged(SENSORS, "accel_temp_coeff.X")


# How it can end otherwise


@pytest.mark.slow
def test_cancelling_leaves_no_trace(page: CalibrationPage, rig: Rig, bench: Bench) -> None:
    before = dict(bench.board.values)
    begin(page, "accelerometer")
    rig.lie(RestPose.LEVEL, 2.0)
    assert rig.period_ms("AccelSensor") == 40
    page.run_view.cancel.click()
    bench.pass_time(2.0)
    assert page.run is None
    assert page.run_view.isHidden()
    assert bench.settings.staged() == ()
    settings = {d.object_id for d in bench.board.definitions.values() if d.settings}
    metadata = {d.object_id + 1 for d in bench.board.definitions.values()}
    for key, payload in before.items():
        if key[0] in settings | metadata:
            assert bench.board.values[key] == payload


@pytest.mark.slow
def test_escape_cancels(qtbot: QtBot, page: CalibrationPage, rig: Rig) -> None:
    begin(page, "gyro")
    rig.rest(UP, 1.0)
    qtbot.keyClick(page.run_view.cancel, Qt.Key.Key_Escape)
    assert page.run is None


@pytest.mark.slow
def test_closing_the_page_gives_the_rates_back(
    driven: Driven, page: CalibrationPage, rig: Rig, bench: Bench
) -> None:
    begin(page, "gyro")
    rig.rest(UP, 1.0)
    assert rig.period_ms("GyroSensor") == 40
    driven.context.close()
    bench.pass_time(2.0)
    assert rig.period_ms("GyroSensor") == 1000


@pytest.mark.slow
def test_it_goes_on_while_another_page_shows(
    driven: Driven, page: CalibrationPage, rig: Rig
) -> None:
    begin(page, "gyro")
    driven.panel.show_page("hardware.modules")
    rig.rest(UP, 9.0)
    assert page.run is not None
    assert page.run.state is RunState.COLLECTING  # nobody has looked yet
    timer = page.findChild(QTimer)
    assert timer is not None
    assert timer.isActive()
    timer.timeout.emit()
    assert page.run.state is RunState.DONE
    assert not timer.isActive()


@pytest.mark.slow
def test_one_at_a_time_in_all_workspaces(
    qtbot: QtBot, driven: Driven, page: CalibrationPage, rig: Rig
) -> None:
    second = Driven(qtbot, driven.context.fleet, ImmediateJobs())  # type: ignore[arg-type]
    other = calibration_page(second)
    begin(page, "gyro")
    rig.rest(UP, 1.0)
    second.refresh()
    assert other.cards["level"].why_not.text() == "Gyro bias is under way."
    assert not other.cards["level"].start.isEnabled()
    page.run_view.cancel.click()
    rig.rest(UP, 1.0)
    second.refresh()
    assert other.cards["level"].start.isEnabled()
    second.context.close()


@pytest.mark.slow
def test_arming_stops_it(page: CalibrationPage, rig: Rig, bench: Bench) -> None:
    begin(page, "gyro")
    rig.rest(UP, 1.0)
    rig.publish("FlightStatus", {"Armed": "Armed"})
    rig.rest(UP, 0.2)
    assert page.result.problem.text() == "The aircraft was armed."
    assert bench.settings.staged() == ()
    page.result.discard.click()
    assert "disarm" in page.cards["gyro"].why_not.text()
    assert not page.cards["gyro"].start.isEnabled()


@pytest.mark.slow
def test_a_lost_link_pauses_and_asks_anew(page: CalibrationPage, rig: Rig, bench: Bench) -> None:
    begin(page, "accelerometer")
    rig.lie(RestPose.LEVEL, 5.0)
    link_read = bench.aircraft.read
    bench.aircraft.read = lambda timeout_s: link_read(timeout_s)[:0]  # type: ignore[method-assign]
    bench.pass_time(10.0)
    rig.refresh()
    assert page.run is not None
    assert page.run.state is RunState.PAUSED
    assert "silent" in page.run_view.trouble.text()
    bench.aircraft.read = link_read  # type: ignore[method-assign]
    bench.pass_time(5.0)
    for pose in list(RestPose)[1:]:
        rig.lie(pose, 5.0)
    assert page.run.state is RunState.DONE


@pytest.mark.slow
def test_a_board_that_is_moved_is_not_taken(page: CalibrationPage, rig: Rig) -> None:
    begin(page, "gyro")
    for number in range(200):
        rig.step(UP, rates=np.array([30.0 * (-1) ** (number // 10), 0.0, 0.0]))
    assert page.run is not None
    assert page.run.state is RunState.COLLECTING
    assert "moving" in page.run_view.trouble.text()


@pytest.mark.slow
def test_a_magnetometer_turned_in_one_plane_is_refused(
    page: CalibrationPage, rig: Rig, bench: Bench
) -> None:
    begin(page, "magnetometer")
    for angle in np.linspace(0.0, 12.0, 200):
        rig.step(UP, field=480.0 * np.array([np.cos(angle), np.sin(angle), 0.0]))
    assert page.run is not None
    assert page.run.state is RunState.COLLECTING
    assert not page.run_view.finish.isEnabled()
    assert page.run_view.sphere.missing > 20
    page.run.finish()
    rig.refresh()
    assert page.run.state is RunState.FAILED
    assert "of all directions" in page.result.problem.text()
    assert bench.settings.staged() == ()


@pytest.mark.slow
def test_settings_changed_meanwhile_stop_it(page: CalibrationPage, rig: Rig, bench: Bench) -> None:
    begin(page, "accelerometer")
    rig.lie(RestPose.LEVEL, 2.0)
    bench.put(SENSORS, "accel_bias.X", 0.5)
    rig.refresh()
    assert "changed on board" in page.result.problem.text()


def test_without_a_home_the_magnetometer_says_so(
    page: CalibrationPage, rig: Rig, bench: Bench
) -> None:
    put(bench.board, "HomeLocation", {"Be": (0.0, 0.0, 0.0)})
    bench.aircraft.flight.publish(bench.board.named("HomeLocation").object_id)
    bench.pass_time(0.5)
    rig.refresh()
    page.cards["magnetometer"].start.click()
    assert "found nowhere" in page.result.problem.text()
    assert "home location" in page.result.remedy.text()
