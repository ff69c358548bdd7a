"""What `lapwing doctor` says of boards by USB."""

import os
from pathlib import Path

import pytest

from app.diagnostics.usb_access import REMEDY, RULE, judge_access
from telemetry.base.finding import Finding, Level
from telemetry.protocol.links.hid import HidAccess
from tests.boards.hid_entries import hid_entries

OF_LIBREPILOT = (
    'SUBSYSTEM=="usb", ATTRS{idVendor}=="20a0", ATTRS{idProduct}=="415e", TAG+="uaccess"'
)


def _access(node: Path | None) -> HidAccess:
    entries = hid_entries(path=bytes(node)) if node else []
    return HidAccess(lambda: entries, lambda _path: pytest.fail("it was opened"))


def _judged(folder: Path, node: Path | None = None, system: str = "linux") -> Finding:
    return judge_access(_access(node), [folder / "none", folder], system, is_root=False)


def test_without_a_rule_the_lines_that_mend_it_are_printed(tmp_path: Path) -> None:
    found = _judged(tmp_path)
    assert (found.level, found.remedy) == (Level.WARNING, REMEDY)
    for part in (
        'KERNEL=="hidraw*"',
        'ATTRS{idVendor}=="20a0"',
        'TAG+="uaccess"',
        "/etc/udev/rules.d/70-lapwing.rules",
        "udevadm control --reload",
    ):
        assert part in found.remedy


@pytest.mark.parametrize(
    ("text", "is_enough"),
    [
        (f"# boards\n{RULE}\n", True),
        ('SUBSYSTEM=="hidraw", ATTRS{idVendor}=="20A0", MODE="0666"', True),
        (f"# {RULE}", False),
        (OF_LIBREPILOT, False),
        ('KERNEL=="hidraw*", ATTRS{idVendor}=="046d", MODE="0666"', False),
        ("", False),
    ],
)
def test_only_a_rule_for_hidraw_of_boards_is_enough(
    text: str, is_enough: bool, tmp_path: Path
) -> None:
    (tmp_path / "70-mine.rules").write_text(text)
    found = _judged(tmp_path)
    assert (found.level is Level.OK) == is_enough
    assert ("70-mine.rules" in found.text) == is_enough


def test_a_board_that_can_be_opened_needs_no_rule(tmp_path: Path) -> None:
    node = tmp_path / "hidraw3"
    node.touch()
    found = _judged(tmp_path, node)
    assert (found.level, found.text) == (Level.OK, "Revolution (firmware) can be opened")


def test_a_board_that_cannot_be_opened_is_told_in_spite_of_a_rule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "70-mine.rules").write_text(RULE)
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    found = _judged(tmp_path, tmp_path / "hidraw3")
    assert (found.level, found.remedy) == (Level.WARNING, REMEDY)


def test_elsewhere_no_rule_is_needed(tmp_path: Path) -> None:
    assert _judged(tmp_path, system="darwin").level is Level.OK
    assert _judged(tmp_path, system="win32").level is Level.OK


def test_a_missing_library_is_told(tmp_path: Path) -> None:
    found = judge_access(None, [tmp_path], "linux", is_root=False)
    assert (found.level, found.text) == (Level.WARNING, "hidapi cannot be loaded")
    assert "pip install hidapi" in found.remedy
