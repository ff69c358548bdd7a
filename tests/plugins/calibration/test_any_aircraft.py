"""The page of calibration with any aircraft: one without a sensor, one of a log, one with GPS."""

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from plugins.calibration.page import CalibrationPage
from plugins.testing import catalogue as shipped
from plugins.testing import replayed_vehicle
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording
from telemetry.vehicle.commands import RefusedCommands
from telemetry.vehicle.vehicle import Fleet, LinkState, LinkStatus, Vehicle
from tests.immediate import ImmediateJobs
from tests.plugins.calibration.conftest import calibration_page
from tests.plugins.calibration.rig import BE, Rig, sensor_board
from tests.plugins.driven import Driven
from tests.telemetry.configuration.settings.bench import Bench
from widgets.settings.form import ObjectForm

SENSORS = "AccelGyroSettings"


@pytest.mark.slow
def test_what_was_never_done_is_said(driven: Driven, page: CalibrationPage, bench: Bench) -> None:
    assert page.incomplete().startswith("Never calibrated: accelerometer, level")
    bench.put(SENSORS, "accel_bias.X", 0.5)
    bench.put("AttitudeSettings", "BoardLevelTrim.Roll", 1.5)
    assert "accelerometer" not in page.incomplete()
    assert "level" not in page.incomplete()
    driven.refresh()
    assert page.cards["accelerometer"].mark.text() == "Done"
    assert page.cards["accelerometer"].status.text() == "accel_bias 0.5, 0, 0; accel_scale 1, 1, 1."


def test_a_board_without_magnetometer_shows_the_rest(qtbot: QtBot, catalogue: Catalogue) -> None:
    board = sensor_board(catalogue, without=("RevoCalibration", "AuxMagSettings", "HomeLocation"))
    fleet = Fleet()
    fleet.add(Bench(catalogue, board).vehicle)
    driven = Driven(qtbot, fleet, ImmediateJobs())  # type: ignore[arg-type]
    page = calibration_page(driven)
    assert "has no RevoCalibration" in page.cards["magnetometer"].why_not.text()
    assert not page.cards["magnetometer"].start.isEnabled()
    assert page.cards["accelerometer"].start.isEnabled()
    assert page.home.isHidden()
    driven.context.close()


def test_a_log_shows_what_was_on_board_and_starts_nothing(qtbot: QtBot) -> None:
    fleet = Fleet()
    fleet.add(replayed_vehicle())
    driven = Driven(qtbot, fleet, ImmediateJobs())  # type: ignore[arg-type]
    page = calibration_page(driven)
    assert all(not card.start.isEnabled() for card in page.cards.values())
    assert page.cards["gyro"].why_not.text() == "A log can be read only."
    driven.context.close()


def test_a_search_unfolds_the_settings(driven: Driven, page: CalibrationPage) -> None:
    page.show_setting("RevoSettings", "FusionAlgorithm")
    driven.refresh()
    assert driven.editor("FusionAlgorithm").isVisible()


def test_home_is_set_where_the_gps_is(page: CalibrationPage, rig: Rig, bench: Bench) -> None:
    fix = {"Latitude": 498602460, "Longitude": 86870770, "Altitude": 100.0, "Status": "Fix3D"}
    assert not page.home.from_gps.isEnabled()
    rig.publish("GPSPositionSensor", {**fix, "Satellites": 9})
    bench.pass_time(0.2)
    rig.refresh()
    page.home.from_gps.click()
    be = [bench.settings.value("HomeLocation", f"Be.{i}") for i in range(3)]
    assert np.linalg.norm(be) == pytest.approx(490.4, abs=1.5)
    assert bench.settings.value("HomeLocation", "Latitude") == 498602460
    page.home.clear.click()
    assert bench.settings.value("HomeLocation", "Set") == "False"


@pytest.mark.slow
def test_the_log_of_2014_shows_what_its_sensors_read(qtbot: QtBot, shared_logs: Path) -> None:
    reading = read_log(shared_logs / "openpilot-14.06-quad-2014-07-17.opl", shipped())
    driven, page = opened_log(qtbot, reading.recording)
    assert page.cards["accelerometer"].now.text().startswith("Gravity reads 10.19 of 9.832")
    assert page.cards["accelerometer"].status.text() == (
        "accel_bias 0.009329, -0.1584, -0.5402; accel_scale 1.003, 0.9992, 0.984."
    )
    for group in page.groups:
        group.set_open(True)
    driven.refresh()
    assert page.groups[0].findChildren(ObjectForm)
    driven.context.close()


def test_a_log_without_settings_says_so(qtbot: QtBot) -> None:
    driven, page = opened_log(qtbot, Recording())
    assert page.cards["accelerometer"].status.text() == "It is not in this log."
    assert page.cards["accelerometer"].mark.text() == ""
    driven.context.close()


def test_a_log_with_settings_shows_the_stored_calibration(qtbot: QtBot) -> None:
    recording = Recording()
    for name, values in {
        SENSORS: {"accel_bias": (0.1, 0.2, 0.3), "gyro_bias": (1.0, 0.0, 0.0)},
        "HomeLocation": {"Be": BE, "Set": "True"},
        "MagSensor": {"x": 300.0, "y": 0.0, "z": 400.0},
    }.items():
        definition = shipped().find(name)
        recording.append(1.0, definition, 0, pack_values(definition, values))
    driven, page = opened_log(qtbot, recording)
    assert page.cards["accelerometer"].mark.text() == "Done"
    assert page.cards["gyro"].status.text() == "gyro_bias 1, 0, 0."
    assert (
        page.cards["magnetometer"].now.text() == "The field reads 500 of 481 mGauss now (+3.9 %)."
    )
    assert not page.home.clear.isEnabled()
    driven.context.close()


def opened_log(qtbot: QtBot, recording: Recording) -> tuple[Driven, CalibrationPage]:
    end_s = recording.last_s
    vehicle = Vehicle("log", recording, shipped(), RefusedCommands("A log."))
    vehicle.status = LinkStatus(LinkState.REPLAY)
    vehicle.timeline.advance(0.0, 0.0, end_s)
    vehicle.timeline.end_live()
    fleet = Fleet()
    fleet.add(vehicle)
    driven = Driven(qtbot, fleet, ImmediateJobs())  # type: ignore[arg-type]
    page = calibration_page(driven)
    driven.panel.refresh(end_s)
    assert all(not card.start.isEnabled() for card in page.cards.values())
    return driven, page
