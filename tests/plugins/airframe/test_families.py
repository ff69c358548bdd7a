"""What each family has besides: swash plates, roll differential, frames nobody knows, Custom."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from plugins.airframe.page import AirframePage
from telemetry.configuration.airframe.airframe import airframe_named, find_airframe
from telemetry.configuration.airframe.helicopter import SwashPlate
from telemetry.configuration.airframe.mixer import Mixer, read_mixer
from telemetry.configuration.airframe.mixer_generation import Options, generate
from telemetry.configuration.settings.slots import whole_fields
from telemetry.vehicle.vehicle import Vehicle
from tests.telemetry.configuration.settings.bench import Bench

MIXER, SYSTEM = "MixerSettings", "SystemSettings"


@pytest.fixture
def page(bench: Bench, open_page: Callable[[Vehicle], AirframePage]) -> AirframePage:
    return open_page(bench.vehicle)


def choose(page: AirframePage, name: str) -> None:
    page.choose.setChecked(True)
    page.picker.tiles[name].click()
    page.refresh(0.0)


def vectors(bench: Bench) -> list[tuple[int, ...]]:
    definition = bench.settings.definition(MIXER)
    assert definition is not None
    mixer = read_mixer(whole_fields(definition, bench.settings.values(MIXER)), definition)
    return [channel.vector for channel in mixer.channels]


def wheel(target: QWidget) -> None:
    event = QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(0, 0),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(target, event)


@pytest.mark.slow
def test_a_swash_plate_of_another_type(page: AirframePage, bench: Bench) -> None:
    choose(page, "HeliCP")
    assert not page.swash.isHidden()
    page.swash.types.textActivated.emit("CCPM 4 Servo 90")
    plate = SwashPlate("CCPM 4 Servo 90")
    wanted = generate(airframe_named("HeliCP"), options=Options(swash_plate=plate))
    assert vectors(bench) == [channel.vector for channel in wanted.channels]
    page.swash.collective.changed.emit(30.0)
    assert [vector[1] for vector in vectors(bench)] == [0, 0, 38, 38, 38, 38]


@pytest.mark.slow
def test_cyclic_gets_levels_of_its_own_when_it_is_not_linked(
    page: AirframePage, bench: Bench
) -> None:
    choose(page, "HeliCP")
    page.swash.linked.click()
    page.refresh(0.0)
    page.levels.linked.setChecked(False)
    page.levels.sliders["Pitch"].changed.emit(20.0)
    assert vectors(bench)[2][3] == 25
    assert bench.settings.value(MIXER, "MixerValuePitch") == 20


def test_a_helicopter_has_a_curve_for_collective(page: AirframePage, bench: Bench) -> None:
    choose(page, "HeliCP")
    points = [bench.settings.value(MIXER, f"ThrottleCurve2.{p}") for p in (0, 25, 50, 75, 100)]
    assert points == [-1.0, -0.5, 0.0, 0.5, 1.0]


def test_roll_differential_knows_the_first_aileron(page: AirframePage, bench: Bench) -> None:
    choose(page, "FixedWing")
    assert page.levels.widget_of("RollDifferential") is page.levels.differential
    page.levels.differential.changed.emit(-40.0)
    assert bench.settings.value(MIXER, "RollDifferential") == -40
    assert bench.settings.value(MIXER, "FirstRollServo") == 2
    page.preview.right.show_position(0.5, 0.0)
    page.refresh(0.0)
    assert page.preview.values[2] > 0.0
    assert page.preview.values[2] != page.preview.values[3]


@pytest.mark.slow
def test_custom_leaves_everything_as_it_is(page: AirframePage, bench: Bench) -> None:
    choose(page, "HexaX")
    before = vectors(bench)
    choose(page, "Custom")
    assert vectors(bench) == before
    assert not page.take_over.isVisible()
    assert len(page.view.drawing.parts) == 6


@pytest.mark.slow
def test_a_frame_nobody_knows_is_shown_as_it_is_on_board(
    page: AirframePage, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(page, "OctoX")
    bench.settings.apply()
    bench.finish()
    known = find_airframe

    def forgetful(name: str) -> object:
        return known("No such frame" if name == "OctoX" else name)

    monkeypatch.setattr("telemetry.configuration.settings.airframe_draft.find_airframe", forgetful)
    page.draft.set_reversed(False)
    page.refresh(0.0)
    assert page.title.text() == "Custom"
    assert len(page.view.drawing.parts) == 8
    assert page.draft.is_following
    assert bench.settings.staged() == ()


@pytest.mark.slow
def test_a_frame_is_taken_back_with_all_that_came_with_it(page: AirframePage, bench: Bench) -> None:
    before = bench.settings.values(MIXER), bench.settings.values(SYSTEM)
    choose(page, "Tri")
    bench.settings.apply()
    bench.finish()
    page.refresh(0.0)
    assert page.title.text() == "Tricopter Y"
    bench.settings.undo()
    bench.finish()
    page.refresh(0.0)
    assert (bench.settings.values(MIXER), bench.settings.values(SYSTEM)) == before
    assert page.title.text() == "Quad X"


def test_gimbal_outputs_are_kept(page: AirframePage, bench: Bench) -> None:
    bench.settings.stage(MIXER, "Mixer9Type", "CameraYaw")
    choose(page, "Hexa")
    assert bench.settings.value(MIXER, "Mixer9Type") == "CameraYaw"
    assert len(page.draft.mixer.motors) == 6
    assert isinstance(page.draft.mixer, Mixer)


def test_the_wheel_scrolls_past_everything(page: AirframePage, bench: Bench) -> None:
    choose(page, "Hexa")
    staged = bench.settings.staged()
    curve = page.curves.curves["ThrottleCurve1"]
    for field in (*page.assignment.combos.values(), curve.kinds, curve.low, curve.high):
        before = getattr(field, "value", lambda: 0)()
        wheel(field)
        assert getattr(field, "value", lambda: 0)() == before
    assert bench.settings.staged() == staged
    assert curve.kinds.currentText() == "Linear"


@pytest.mark.slow
def test_search_finds_the_way_to_every_setting(page: AirframePage, bench: Bench) -> None:
    choose(page, "FixedWing")
    for name in (MIXER, SYSTEM):
        for path in bench.settings.values(name):
            page.show_setting(name, path)
    page.show_setting(MIXER, "Mixer3Vector.Yaw")
    current = page.table.currentIndex()
    assert page.table.cells.path(current) == "Mixer3Vector.Yaw"
