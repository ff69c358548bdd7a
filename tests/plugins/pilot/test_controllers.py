"""The view of input devices, used as somebody uses it who plugs devices in."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from socket import AF_INET, SOCK_DGRAM, socket

import pytest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from plugins.api import PanelContext
from plugins.pilot.controllers.button_rows import command_titles
from plugins.pilot.controllers_panel import ARMED, CHANGED, NOT_SET_UP, SAVED, ControllersPanel
from plugins.pilot.devices.buttons import STOP
from plugins.pilot.devices.default_profiles import program_profile
from plugins.pilot.devices.device_choice import choice_of
from plugins.pilot.devices.hub import DeviceHub
from plugins.pilot.devices.profile import sticks_of
from plugins.pilot.devices.profile_file import is_command, write_profile_file
from plugins.pilot.devices.profile_store import EVERY_AIRCRAFT, ProfileStore
from plugins.pilot.devices.udp import ONE_FLIES
from plugins.pilot.devices.wizard import ASKS, DONE
from telemetry.flying.inputs.stick_controls import StickControl
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import Fleet
from tests.plugins.pilot.devices.fakes import FakeDevice, PluggedDevices, ready_device
from tests.telemetry.flying.fakes import Ground
from tests.waiting import PATIENCE_MS
from widgets.theme import load_theme

REST = (-0.9, 0.0, 0.0, 0.0, -1.0, -1.0)


class Workshop:
    """The panel with plugged devices, one of which is a radio that nobody has set up."""

    def __init__(self, qtbot: QtBot, jobs: ThreadPoolExecutor, *, with_aircraft: bool) -> None:
        self.radio = FakeDevice("A radio", "radio", buttons=8)
        self.radio.axes = REST
        self.plugged = PluggedDevices(self.radio)
        self.store = ProfileStore(None)
        self.ground = Ground()
        fleet = Fleet()
        if with_aircraft:
            fleet.add(self.ground.vehicle)
        self.woken = 0
        self.context = PanelContext(fleet, load_theme("light"), jobs, wake=self._wake)
        self.panel = ControllersPanel(self.context, self.plugged.hub, self.store)
        qtbot.addWidget(self.panel)
        self.view = self.panel.view
        self.refresh()

    def _wake(self) -> None:
        self.woken += 1

    def refresh(self, times: int = 1) -> None:
        for _ in range(times):
            self.plugged.now_s += 0.05
            self.plugged.hub.step()
            self.panel.refresh(0.0)

    def hold(self, seconds: float, **moved: float) -> None:
        axes = list(REST)
        for name, value in moved.items():
            axes[int(name[1:])] = value
        self.radio.axes = tuple(axes)
        self.refresh(round(seconds / 0.05))

    def answer_wizard(self) -> None:
        self.view.wizard.click()
        self.hold(0.6)
        for axis in range(4):
            self.hold(0.6, **{f"a{axis}": 0.9})
            self.hold(0.2)
        for end in (-0.9, 0.9):
            self.hold(0.1, a0=end, a1=end, a2=end, a3=end)
        self.hold(1.6)


MakeWorkshop = Callable[..., Workshop]


@pytest.fixture
def make_workshop(qtbot: QtBot) -> Iterator[MakeWorkshop]:
    made: list[Workshop] = []
    with ThreadPoolExecutor(1) as jobs:

        def make(*, with_aircraft: bool = False) -> Workshop:
            made.append(Workshop(qtbot, jobs, with_aircraft=with_aircraft))
            return made[-1]

        yield make
        for workshop in made:
            workshop.context.close()


@pytest.mark.slow
def test_the_wizard_sets_a_radio_up_and_it_flies_once_it_is_saved(
    make_workshop: MakeWorkshop,
) -> None:
    shop = make_workshop()
    kind = shop.radio.kind
    assert shop.view.note.text() == NOT_SET_UP
    shop.answer_wizard()
    assert shop.view.note.text() == DONE
    assert shop.store.profile(kind, EVERY_AIRCRAFT) is None, "not before it is saved"
    shop.view.save.click()
    profile = shop.store.profile(kind, EVERY_AIRCRAFT)
    assert profile is not None
    shop.hold(0.1, a0=0.9, a1=0.9)
    assert sticks_of(profile, shop.plugged.hub.devices[0].reading) == Sticks(roll=1.0, throttle=1.0)
    assert shop.view.sticks.rows["roll"].bar.value == 1.0


@pytest.mark.slow
def test_a_device_keeps_a_station_without_an_aircraft_awake_so_that_bars_move(
    make_workshop: MakeWorkshop,
) -> None:
    """The tick comes once a second where no aircraft is, and 60 times for half a second after it
    was woken."""
    shop = make_workshop()
    assert shop.woken == 1
    shop.refresh(3)
    assert shop.woken == 1, "not at every refresh, which would have all views shown each time"
    assert make_workshop(with_aircraft=True).woken == 0, "an aircraft keeps it awake anyway"


@pytest.mark.slow
def test_reversing_a_stick_turns_its_bar_before_anything_is_saved(
    make_workshop: MakeWorkshop,
) -> None:
    shop = make_workshop()
    shop.answer_wizard()
    shop.hold(0.1, a1=0.9)
    assert shop.view.sticks.rows["roll"].bar.value == 1.0
    shop.view.sticks.rows["roll"].reverse.click()
    shop.refresh()
    assert shop.view.sticks.rows["roll"].bar.value == -1.0
    assert shop.view.note.text() == CHANGED
    shop.view.revert.click()
    assert shop.panel.profile.missing == ("roll", "pitch", "yaw", "throttle")


def test_two_triggers_are_detected_for_one_control(make_workshop: MakeWorkshop) -> None:
    shop = make_workshop()
    yaw = shop.view.sticks.rows["yaw"]
    yaw.detect.click()
    shop.refresh()
    assert shop.view.note.text() == ASKS["yaw"]
    shop.hold(0.2, a5=1.0)
    shop.hold(0.2)
    yaw.other_side.click()
    shop.hold(0.2, a4=1.0)
    assert yaw.axis.currentText() == "Axis 6 up, Axis 5 down"
    assert yaw.bar.value == -1.0
    shop.hold(0.2, a5=1.0)
    assert yaw.bar.value == 1.0


def test_a_device_pulled_while_something_is_detected_ends_that_and_changes_nothing(
    make_workshop: MakeWorkshop,
) -> None:
    shop = make_workshop()
    shop.view.sticks.rows["roll"].detect.click()
    shop.plugged.pull(shop.radio)
    shop.refresh()
    assert shop.panel.profile.missing
    assert shop.view.note.text() == "A radio is not plugged in any more."
    shop.plugged.plug_in(shop.radio)
    shop.hold(0.5, a1=1.0)
    assert "roll" in shop.panel.profile.missing


def test_a_button_is_detected_and_asks_for_the_emergency_stop_first(
    make_workshop: MakeWorkshop,
) -> None:
    shop = make_workshop()
    for button in (3, 5):
        shop.view.add_button.click()
        shop.radio.buttons[button] = True
        shop.refresh()
        shop.radio.buttons[button] = False
        shop.refresh()
    setups = shop.panel.profile.buttons
    assert [(setup.trigger.button, setup.command) for setup in setups] == [(3, STOP), (5, "marker")]
    commands = shop.view.buttons.findChildren(QComboBox)
    second = next(box for box in commands if box.currentData() == "marker")
    second.setCurrentIndex(second.findData("position 2"))
    shop.refresh()
    assert [setup.command for setup in shop.panel.profile.buttons] == [STOP, "position 2"]


def test_everything_that_can_be_chosen_for_a_button_can_be_saved() -> None:
    assert [name for name in command_titles() if not is_command(name)] == []


@pytest.mark.slow
def test_nothing_is_saved_while_the_aircraft_is_armed(make_workshop: MakeWorkshop) -> None:
    shop = make_workshop(with_aircraft=True)
    shop.answer_wizard()
    shop.ground.status(0.0, "Armed")
    shop.view.save.click()
    shop.refresh()
    assert shop.view.note.text() == ARMED
    assert shop.store.profile(shop.radio.kind, EVERY_AIRCRAFT) is None
    shop.ground.status(1.0, "Disarmed")
    shop.refresh()
    assert shop.view.note.text() == CHANGED, "what is not so any more is not said"
    shop.view.save.click()
    shop.refresh()
    assert shop.view.note.text() == SAVED
    assert shop.store.profile(shop.radio.kind, EVERY_AIRCRAFT) is not None


def test_a_shared_profile_is_looked_at_before_it_counts(
    make_workshop: MakeWorkshop, tmp_path: Path
) -> None:
    shop = make_workshop()
    path = tmp_path / "other.lapwing-controller"
    write_profile_file(path, program_profile(), "Another pad", "0300")
    shop.panel.import_from(path)
    shop.refresh()
    assert "Made for another device: Another pad" in shop.view.note.text()
    assert shop.panel.profile == program_profile()
    assert shop.store.profile(shop.radio.kind, EVERY_AIRCRAFT) is None
    path.write_text('{"format": "lapwing-controller", "version": 1, "mode": 9}')
    shop.panel.import_from(path)
    shop.refresh()
    assert "mode must be a whole number from 1 to 4" in shop.view.note.text()
    assert shop.panel.profile == program_profile(), "what was there stays"


@pytest.mark.slow
def test_a_profile_is_written_to_share_it(make_workshop: MakeWorkshop, tmp_path: Path) -> None:
    shop = make_workshop()
    shop.answer_wizard()
    path = tmp_path / "radio.lapwing-controller"
    shop.panel.export_to(path)
    other = make_workshop()
    other.panel.import_from(path)
    assert other.panel.profile == shop.panel.profile


@pytest.mark.slow
def test_changing_the_mode_swaps_the_sticks(make_workshop: MakeWorkshop) -> None:
    shop = make_workshop()
    shop.answer_wizard()
    box = shop.view.mode
    box.setCurrentIndex(box.findData(1))
    shop.hold(0.1, a0=0.9)
    pitch: StickControl = "pitch"
    assert shop.panel.profile.control(pitch).axes[0].axis == 0
    assert shop.view.sticks.rows["pitch"].bar.value == -1.0, "forward is nose down"


@pytest.mark.slow
def test_the_curve_follows_what_is_typed(make_workshop: MakeWorkshop) -> None:
    shop = make_workshop()
    shop.answer_wizard()
    row = shop.view.curves.rows["pitch"]
    row.rate.setValue(50)
    shop.refresh()
    assert row.shown.isChecked()
    given = shop.view.curves.curve.lines[1]
    assert (given.y[0], given.y[-1]) == (-50.0, 50.0)
    assert shop.panel.profile.control("pitch").rate == 0.5


def test_a_student_is_chosen_and_given_the_controls(make_workshop: MakeWorkshop) -> None:
    shop = make_workshop(with_aircraft=True)
    shop.plugged.plug_in(ready_device("Instructor", "one"), ready_device("Student", "two"))
    choice = choice_of(shop.ground.vehicle)
    choice.hub, choice.store = shop.plugged.hub, shop.store
    shop.refresh()
    mix = shop.view.mix
    for box, key in ((mix.pilot, "one"), (mix.student, "two")):
        box.setCurrentIndex(box.findData(key))
        shop.refresh()
    mix.has["throttle"].click()
    mix.give.click()
    shop.refresh()
    assert (
        mix.now.text() == "The student has the controls when Controller is the input in Controls."
    )
    assert choice.chosen.mix.student_controls == frozenset(("roll", "pitch", "yaw"))
    mix.take.click()
    shop.refresh()
    assert mix.now.text().startswith("Instructor flies")


def test_a_port_is_open_only_while_it_is_wanted(make_workshop: MakeWorkshop) -> None:
    shop = make_workshop()
    programs = shop.view.programs
    assert programs.udp_note.isHidden()
    programs.listens.click()
    first = programs.udp_note.text()
    assert first.startswith("Listening at 127.0.0.1") or "cannot be had" in first
    programs.listens.click()
    assert programs.udp_note.isHidden()


@pytest.mark.slow
def test_a_new_sender_is_told_of_once_though_nobody_looks_at_the_panel(
    make_workshop: MakeWorkshop, qtbot: QtBot
) -> None:
    context, hub = make_workshop().context, DeviceHub(find=lambda: ())
    told: list[str] = []
    context.show_message = told.append
    panel = ControllersPanel(context, hub, ProfileStore(None))
    qtbot.addWidget(panel)
    with socket(AF_INET, SOCK_DGRAM) as place:
        place.bind(("127.0.0.1", 0))
        port = place.getsockname()[1]
    panel.view.programs.port.setValue(port)
    panel.view.programs.listens.click()
    with socket(AF_INET, SOCK_DGRAM) as program:

        def is_there() -> bool:
            program.sendto(b'{"axes": [0, 0, 0, 0], "sender": "joy"}', ("127.0.0.1", port))
            return bool(told and hub.devices)

        qtbot.waitUntil(is_there, timeout=PATIENCE_MS)
    assert told == [f"UDP “joy” sends sticks to port {port}. {ONE_FLIES}"]
    panel.view.programs.close_all()
    assert not hub.devices, "nobody reads any more"


def test_without_devices_it_says_what_to_do(make_workshop: MakeWorkshop) -> None:
    shop = make_workshop()
    shop.plugged.pull(shop.radio)
    assert not shop.plugged.hub.devices
    fresh = replace(shop.radio.kind, name="never seen")
    assert shop.store.profile(fresh, EVERY_AIRCRAFT) is None
    shop.refresh()
    assert not shop.view.empty.isHidden()
