"""A firmware of the user's behind the link of the simulator, and the menu that chooses it."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from plugins.api import PanelContext, resolve
from plugins.simulator import PLUGIN
from plugins.simulator.actions import address_of
from plugins.simulator.link import open_simulator
from telemetry.protocol.links.address import AddressError
from telemetry.protocol.links.link import LinkClosed
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.protocol.wire.decoder import FrameDecoder
from telemetry.vehicle.vehicle import Fleet
from tests.immediate import ImmediateJobs
from tests.simulation.hitl.lockstep.programs import emulated, needs_posix, python_program
from tests.waiting import wait_until
from widgets.theme import load_theme

pytestmark = [needs_posix, pytest.mark.starts_simulator, pytest.mark.slow]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAPWING_HOME", str(tmp_path))


def test_the_aircraft_that_it_flies_is_heard(tmp_path: Path) -> None:
    folder = tmp_path / "a & b?#c"
    folder.mkdir()
    link = open_simulator(address_of(emulated(folder)))
    decoder, heard = FrameDecoder(), set()
    wanted = load_catalogue().find("ActuatorCommand").object_id

    def hear() -> bool:
        heard.update(frame.object_id for frame in decoder.feed(link.read(0.1)))
        return wanted in heard

    try:
        wait_until(hear)
    finally:
        link.close()


def test_what_is_no_firmware_ends_the_link_with_a_sentence(tmp_path: Path) -> None:
    link = open_simulator(address_of(python_program(tmp_path, "print('Hello')")))
    try:
        with pytest.raises(LinkClosed, match="controller is no program for lockstep: it ended by"):
            wait_until(lambda: link.read(0.1))
    finally:
        link.close()


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (Path.mkdir, "There is no program .*wrong; check its path"),
        (Path.touch, "wrong is no program that may be run"),
        (Path.exists, "There is no program .*wrong; check its path"),
    ],
)
def test_what_can_never_be_started_is_refused_at_once(
    tmp_path: Path, make: Callable[[Path], object], reason: str
) -> None:
    """Rather than tried again and again."""
    wrong = tmp_path / "wrong"
    make(wrong)
    with pytest.raises(AddressError, match=reason):
        open_simulator(address_of(wrong))


def choose_in_the_menu(
    program: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> tuple[list[str], list[str]]:
    """The addresses connected to, and what is said."""
    (action,) = (one for one in PLUGIN.actions if one.id == "firmware")
    assert (action.menu, action.title) == ("Simulator", "Firmware …")

    def choose(_parent: object, _title: str, _filters: str, take: Callable[[Path], object]) -> None:
        take(program)

    monkeypatch.setattr("plugins.simulator.actions.ask_for_file", choose)
    asked: list[str] = []
    said: list[str] = []
    context = PanelContext(
        Fleet(),
        load_theme("light"),
        ImmediateJobs(),
        show_message=said.append,
        connect=lambda address: asked.append(address),
    )
    window = QWidget()
    window.show()
    qtbot.addWidget(window)
    resolve(action.run)(context)
    return asked, said


def test_the_menu_asks_for_a_program_and_connects_to_what_it_flies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    program = python_program(tmp_path, "", "my controller")
    asked, said = choose_in_the_menu(program, monkeypatch, qtbot)
    assert asked == [f"sim:ar100b?firmware={quote(str(program))}"]
    assert said == []


def test_the_menu_says_what_is_no_program_and_connects_to_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    text = tmp_path / "notes.txt"
    text.touch()
    asked, said = choose_in_the_menu(text, monkeypatch, qtbot)
    assert asked == []
    assert len(said) == 1
    assert said[0].startswith("notes.txt is no program that may be run")
