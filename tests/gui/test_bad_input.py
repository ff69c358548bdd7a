"""What the window says about bad input: always something, never a dialog, never nothing."""

import re
import struct
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.station import Station
from plugins.testing import live_vehicle
from telemetry.base.folders import Folders
from tests.gui.conftest import MakeStation
from tests.gui.driving import listed
from tests.hostile import DEEP, DIGITS
from tests.telemetry.recording.logs.books import attitudes


def messages_after_opening(station: Station, qtbot: QtBot, path: Path) -> list[str]:
    station.open_log(path)
    qtbot.waitUntil(lambda: bool(listed(station)))
    assert QApplication.activeModalWidget() is None
    return listed(station)


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xd8\xff\xe0\0\x10JFIF\0" + bytes(9000), struct.pack("<IQ", 0, 1 << 63) + b"<" * 9],
    ids=["empty", "jpeg", "claims-2^63-bytes"],
)
@pytest.mark.slow
def test_what_is_no_log_is_refused_and_the_flight_on_screen_stays(
    station: Station, qtbot: QtBot, tmp_path: Path, content: bytes
) -> None:
    flown = live_vehicle()
    station.fleet.add(flown)
    path = tmp_path / "wrong.opl"
    path.write_bytes(content)
    (text,) = messages_after_opening(station, qtbot, path)
    assert text.startswith("wrong.opl is ")
    assert station.fleet.active is flown


def test_a_folder_of_neither_logs_nor_videos_is_refused(
    station: Station, qtbot: QtBot, tmp_path: Path
) -> None:
    (text,) = messages_after_opening(station, qtbot, tmp_path)
    assert text.endswith("has no logs and no videos in it.")


@pytest.mark.slow
def test_a_damaged_log_is_shown_and_its_damage_told(
    station: Station, qtbot: QtBot, tmp_path: Path
) -> None:
    parts = attitudes(20)
    spoilt = bytearray(parts[12])
    spoilt[30] ^= 0xFF
    path = tmp_path / "torn.opl"
    path.write_bytes(b"".join((*parts[:9], b"\xff" * 31, *parts[9:12], spoilt, *parts[13:]))[:-9])
    texts = messages_after_opening(station, qtbot, path)
    assert [text.partition(": ")[2] for text in texts] == [
        "31 bytes between the records are damaged and were skipped.",
        "The file ends inside its last record; everything before it is shown.",
        "1 damaged frame was left out.",
    ]
    qtbot.wait_until(lambda: station.fleet.active is not None)
    rolls = station.fleet.active.recording.series("AttitudeState.Roll")[1].tolist()
    assert rolls == [n for n in range(19) if n != 12]


def test_a_flight_that_is_recorded_no_longer_says_so_for_good(station: Station) -> None:
    vehicle = live_vehicle()
    vehicle.status = replace(
        vehicle.status, recording_error="Recording stopped, a.opl takes no more: disk full."
    )
    station.fleet.add(vehicle)
    station.window.show_alarms(vehicle)
    assert station.window.alarm_strip.worst_text().startswith("Not recorded")


@pytest.mark.slow
def test_the_station_starts_with_damaged_files_everywhere_and_names_them(
    folders: Folders,
    make_station: MakeStation,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.connection.connections.Connections.start_address", lambda _: "")
    digits = f'{{"version": 1, "scale": {DIGITS}}}'
    sizes = '{"version": 1, "layout": {"split": "vertical", "sizes": [1e999], "children": ["a"]}}'
    folders.workspaces.mkdir(parents=True)
    damaged = {
        folders.config / "preferences.json": digits,
        folders.workspaces / "fly.json": sizes,
        folders.workspaces / "mine.json": DEEP,
    }
    for path, text in damaged.items():
        path.write_text(text, encoding="utf-8")
    station = make_station()
    assert station.window.stack.current_page is not None
    qtbot.waitUntil(lambda: len(listed(station)) >= len(damaged))
    told = " ".join(listed(station))
    for path, text in damaged.items():
        assert path.name in told
        assert path.with_name(f"{path.name}.unreadable-1").read_text(encoding="utf-8") == text


def test_a_broken_definition_file_is_a_message_and_the_others_load(
    folders: Folders, make_station: MakeStation, qtbot: QtBot
) -> None:
    folders.definitions.mkdir(parents=True)
    own = files("resources").joinpath("objects", "librepilot-next", "attitudestate.xml")
    text = own.read_text(encoding="utf-8").replace("AttitudeState", "KiteState")
    (folders.definitions / "kite.xml").write_text(text, encoding="utf-8")
    (folders.definitions / "torn.xml").write_text(text[:-30], encoding="utf-8")
    station = make_station()
    assert station.catalogue().find("KiteState").size == 32
    qtbot.waitUntil(lambda: bool(listed(station)))
    (text,) = listed(station)
    assert re.search(r"torn\.xml, line \d+: .+; .+\.$", text)
