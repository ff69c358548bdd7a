"""The airframe page as a user meets it: choose, assign, shift a level, flip a cell, try it out."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from plugins.airframe.page import AirframePage
from plugins.testing import add, live_vehicle, replayed_vehicle
from telemetry.base.finding import Level
from telemetry.configuration.airframe.airframe import AXES, airframe_named
from telemetry.configuration.airframe.mixer import read_mixer
from telemetry.configuration.airframe.mixer_generation import generate
from telemetry.configuration.settings.configuration import Configuration, configuration_of
from telemetry.configuration.settings.slots import whole_fields
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording
from telemetry.vehicle.replay import replay_vehicle
from telemetry.vehicle.vehicle import Vehicle
from tests.telemetry.configuration.settings.bench import Bench

MIXER, SYSTEM = "MixerSettings", "SystemSettings"
Opener = Callable[[Vehicle], AirframePage]


@pytest.fixture
def page(bench: Bench, open_page: Opener) -> AirframePage:
    return open_page(bench.vehicle)


@pytest.fixture
def quad(page: AirframePage, bench: Bench) -> AirframePage:
    """The page of an aircraft that is set up as a quadrotor."""
    page.take_over.click()
    bench.settings.apply()
    bench.finish()
    page.refresh(0.0)
    return page


def vehicle_of(catalogue: Catalogue, release: str) -> Vehicle:
    """A connected aircraft with the defaults of another release."""
    recording = Recording("made up")
    for name in (MIXER, SYSTEM):
        definition = catalogue.find(name, release)
        recording.append(0.0, definition, 0, definition.default_row().tobytes())
    return live_vehicle("sim:other", recording)


def staged_mixer(settings: Configuration) -> list[tuple[int, str, tuple[int, ...]]]:
    definition = settings.definition(MIXER)
    assert definition is not None
    mixer = read_mixer(whole_fields(definition, settings.values(MIXER)), definition)
    return [(c.output, c.type, c.vector) for c in mixer.channels]


@pytest.mark.parametrize(
    "name", ["OctoCoaxX", "Tri", "FixedWingVtail", "HeliCP", "GroundVehicleCar"]
)
@pytest.mark.slow
def test_choosing_a_frame_stages_what_it_generates(
    name: str, page: AirframePage, bench: Bench, qtbot: QtBot
) -> None:
    page.choose.click()
    qtbot.mouseClick(page.picker.tiles[name], Qt.MouseButton.LeftButton)
    page.refresh(0.0)
    wanted = [(c.output, c.type, c.vector) for c in generate(airframe_named(name)).channels]
    assert bench.settings.value(SYSTEM, "AirframeType") == name
    assert staged_mixer(bench.settings) == wanted
    assert not page.incomplete()
    assert page.title.text() == airframe_named(name).title


def test_looking_stages_nothing(page: AirframePage, bench: Bench, qtbot: QtBot) -> None:
    page.choose.click()
    page.show_setting(MIXER, "Mixer3Vector.Yaw")
    page.show_setting(SYSTEM, "VehicleName")
    qtbot.keyClick(page.preview.right, Qt.Key.Key_Right)
    page.picker.tiles["QuadX"].click()  # which it has already
    for _ in range(3):
        page.refresh(0.0)
    assert bench.settings.staged() == ()


def test_an_erased_mixer_is_incomplete_until_it_is_taken_over(
    page: AirframePage, bench: Bench
) -> None:
    assert page.incomplete() == "No motor has an output yet."
    page.take_over.click()
    page.refresh(0.0)
    assert page.incomplete() == ""
    assert not page.take_over.isEnabled()
    bench.settings.draft.clear()
    page.refresh(0.0)
    assert page.incomplete()


@pytest.mark.slow
def test_a_level_moves_the_mixer_that_follows_it(quad: AirframePage, bench: Bench) -> None:
    quad.levels.sliders["Yaw"].changed.emit(100.0)
    assert [vector[4] for _, _, vector in staged_mixer(bench.settings)] == [-127, 127, -127, 127]
    assert bench.settings.value(MIXER, "MixerValueYaw") == 100
    quad.levels.sliders["Roll"].changed.emit(25.0)  # roll and pitch are linked at first
    assert bench.settings.value(MIXER, "MixerValuePitch") == 25


@pytest.mark.slow
def test_reversed_propellers_are_stored_as_other_stations_read_them(
    quad: AirframePage, bench: Bench
) -> None:
    """A negative MixerValueYaw: firmware-rules.md, "What LibrePilot's station writes"."""
    quad.levels.reversed.click()
    quad.refresh(0.0)
    staged = bench.settings.value
    assert staged("MixerSettings", "MixerValueYaw") == -50
    assert staged("MixerSettings", "Mixer1Vector.Yaw") == 64
    assert (quad.draft.setup.levels.yaw, quad.draft.setup.reversed) == (50, True)
    assert quad.draft.findings == ()
    quad.levels.reversed.click()
    assert staged("MixerSettings", "MixerValueYaw") == 50


def test_a_mixer_of_the_users_own_is_left_alone(quad: AirframePage, bench: Bench) -> None:
    cells = quad.table.cells
    cells.setData(cells.index_of("Mixer1Vector.Pitch"), 40)
    quad.refresh(0.0)
    quad.levels.sliders["Yaw"].changed.emit(100.0)
    quad.refresh(0.0)
    assert [vector[4] for _, _, vector in staged_mixer(bench.settings)] == [-64, 64, -64, 64]
    assert cells.index_of("Mixer1Vector.Pitch").data() == "● 40 (64)"
    assert cells.index_of("Mixer1Vector.Yaw").data() == "-64 (-127)"
    quad.take_over.click()
    assert staged_mixer(bench.settings)[0] == (1, "Motor", (127, 0, 64, 64, -127))


@pytest.mark.slow
def test_a_flipped_cell_is_a_danger(quad: AirframePage, bench: Bench) -> None:
    assert quad.findings.findings == ()
    cells = quad.table.cells
    cells.setData(cells.index_of("Mixer1Vector.Roll"), -64)
    quad.refresh(0.0)
    assert quad.findings.findings[0].level is Level.ERROR
    assert "works against roll" in quad.incomplete()
    assert quad.findings.isVisible()


def test_a_motor_goes_to_another_output_and_is_remembered_there(
    quad: AirframePage, bench: Bench
) -> None:
    combo = quad.assignment.combos["NW"]
    combo.setCurrentIndex(7)
    combo.activated.emit(7)
    quad.refresh(0.0)
    assert staged_mixer(bench.settings)[-1] == (7, "Motor", (127, 0, 64, 64, -64))
    assert bench.settings.value(MIXER, "Mixer1Type") == "Disabled"
    bench.settings.apply()
    bench.finish()
    quad.refresh(0.0)
    assert combo.currentText() == "7"
    assert quad.findings.findings == ()


@pytest.mark.slow
def test_an_output_used_twice_is_said_and_not_staged(quad: AirframePage, bench: Bench) -> None:
    quad.assignment.combos["NW"].activated.emit(2)
    quad.refresh(0.0)
    assert quad.findings.findings[0].code == "output-twice"
    assert [output for output, _, _ in staged_mixer(bench.settings)] == [1, 2, 3, 4]


def test_the_preview_follows_the_sticks(quad: AirframePage, qtbot: QtBot) -> None:
    even = quad.preview.values
    assert len(set(even.values())) == 1
    qtbot.keyClick(quad.preview.right, Qt.Key.Key_Right)
    quad.refresh(0.0)
    rolled = quad.preview.values
    assert rolled[1] == rolled[4] > even[1] > rolled[2] == rolled[3]
    qtbot.keyClick(quad.preview.right, Qt.Key.Key_Home)
    qtbot.keyClick(quad.preview.right, Qt.Key.Key_Up)  # stick ahead: nose down
    quad.refresh(0.0)
    assert quad.preview.values[1] < quad.preview.values[3]


def test_propellers_turn_as_the_preview_says(quad: AirframePage) -> None:
    before = quad.view.turn_deg("NW"), quad.view.turn_deg("NE")
    quad.refresh(0.0)
    after = quad.view.turn_deg("NW"), quad.view.turn_deg("NE")
    assert (after[0] - before[0]) % 360.0 < 180.0 < (after[1] - before[1]) % 360.0
    quad.preview.left.show_position(0.0, -1.0)
    quad.refresh(0.0)
    rest = quad.view.turn_deg("NW")
    quad.refresh(0.0)
    assert quad.view.turn_deg("NW") == rest


def test_a_generator_stages_five_points(quad: AirframePage, bench: Bench) -> None:
    curve = quad.curves.curves["ThrottleCurve1"]
    curve.kinds.setCurrentText("Step")
    curve.parameter.setValue(50)
    curve.make.click()
    points = [bench.settings.value(MIXER, path) for path in curve.editor.paths]
    assert points == [0.0, 0.0, 1.0, 1.0, 1.0]


def test_a_release_with_fewer_outputs(catalogue: Catalogue, open_page: Opener) -> None:
    vehicle = vehicle_of(catalogue, "OpenPilot-12.10")
    page = open_page(vehicle)
    assert page.table.cells.rowCount() == 10
    assert "HexaH" not in page.picker.tiles
    page.take_over.click()
    assert len(staged_mixer(configuration_of(vehicle))) == 4


def test_weights_of_sixteen_bits_and_no_curve(catalogue: Catalogue, open_page: Opener) -> None:
    vehicle = vehicle_of(catalogue, "dRonin-20180729")
    page = open_page(vehicle)
    assert not page.curves.curves["ThrottleCurve1"].isVisible()
    page.take_over.click()
    page.refresh(0.0)
    assert page.draft.is_following
    assert staged_mixer(configuration_of(vehicle))[0][2] == (128, 0, 64, 64, -64, 0, 0, 0)


def test_a_log_is_read_only(open_page: Opener) -> None:
    vehicle = replayed_vehicle()
    add(vehicle.recording, 1.0, SYSTEM, AirframeType="HexaX")
    levels = {f"MixerValue{axis}": 100 for axis in AXES}
    vector = (127, 0, -64, 127, -127)
    add(vehicle.recording, 1.0, MIXER, Mixer1Type="Motor", Mixer1Vector=vector, **levels)
    vehicle.timeline.advance(0.0, 0.0, 20.0)
    vehicle.timeline.seek(20.0)
    page = open_page(vehicle)
    assert page.title.text() == "Hexa X"
    cells = page.table.cells
    cell = cells.index_of("Mixer1Vector.Roll")
    assert cell.data() == "-64"
    assert not cells.flags(cell) & Qt.ItemFlag.ItemIsEditable
    assert not page.take_over.isEnabled()
    assert not any(combo.isEnabled() for combo in page.assignment.combos.values())


def test_a_frame_the_firmware_cannot_hold_is_said(catalogue: Catalogue, open_page: Opener) -> None:
    vehicle = vehicle_of(catalogue, "dRonin-20180729")
    page = open_page(vehicle)
    page.picker.tiles["GroundVehicleCar"].click()
    page.refresh(0.0)
    assert page.title.text() == "Car"
    assert "cannot be ReversableMotor" in page.draft.trouble
    assert not page.take_over.isEnabled()
    assert staged_mixer(configuration_of(vehicle)) == []


def test_a_family_of_firmware_has_levels_of_its_own(
    catalogue: Catalogue, open_page: Opener
) -> None:
    vehicle = vehicle_of(catalogue, "dRonin-20180729")
    page = open_page(vehicle)
    page.picker.tiles["HexaX"].click()
    page.refresh(0.0)
    wanted = airframe_named("HexaX").levels_tau_labs
    assert page.draft.setup.levels == wanted
    assert page.draft.is_following


@pytest.mark.slow
def test_the_quadrotor_of_2014(shared_logs: Path, catalogue: Catalogue, open_page: Opener) -> None:
    reading = read_log(shared_logs / "openpilot-14.06-quad-2014-07-17.opl", catalogue)
    vehicle = replay_vehicle(reading, catalogue)
    vehicle.timeline.advance(0.0, reading.recording.first_s, reading.recording.last_s)
    vehicle.timeline.seek(60.0)
    page = open_page(vehicle)
    assert page.title.text() == "Quad X"
    assert page.draft.setup.outputs == {"NW": 1, "NE": 2, "SE": 3, "SW": 4}
    assert page.draft.is_following
    assert page.findings.findings == ()
    assert page.preview.bars.bars[0].pulse_us == pytest.approx(1438, abs=1)
    page.levels.sliders["Roll"].changed.emit(10.0)
    assert configuration_of(vehicle).staged() == ()


def test_before_anything_is_fetched(open_page: Opener) -> None:
    page = open_page(replayed_vehicle())
    assert page.incomplete() == ""
    assert page.table.cells.rowCount() == 0
