"""USB access: whether this user may open boards, and on Linux the udev rule that allows it.

The rule is for hidraw, by which `telemetry/protocol/links/hid.py` reaches them. One for the
subsystem usb, as LibrePilot installs it, does not do.
"""

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from telemetry.base.finding import Finding, Level
from telemetry.base.input_files import read_bytes
from telemetry.protocol.links.hid import HidAccess, load_hid
from telemetry.protocol.links.usb_boards import VENDOR, present_boards
from telemetry.protocol.links.usb_hid import NO_HID, may_open

RULE: Final = (
    f'KERNEL=="hidraw*", SUBSYSTEM=="hidraw", ATTRS{{idVendor}}=="{VENDOR:04x}", '
    'MODE="0660", TAG+="uaccess"'
)
"""Whoever sits at the computer may open them."""
_RULE_FILE: Final = "/etc/udev/rules.d/70-lapwing.rules"
"""`uaccess` counts in files that come before 73-seat-late.rules."""
REMEDY: Final = (
    f"run `echo '{RULE}' | sudo tee {_RULE_FILE} && sudo udevadm control --reload && "
    "sudo udevadm trigger --action=add --subsystem-match=hidraw`, and plug the board in again"
)
_RULE_FOLDERS: Final = tuple(
    Path(folder) / "udev/rules.d" for folder in ("/etc", "/run", "/usr/lib", "/lib")
)
_LARGEST_RULES_BYTES: Final = 1 << 20
_TITLE: Final = "USB boards"


def usb_access() -> Finding:
    """Whether boards can be opened on this machine."""
    return judge_access(load_hid(), _RULE_FOLDERS, sys.platform, is_root=_is_root())


def judge_access(
    hid: HidAccess | None, rule_folders: Sequence[Path], system: str, *, is_root: bool
) -> Finding:
    """The same, of the machine that is described."""
    if hid is None:
        text, _, remedy = NO_HID.partition(". ")
        return Finding(Level.WARNING, _TITLE, text, remedy)
    if system != "linux":
        return Finding(Level.OK, _TITLE, "need no permission here")
    boards = [board for board in present_boards(hid, ()) if board.hid_path]
    closed = [board.title for board in boards if not may_open(board)]
    if closed:
        return Finding(Level.WARNING, _TITLE, f"{', '.join(closed)} may not be opened", REMEDY)
    if boards:
        names = ", ".join(board.title for board in boards)
        return Finding(Level.OK, _TITLE, f"{names} can be opened")
    if is_root:
        return Finding(Level.OK, _TITLE, "opened as root")
    if (file := _file_with_rule(rule_folders)) is not None:
        return Finding(Level.OK, _TITLE, f"allowed by {file}")
    return Finding(Level.WARNING, _TITLE, "no udev rule allows to open them", REMEDY)


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _file_with_rule(folders: Iterable[Path]) -> Path | None:
    """The first file of rules in which a line is about hidraw of these boards."""
    files = (file for folder in folders for file in sorted(folder.glob("*.rules")))
    return next((file for file in files if any(map(_is_rule, _lines(file)))), None)


def _is_rule(line: str) -> bool:
    text = line.strip().casefold()
    return not text.startswith("#") and "hidraw" in text and f"{VENDOR:04x}" in text


def _lines(file: Path) -> list[str]:
    try:
        return read_bytes(file, _LARGEST_RULES_BYTES).decode(errors="replace").splitlines()
    except OSError:
        return []
