"""The page of outputs: what is staged, what is judged, and motors that only turn while held."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from pytestqt.qtbot import QtBot

from plugins.outputs.output_row import OutputRow
from plugins.outputs.page import OutputsPage
from plugins.testing import replayed_vehicle
from telemetry.configuration.actuator_test.state_machine import ActuatorTest, Phase
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.vehicle.vehicle import Fleet
from tests.plugins.driven import Driven, driving
from tests.telemetry.configuration.actuator_test.shop import REST, Shop
from widgets.hold_button import HoldButton

PAGE, SETTINGS = "outputs.outputs", "ActuatorSettings"


@pytest.fixture
def shop(catalogue: Catalogue) -> Shop:
    shop = Shop(catalogue)
    shop.bench.vehicle.attachment("actuator_test", lambda: shop.test)
    return shop


@pytest.fixture
def driven(qtbot: QtBot, shop: Shop) -> Iterator[Driven]:
    with driving(qtbot, shop.bench.vehicle) as driven:
        yield driven


@pytest.fixture
def page(driven: Driven) -> OutputsPage:
    page = driven.page(PAGE)
    assert isinstance(page, OutputsPage)
    return page


class Hand:
    """Somebody at the page, while time passes."""

    def __init__(self, driven: Driven, shop: Shop, page: OutputsPage) -> None:
        self.driven, self.shop, self.page = driven, shop, page

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.1)):
            self.shop.run(0.1)
            self.driven.refresh()

    def begin(self) -> None:
        self.page.card.password.setText("propellers off")
        self.page.card.begin.click()
        self.wait(1.0)
        assert self.page.test.phase is Phase.READY

    def button(self, number: int) -> HoldButton:
        return self.page.card.hold.buttons[number]

    def row(self, number: int) -> OutputRow:
        return self.page.table.rows[number - 1]


@pytest.fixture
def hand(driven: Driven, shop: Shop, page: OutputsPage) -> Hand:
    return Hand(driven, shop, page)


@pytest.mark.slow
def test_rows_say_what_each_output_drives(page: OutputsPage) -> None:
    titles = [row.title.text() for row in page.table.rows if row.title.isVisible()]
    assert titles == ["Motor NW", "Motor NE", "Motor SE", "Motor SW"]
    page.table.all.setChecked(True)
    assert sum(row.title.isVisible() for row in page.table.rows) == 12


@pytest.mark.slow
def test_a_staged_pulse_is_judged_and_not_sent(hand: Hand) -> None:
    assert hand.page.findings.findings == ()
    hand.row(1).editors["ChannelNeutral.0"].stage(1500)
    hand.driven.refresh()
    assert [f.code for f in hand.page.findings.findings] == ["motor-neutral-high"]
    hand.wait(0.5)
    assert hand.shop.bench.on_board(SETTINGS, "ChannelNeutral.0") == 1000
    assert hand.shop.pulses() == REST


@pytest.mark.slow
def test_reversing_a_servo_stages_its_ends_exchanged(hand: Hand) -> None:
    settings = hand.shop.bench.settings
    settings.stage("MixerSettings", "Mixer5Type", "Servo")
    settings.stage_all(SETTINGS, {"ChannelMin.4": 1100, "ChannelMax.4": 1900})
    hand.driven.refresh()
    hand.row(5).reverse.click()
    hand.driven.refresh()
    assert settings.value(SETTINGS, "ChannelMin.4") == 1900
    assert settings.value(SETTINGS, "ChannelMax.4") == 1100
    assert hand.row(5).reverse.isChecked()


@pytest.mark.slow
def test_equal_ends_do_not_tick_reverse_by_themselves(hand: Hand) -> None:
    row = hand.row(6)
    assert not row.reverse.isChecked()
    assert not row.reverse.isEnabled()


@pytest.mark.slow
def test_no_button_works_before_somebody_has_looked_at_the_propellers(hand: Hand) -> None:
    assert not hand.page.card.begin.isEnabled()
    assert not any(button.isEnabled() for button in hand.page.card.hold.buttons.values())


@pytest.mark.slow
def test_a_motor_turns_while_the_mouse_is_down(qtbot: QtBot, hand: Hand) -> None:
    hand.begin()
    button = hand.button(2)
    qtbot.mousePress(button, Qt.MouseButton.LeftButton)
    hand.wait(0.3)
    assert hand.shop.pulses()[1] == 1090
    qtbot.mouseRelease(button, Qt.MouseButton.LeftButton)
    hand.wait(0.2)
    assert hand.shop.pulses() == REST


@pytest.mark.slow
def test_the_space_key_holds_too(qtbot: QtBot, hand: Hand) -> None:
    hand.begin()
    button = hand.button(3)
    qtbot.keyPress(button, Qt.Key.Key_Space)
    hand.wait(0.3)
    assert hand.shop.pulses()[2] == 1090
    qtbot.keyRelease(button, Qt.Key.Key_Space)
    hand.wait(0.2)
    assert hand.shop.pulses() == REST


@pytest.mark.slow
def test_moving_off_the_button_stops(qtbot: QtBot, hand: Hand) -> None:
    hand.begin()
    button = hand.button(2)
    qtbot.mousePress(button, Qt.MouseButton.LeftButton)
    hand.wait(0.3)
    beside = QPointF(button.width() + 20.0, 5.0)
    move = QMouseEvent(
        QEvent.Type.MouseMove,
        beside,
        button.mapToGlobal(beside),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QCoreApplication.sendEvent(button, move)
    hand.wait(0.2)
    assert "pointer left" in hand.page.test.message
    assert hand.shop.pulses() == REST


@pytest.mark.slow
def test_losing_the_focus_stops(qtbot: QtBot, hand: Hand) -> None:
    hand.begin()
    button = hand.button(1)
    button.setFocus()
    qtbot.keyPress(button, Qt.Key.Key_Space)
    hand.wait(0.3)
    assert hand.shop.pulses()[0] == 1090
    button.clearFocus()
    hand.wait(0.2)
    assert hand.shop.pulses() == REST


@pytest.mark.slow
@pytest.mark.parametrize("other", ["hardware.modules", "configure.all_settings"])
def test_leaving_the_page_stops_and_gives_the_outputs_back(
    qtbot: QtBot, hand: Hand, other: str
) -> None:
    hand.begin()
    qtbot.mousePress(hand.button(1), Qt.MouseButton.LeftButton)
    hand.wait(0.3)
    assert hand.shop.pulses()[0] == 1090
    hand.driven.panel.show_page(other)
    hand.wait(1.0)
    assert hand.shop.pulses() == REST
    assert not hand.shop.metadata.flight_readonly
    assert hand.shop.test.phase is Phase.OFF


@pytest.mark.slow
def test_ten_seconds_need_a_new_press(qtbot: QtBot, hand: Hand) -> None:
    hand.begin()
    qtbot.mousePress(hand.button(1), Qt.MouseButton.LeftButton)
    hand.wait(12.0)
    assert hand.shop.pulses() == REST
    assert not hand.button(1).is_held


@pytest.mark.slow
def test_the_focus_stays_in_the_card_and_on_no_button(hand: Hand) -> None:
    hand.page.card.password.setFocus()
    hand.begin()
    assert hand.page.focusWidget() is hand.page.card
    hand.page.card.end.setFocus()
    hand.page.card.end.click()
    hand.wait(1.0)
    assert hand.page.focusWidget() is hand.page.card


@pytest.mark.slow
def test_speed_controllers_get_full_power_and_then_none(qtbot: QtBot, hand: Hand) -> None:
    hand.begin()
    hand.page.card.calibrate.click()
    view = hand.page.calibration
    hand.wait(0.1)
    assert not view.raise_all.isEnabled(), "the battery was not said to be unplugged"
    view.unplugged.setChecked(True)
    view.raise_all.held.emit()
    hand.wait(0.3)
    assert hand.shop.pulses() == (1900,) * 4 + REST[4:]
    assert "Plug the battery in" in view.words.text()
    qtbot.mouseClick(view.lower_all, Qt.MouseButton.LeftButton)
    hand.wait(1.5)
    assert hand.shop.pulses() == REST
    assert "unplug" in view.words.text()
    assert not view.unplugged.isChecked()


@pytest.mark.slow
def test_the_found_order_is_staged_and_nothing_else(qtbot: QtBot, hand: Hand) -> None:
    hand.begin()
    hand.page.card.order.click()
    order = hand.page.order
    for name in ("NE", "NW", "SE", "SW"):
        qtbot.mousePress(order.spin, Qt.MouseButton.LeftButton)
        hand.wait(0.2)
        qtbot.mouseRelease(order.spin, Qt.MouseButton.LeftButton)
        hand.wait(0.8)
        order.map.buttons[name].click()
    assert order.finder is not None
    assert order.finder.found == {"NE": 1, "NW": 2, "SE": 3, "SW": 4}
    order.stage.click()
    (edit,) = hand.shop.bench.settings.staged()
    assert edit.name == "MixerSettings"
    assert {path.partition(".")[0] for path in edit.after} == {"Mixer1Vector", "Mixer2Vector"}
    hand.driven.refresh()
    titles = [row.title.text() for row in hand.page.table.rows[:2]]
    assert titles == ["Motor NE", "Motor NW"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "path"),
    [
        (SETTINGS, "ChannelMin.7"),
        (SETTINGS, "BankMode.2"),
        (SETTINGS, "MotorsSpinWhileArmed"),
        ("FlightModeSettings", "AlwaysStabilizeWhenArmedSwitch"),
    ],
)
def test_a_searched_setting_is_shown(hand: Hand, name: str, path: str) -> None:
    hand.page.show_setting(name, path)
    hand.driven.refresh()
    assert hand.driven.editor(path).isVisible()


def test_a_log_shows_outputs_and_tests_nothing(qtbot: QtBot) -> None:
    fleet = Fleet()
    fleet.add(replayed_vehicle())
    with ThreadPoolExecutor(1) as jobs:
        driven = Driven(qtbot, fleet, jobs)
        page = driven.page(PAGE)
        assert isinstance(page, OutputsPage)
        page.card.password.setText("propellers off")
        assert not page.card.begin.isEnabled()
        assert isinstance(page.test, ActuatorTest)
        assert not page.test.begin(page)
        assert "log" in page.test.message
        driven.context.close()
