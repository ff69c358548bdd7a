"""Profiles in files, ours and strangers'."""

import json
from pathlib import Path
from typing import Any

import pytest

from plugins.pilot.devices.buttons import STOP
from plugins.pilot.devices.default_profiles import space_mouse_profile
from plugins.pilot.devices.profile import AxisSetup, ButtonSetup, ControlSetup, Profile, Trigger
from plugins.pilot.devices.profile_file import (
    pack_profile,
    parse_profile,
    parse_profile_file,
    read_profile_file,
    write_profile_file,
)
from telemetry.base.text_formats import FormatError

WHOLE = Profile(
    {
        **space_mouse_profile().controls,
        "yaw": ControlSetup((AxisSetup(4, part="lowers"), AxisSetup(5, -0.9, -0.1, 0.8))),
    },
    (
        ButtonSetup(Trigger(button=3), STOP, hold_s=0.7),
        ButtonSetup(Trigger(axis=6, low=-0.3, high=0.3), "position 2"),
        ButtonSetup(Trigger(button=1), "action pilot.land", repeat_s=0.5),
    ),
    mode=4,
)


def test_a_profile_comes_back_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "pad.lapwing-controller"
    write_profile_file(path, WHOLE, "A pad", "0300aa")
    assert read_profile_file(path) == (WHOLE, "A pad", "0300aa")


def _changed(**changes: Any) -> bytes:
    whole = {"format": "lapwing-controller", "version": 1, **pack_profile(WHOLE), **changes}
    return json.dumps(whole).encode()


def _roll(**changes: Any) -> dict[str, Any]:
    return {"controls": {"roll": {"axes": [{"axis": 0, **changes}]}}}


def test_a_file_that_says_little_has_the_rest_by_default() -> None:
    assert parse_profile(_roll()).control("roll").axes == (AxisSetup(0),)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format": "something"}, "no controller profile"),
        ({"version": 2}, "newer Lapwing"),
        ({"mode": 5}, "mode"),
        ({"mode": True}, "mode"),
        ({"device": 7}, "texts"),
        ({"controls": []}, "controls"),
        ({"controls": {"flaps": {}}}, "one of roll"),
        (_roll(axis=64), "axis"),
        (_roll(axis=-1), "axis"),
        (_roll(lowest=float("nan")), "finite"),
        (_roll(highest=1e9), "highest"),
        (_roll(lowest=0.5, middle=0.2), "between"),
        (_roll(part="sideways"), "part"),
        (_roll(reversed=1), "true or false"),
        ({"controls": {"roll": {"axes": [{"axis": 0}] * 65}}}, "at most"),
        ({"controls": {"roll": {"rate": 0}}}, "rate"),
        ({"controls": {"roll": {"expo": 1.5}}}, "expo"),
        ({"buttons": [{"button": 1, "command": "rm -rf"}]}, "nothing that a button"),
        ({"buttons": [{"button": 1, "command": "position 99"}]}, "nothing that a button"),
        ({"buttons": [{"button": 256, "command": STOP}]}, "button"),
        ({"buttons": [{"axis": 0, "command": STOP}]}, "low"),
        ({"buttons": [{"button": 1, "command": STOP, "hold_s": 3600}]}, "hold_s"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(FormatError) as refused:
        parse_profile_file(_changed(**changes))
    assert said in str(refused.value) or said == "finite"


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b"\xff\xfe", b"null", b"[" * 100_000])
def test_what_is_no_profile_at_all_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError):
        parse_profile_file(data)
