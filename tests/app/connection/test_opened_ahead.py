"""The simulator that the window begins with is started before the window, and used once."""

from pathlib import Path

import pytest

from app.connection import opened_ahead
from app.connection.opened_ahead import OpenedAhead, open_ahead
from app.plugin_loading.loader import PluginSet
from app.preferences import PreferenceStore
from plugins.api import Device, LinkKind, Plugin
from telemetry.base.folders import Folders
from telemetry.protocol.links.link import Link, LinkError
from telemetry.protocol.links.memory import pair

HERE = "tests.app.connection.test_opened_ahead"
KINDS = (
    LinkKind("tcp", "TCP", f"{HERE}:refuse"),
    LinkKind("sim", "Simulator", f"{HERE}:started", f"{HERE}:simulators"),
)
addresses: list[str] = []


def started(address: str) -> Link:
    addresses.append(address)
    if address == "sim:broken":
        raise LinkError("it does not start")
    return pair()[0]


def refuse(_address: str) -> Link:
    raise LinkError("not ahead of time")


def simulators() -> list[Device]:
    return [Device("sim:ar100b", "AR100B")]


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folders:
    addresses.clear()
    plugin = Plugin("p", "P", "It brings links.", links=KINDS)
    monkeypatch.setattr(opened_ahead, "find_plugins", lambda _folder: PluginSet((plugin,), (), {}))
    return Folders.under(tmp_path)


@pytest.mark.parametrize(
    ("target", "connects", "opened"),
    [
        ("sim:other", "", ["sim:other"]),
        ("", "automatic", ["sim:ar100b"]),
        ("", "sim:third", ["sim:third"]),
        ("", "", []),
        ("", "tcp:host:1", []),
        ("tcp:host:1", "automatic", []),
        ("flight.opl", "automatic", []),
        ("sim:broken", "", ["sim:broken"]),
    ],
)
def test_only_a_simulator_is_started_before_the_window(
    folders: Folders, target: str, connects: str, opened: list[str]
) -> None:
    PreferenceStore(folders.config / "preferences.json").change(connect_at_start=connects)
    open_ahead(target, folders).close()
    assert addresses == opened


def test_its_link_is_used_for_its_address_and_only_once(folders: Folders) -> None:
    ahead = open_ahead("sim:ar100b", folders)
    with pytest.raises(LinkError):
        ahead.open("tcp:host:1", refuse)
    ahead.open("sim:ar100b", refuse)
    with pytest.raises(LinkError):
        ahead.open("sim:ar100b", refuse)


def test_a_link_that_nobody_has_taken_is_closed() -> None:
    ours, theirs = pair()
    ahead = OpenedAhead("sim:ar100b", ours)
    ahead.close()
    ahead.close()
    with pytest.raises(LinkError):
        theirs.read(0.0)


def test_damaged_preferences_are_told_by_the_window(folders: Folders) -> None:
    path = folders.config / "preferences.json"
    path.parent.mkdir(parents=True)
    path.write_text("{", encoding="utf-8")
    assert "preferences.json" in open_ahead("", folders).problem
