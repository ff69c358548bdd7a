"""The assistant's page, driven as a user drives it."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QPushButton
from pytestqt.qtbot import QtBot

from plugins.assistant.airframe_step import AirframeStep
from plugins.assistant.choice_list import ChoiceList
from plugins.assistant.page import AssistantPage
from plugins.assistant.summary_step import TITLE, SummaryStep
from plugins.testing import replayed_vehicle
from telemetry.base.folders import HOME_VARIABLE
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.vehicle.vehicle import Fleet
from tests.plugins.driven import Driven
from tests.telemetry.configuration.settings.bench import Bench, large_board

PAGE = "assistant.setup"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture
def bench(catalogue: Catalogue) -> Bench:
    """A Revolution as bought."""
    board = large_board(catalogue, 100)
    who = board.named("FirmwareIAPObj")
    names = {"BoardType": 9, "BoardRevision": 3, "CPUSerial": list(range(12))}
    board.values[who.object_id, 0] = pack_values(who, names)
    return Bench(catalogue, board)


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    return tmp_path


@pytest.fixture
def driven(qtbot: QtBot, bench: Bench, home: Path) -> Iterator[Driven]:
    yield from _driven(qtbot, bench)


def _driven(qtbot: QtBot, bench: Bench) -> Iterator[Driven]:
    fleet = Fleet()
    fleet.add(bench.vehicle)
    with ThreadPoolExecutor(1) as jobs:
        driven = Driven(qtbot, fleet, jobs)
        yield driven
        driven.context.close()


class User:
    """Clicks."""

    def __init__(self, driven: Driven, qtbot: QtBot) -> None:
        self.driven = driven
        self._qtbot = qtbot
        page = driven.page(PAGE)
        assert isinstance(page, AssistantPage)
        self.page = page

    def choose(self, name: str, choice_id: str) -> None:
        lists = self.page.findChildren(ChoiceList)
        (found,) = [entry for entry in lists if entry.accessibleName() == name]
        item = found.item_of(choice_id)
        found.scrollToItem(item)
        place = found.visualItemRect(item).center()
        self._qtbot.mouseClick(found.viewport(), Qt.MouseButton.LeftButton, pos=place)
        self.driven.refresh()

    def pick(self, name: str, words: str) -> None:
        boxes = self.page.findChildren(QComboBox)
        (box,) = [entry for entry in boxes if entry.accessibleName() == name and entry.isVisible()]
        box.setFocus()
        self._qtbot.keyClick(box, Qt.Key.Key_Home)
        for _ in range(box.findText(words)):
            self._qtbot.keyClick(box, Qt.Key.Key_Down)
        self.driven.refresh()

    def press(self, button: QPushButton) -> None:
        assert button.isEnabled(), button.text()
        self._qtbot.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
        self.driven.refresh()

    def go_to_summary(self) -> SummaryStep:
        self.choose("Airframe", "QuadX")
        self.press(self.page.next)
        self.choose("Speed controllers", "oneshot125")
        self.press(self.page.next)
        self.choose("Receiver", "GCS")
        self.press(self.page.next)
        self.choose("GPS receiver", "UBX")
        for _ in range(3):
            self.press(self.page.next)
        self.choose("Gains", "ar100b")
        self.press(self.page.next)
        summary = self.page.views["summary"]
        assert isinstance(summary, SummaryStep)
        return summary


@pytest.fixture
def user(driven: Driven, qtbot: QtBot) -> User:
    return User(driven, qtbot)


@pytest.mark.slow
def test_nothing_is_staged_or_sent_before_the_summary_is_accepted(user: User, bench: Bench) -> None:
    before = dict(bench.board.values)
    user.go_to_summary()
    assert bench.settings.staged() == ()
    bench.pass_time(1.0)
    settings = [d.object_id for d in bench.board.definitions.values() if d.settings]
    assert all(bench.board.values[key, 0] == before[key, 0] for key in settings)


@pytest.mark.slow
def test_accepting_writes_saves_and_can_be_undone_as_one(user: User, bench: Bench) -> None:
    summary = user.go_to_summary()
    user.press(summary.accept)
    bench.finish()
    user.driven.refresh()
    assert bench.on_board("MixerSettings", "Mixer1Type") == "Motor"
    assert bench.stored("MixerSettings") == bench.held("MixerSettings")
    assert bench.on_board("FlightModeSettings", "FlightModePosition")[5] == "AutoTakeoff"
    assert bench.settings.history.undo_next is not None
    assert bench.settings.history.undo_next.title == TITLE
    assert "On board, read back and saved" in summary.outcome.text()
    user.press(summary.undo)
    bench.finish()
    assert bench.on_board("MixerSettings", "Mixer1Type") == "Disabled"
    assert bench.stored("MixerSettings") == bench.held("MixerSettings")
    assert bench.settings.history.undo_next is None


@pytest.mark.slow
def test_what_waits_in_the_drawer_is_not_sent_along(user: User, bench: Bench) -> None:
    bench.settings.stage("StabilizationSettings", "GyroTau", 0.01)
    summary = user.go_to_summary()
    user.press(summary.accept)
    bench.finish()
    assert bench.on_board("StabilizationSettings", "GyroTau") == pytest.approx(0.003)
    bench.settings.draft.clear()


@pytest.mark.slow
def test_an_unticked_object_is_left_out(user: User, bench: Bench) -> None:
    summary = user.go_to_summary()
    items = [summary.table.topLevelItem(i) for i in range(summary.table.topLevelItemCount())]
    (mixer,) = [item for item in items if item is not None and item.text(0) == "MixerSettings"]
    mixer.setCheckState(0, Qt.CheckState.Unchecked)
    user.press(summary.accept)
    bench.finish()
    assert bench.on_board("MixerSettings", "Mixer1Type") == "Disabled"
    assert bench.on_board("ActuatorSettings", "BankMode")[0] == "OneShot125"


@pytest.mark.slow
def test_a_refused_object_is_said_and_the_others_stand(user: User, bench: Bench) -> None:
    bench.board.refused.add(bench.named("HwSettings").object_id)
    summary = user.go_to_summary()
    user.press(summary.accept)
    bench.finish()
    user.driven.refresh()
    assert "✖ HwSettings: refused" in summary.outcome.text()
    assert bench.on_board("MixerSettings", "Mixer1Type") == "Motor"


@pytest.mark.slow
def test_armed_it_refuses(user: User, bench: Bench) -> None:
    summary = user.go_to_summary()
    bench.put("FlightStatus", "Armed", "Armed")
    user.driven.refresh()
    assert not summary.accept.isEnabled()
    assert "armed" in user.page.notice.text()
    bench.put("FlightStatus", "Armed", "Disarmed")
    user.driven.refresh()
    assert summary.accept.isEnabled()


@pytest.mark.slow
def test_next_stays_where_it_is(user: User) -> None:
    user.page.resize(900, 560)
    user.page.show()
    user.choose("Airframe", "QuadX")
    places = {user.page.next.geometry().topLeft()}
    for name, choice in (("Speed controllers", "oneshot125"), ("Receiver", "GCS")):
        user.press(user.page.next)
        user.choose(name, choice)
        places.add(user.page.next.geometry().topLeft())
    assert len(places) == 1
    assert user.page.rect().contains(user.page.next.geometry())


@pytest.mark.slow
def test_run_again_it_begins_with_what_is_on_board(user: User, bench: Bench, qtbot: QtBot) -> None:
    user.press(user.go_to_summary().accept)
    bench.run(lambda: bench.settings.transfer is None or bench.settings.transfer.is_finished)
    user.driven.refresh()
    bench.put("MixerSettings", "MixerValueYaw", -50)
    for number, yaw in enumerate((64, -64, 64, -64), 1):
        bench.put("MixerSettings", f"Mixer{number}Vector.Yaw", yaw)
    for driven in _driven(qtbot, bench):
        again = User(driven, qtbot)
        answers = again.page.state.answers
        assert (answers.frame, answers.propellers_reversed) == ("QuadX", True)
        for _ in range(7):
            again.press(again.page.next)
        summary = again.page.views["summary"]
        assert isinstance(summary, SummaryStep)
        assert "already" in summary.outcome.text()
        assert not summary.accept.isEnabled()


@pytest.mark.slow
def test_a_part_the_aircraft_lacks_is_none(user: User) -> None:
    user.choose("Airframe", "FixedWingElevon")
    user.press(user.page.next)
    user.choose("Speed controllers", "pwm50")
    user.pick("Output of Rudder1", "None")
    assert user.page.state.answers.outputs["Rudder1"] == 0
    assert user.page.next.isEnabled()
    assert user.page.state.plan.values["MixerSettings"]["Mixer4Type"] == "Disabled"


@pytest.mark.slow
def test_answers_are_there_after_a_restart(user: User, bench: Bench, qtbot: QtBot) -> None:
    user.choose("Airframe", "Hexa")
    user.press(user.page.next)
    for driven in _driven(qtbot, bench):
        again = User(driven, qtbot)
        assert again.page.state.answers.frame == "Hexa"
        assert again.page.state.progress.step.id == "outputs"
        again.press(again.page.again)
        assert again.page.state.answers.frame == ""


def test_a_motor_moves_to_another_output(user: User) -> None:
    user.choose("Airframe", "QuadX")
    user.press(user.page.next)
    user.choose("Speed controllers", "pwm490")
    user.pick("Output of NW", "Output 2")
    assert "chosen twice" in user.page.missing.text()
    assert not user.page.next.isEnabled()
    user.pick("Output of NE", "Output 1")
    assert user.page.state.answers.outputs["NW"] == 2
    assert user.page.next.isEnabled()


def test_the_frame_is_drawn(user: User) -> None:
    user.choose("Airframe", "HexaX")
    step = user.page.views["airframe"]
    assert isinstance(step, AirframeStep)
    assert step.picture.drawing.frame == "HexaX"


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_the_wiring_is_saved_as_a_picture(user: User, tmp_path: Path, suffix: str) -> None:
    summary = user.go_to_summary()
    path = tmp_path / f"wiring{suffix}"
    summary.save_to(path)
    assert path.stat().st_size > 2000
    summary.save_to(tmp_path / "nowhere" / f"wiring{suffix}")
    assert "cannot be written" in user.driven.messages[-1]


@pytest.mark.slow
def test_links_go_to_other_pages(user: User) -> None:
    user.driven.context.show_page("")
    shown: list[str] = []
    user.page.state.context.show_page = shown.append
    summary = user.go_to_summary()
    (button,) = [b for b in summary.findChildren(QAbstractButton) if b.text() == "Test the motors"]
    button.click()
    assert shown == [user.page.state.page("outputs")]


def test_a_log_is_read_only_and_says_so(qtbot: QtBot, home: Path) -> None:
    fleet = Fleet()
    fleet.add(replayed_vehicle())
    with ThreadPoolExecutor(1) as jobs:
        driven = Driven(qtbot, fleet, jobs)
        page = driven.page(PAGE)
        assert isinstance(page, AssistantPage)
        assert "log" in page.notice.text()
        assert not page.views["airframe"].isEnabled()
        assert not page.next.isEnabled()
        driven.context.close()
    assert list(home.rglob("*.json")) == []


def test_a_board_without_most_objects_can_still_be_asked(
    qtbot: QtBot, catalogue: Catalogue, home: Path
) -> None:
    fleet = Fleet()
    fleet.add(Bench(catalogue).vehicle)  # has no ActuatorSettings, HwSettings, ...
    with ThreadPoolExecutor(1) as jobs:
        driven = Driven(qtbot, fleet, jobs)
        user = User(driven, qtbot)
        user.choose("Airframe", "QuadX")
        user.press(user.page.next)
        assert user.page.state.progress.step.id == "outputs"
        driven.context.close()
