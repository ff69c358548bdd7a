"""What a pilot reads while flying names no object, no field and no file, and has no symbol.

Every text of these sources that has a blank in it is judged, whether it is ever shown or not; names
by themselves are none. What is filled in is judged where findings are made of settings.
"""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from telemetry.base.finding import Finding, info
from telemetry.configuration.arming.by_sticks import check_arming_by_sticks, check_take_off
from telemetry.configuration.arming.checklist import Read, arming_checklist
from telemetry.configuration.arming.station_receiver import why_deaf
from telemetry.configuration.flight_modes.arming_check import check_arming
from telemetry.configuration.flight_modes.failsafe_check import check_failsafe
from telemetry.configuration.flight_modes.failsafe_text import failsafe_text
from telemetry.configuration.flight_modes.setup import read_setup
from telemetry.configuration.receiver.check import check_channels, check_mode_number
from telemetry.configuration.settings.slots import values_of_sample
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue, load_catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.lift_off import check_lift_off
from telemetry.recording.recording import Recording

ROOT = Path(__file__).resolve().parents[1]
SOURCES = (
    "plugins/board_logs/*.py",
    "plugins/flight_display/*.py",
    "plugins/pilot/**/*.py",
    "plugins/plan/*.py",
    "plugins/warnings/*.py",
    "telemetry/configuration/arming/*.py",
    "telemetry/configuration/board_logs/log_duration.py",
    "telemetry/configuration/board_logs/log_presets.py",
    "telemetry/configuration/board_logs/logged_objects.py",
    "telemetry/configuration/flight_modes/arming_*.py",
    "telemetry/configuration/flight_modes/failsafe_*.py",
    "telemetry/configuration/flight_modes/modes.py",
    "telemetry/configuration/receiver/check.py",
    "telemetry/configuration/receiver/controls.py",
    "telemetry/flying/**/*.py",
    "telemetry/missions/board/*.py",
    "telemetry/missions/checks/*.py",
    "telemetry/missions/estimate.py",
    "telemetry/missions/flown_plan.py",
    "telemetry/missions/guided_actions.py",
    "telemetry/missions/patterns.py",
    "telemetry/missions/steps.py",
    "telemetry/missions/waypoint_options.py",
    "telemetry/recording/alarm_texts.py",
    "telemetry/recording/events.py",
    "telemetry/recording/flight_state.py",
    "telemetry/recording/lift_off.py",
    "telemetry/recording/mode_words.py",
    "telemetry/vehicle/link_status.py",
    "telemetry/vehicle/notices.py",
    "telemetry/vehicle/vehicle.py",
    "telemetry/warnings/*.py",
    "widgets/alarm_items.py",
    "widgets/event_popup.py",
    "widgets/instruments/*.py",
)
NOT_FOR_A_PILOT = {
    "telemetry/flying/robot/": "what a script is told, in the words of its own calls",
    "telemetry/flying/transmitter/lost_sticks.py": "what was measured, which is not shown",
    "telemetry/warnings/voices.py": "commands of programs that speak",
}
ALLOWED = {
    "AccelState.x": "what is typed as the value of a warning",
    "AccelState.y": "what is typed as the value of a warning",
    "height_m": "what is typed as the value of a warning",
    "alarm SystemConfiguration": "the code of a finding",
    "MultiWii": "the name of a firmware",
    "(*.json)": "the kind of file that a dialog asks for",
    "(*.py)": "the kind of file that a dialog asks for",
    "(*.hgt *.tif *.tiff);;All files (*)": "the kinds of file that a dialog asks for",
    "({});;All files (*)": "the kinds of file that a dialog asks for",
    "Ctrl+Z": "keys",
    "GeoTIFF": "a kind of file",
    "dRonin": "the name of a firmware",
    "LibrePilot": "the name of a firmware",
    "OpenPilot": "the name of a firmware",
    "mAh": "a unit",
    "(*{})": "the kind of file that a dialog asks for",
    "Ctrl+Shift+Backspace": "keys",
    "GPS {} · {}": "a reading, no sentence",
}
_REFUSED = re.compile(
    r"\b[A-Z]*[a-z]+\d*[A-Z]\w*"  # CamelCase
    r"|\w*[a-z]_\w+"
    r"|\b[A-Za-z]\w+\.[A-Za-z]\w*"  # Object.Field, file.c
    r"|[→←↔≥≤≠±×÷≈√∞∆·&@#*+=<>~^|\\\[\]]"
)
_ALLOWED = re.compile("|".join(map(re.escape, ALLOWED)))
MODES = "FlightModePosition"


def faults(text: str) -> list[str]:
    """What a pilot would not say."""
    return _REFUSED.findall(re.sub(r"\{\w*\}", "", _ALLOWED.sub("", text)))


def _texts(tree: ast.Module) -> Iterator[str]:
    """Every text with a blank in it, with {} for what is filled in; no docstrings, no types."""
    nodes = list(ast.walk(tree))
    unread = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        text = ""
        if isinstance(node, ast.JoinedStr):
            unread.update(map(id, ast.walk(node)))
            parts = (p.value if isinstance(p, ast.Constant) else "{}" for p in node.values)
            text = "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = "" if id(node) in unread else node.value
        if " " in text.strip() and not _is_type(text):
            yield text


def _is_type(text: str) -> bool:
    return bool(re.fullmatch(r"[\w, ]+(\[[\w\[\], ]+\]| \| None)", text))


def _judged() -> Iterator[tuple[str, str]]:
    for pattern in SOURCES:
        found = sorted(ROOT.glob(pattern))
        assert found, f"{pattern} is there no more"
        for path in found:
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith(tuple(NOT_FOR_A_PILOT)):
                yield from ((name, text) for text in _texts(ast.parse(path.read_text("utf-8"))))
    shipped = json.loads((ROOT / "resources/warnings/shipped.json").read_text("utf-8"))
    for rule in shipped["rules"]:
        yield from (("a warning", rule.get(key, "")) for key in ("title", "text", "over_text"))


@pytest.mark.slow
def test_no_text_names_what_only_a_firmware_knows() -> None:
    assert [(*judged, wrong) for judged in _judged() if (wrong := faults(judged[1]))] == []


@pytest.mark.parametrize(
    "text",
    [
        "Give it one in FlightModeSettings.FlightModePosition.",
        "It goes to PositionHold.",
        "Set FailsafeChannel.Throttle first.",
        "It stands still (receiver.c).",
        "Rules are in warnings.json.",
        "Throttle → 0",
        "Not ready: GPS +2",
        "height is height_agl_m here",
    ],
)
def test_a_text_that_does_would_be_found(text: str) -> None:
    told = ast.parse(f"def f(a):\n    return {text!r} + f'{{a}} and {text}'")
    assert [bool(faults(found)) for found in _texts(told)] == [True, True]


@pytest.mark.parametrize(
    "text", ["1.5 m/s, 20 % at 3 °.", "Take-off height: 10 m above home.", "LQG and GPS. It is on."]
)
def test_units_and_short_words_are_said(text: str) -> None:
    assert faults(text) == []


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def _board(catalogue: Catalogue, **said: dict[str, Any]) -> Read:
    """An aircraft with the defaults of its firmware and what else is said."""
    recording = Recording("test")
    names = ("ActuatorSettings", "MixerSettings", "SystemSettings", "SystemAlarms", "RevoSettings")
    more = ("FlightModeSettings", "ManualControlSettings", "VtolPathFollowerSettings")
    for name in (*names, *more, "ManualControlCommand", "FlightStatus", "StabilizationSettings"):
        definition = catalogue.find(name, DEFAULT_RELEASE)
        payload = pack_values(definition, said.get(name, {}), definition.default_row())
        recording.append(1.0, definition, 0, payload)
    return lambda name: recording.latest(name, 2.0)


def _boards(catalogue: Catalogue) -> Iterator[Read]:
    """Every flight mode and every way to arm, with a radio that is lost or not."""
    modes = catalogue.find("FlightModeSettings", DEFAULT_RELEASE)
    switch = {"ChannelGroups.Accessory0": "PPM", "ChannelNumber.Accessory0": 7}
    for at in (-1.0, 0.5):
        moved = ("Throttle", "Yaw", "Accessory0")
        failsafe = {f"FailsafeChannel.{control}": at for control in moved}
        radio = {**switch, **failsafe, "FailsafeFlightModeSwitchPosition": 5 if at > 0.0 else -1}
        stick = {"Connected": "True" if at > 0.0 else "False", "Throttle": at, "Yaw": at}
        alarms = {"Alarm.Attitude": "Critical", "Alarm.SystemConfiguration": "Error"}
        for mode in modes.field_named(MODES).options:
            yield _board(
                catalogue,
                FlightModeSettings={f"{MODES}.{i}": mode for i in (0, 5)} | {"Arming": "Yaw Right"},
                ManualControlSettings={**radio, "FlightModeNumber": 6},
                FlightStatus={"FlightMode": mode},
                ManualControlCommand=stick,
                SystemAlarms=alarms,
            )
        for option in modes.field_named("Arming").options:
            yield _board(
                catalogue,
                FlightModeSettings={"Arming": option},
                ManualControlSettings=radio if at > 0.0 else {},
                ManualControlCommand=stick,
            )


def _said_of(read: Read) -> Iterator[Finding]:
    def values(name: str) -> Any:
        sample = read(name)
        return {} if sample is None else values_of_sample(sample)

    yield from arming_checklist(read).checks
    yield from check_arming(values)
    yield from check_failsafe(read_setup(values), values)
    one_each = (
        check_channels(values),
        check_mode_number(values, 3),
        check_arming_by_sticks(read),
        check_take_off(read),
        check_lift_off(lambda name, path: values(name).get(path)),
    )
    yield from filter(None, one_each)
    yield info("deaf", why_deaf(values), failsafe_text(values))


@pytest.mark.slow
def test_what_is_filled_in_are_words_too_and_every_setting_named_exists(
    catalogue: Catalogue,
) -> None:
    found = {one for read in _boards(catalogue) for one in _said_of(read)}
    assert len({one.code for one in found}) > 20
    assert [f"{t}" for f in found for t in (f.text, f.remedy) if faults(t)] == []
    for name, _, path in {s.partition(".") for one in found for s in one.settings}:
        definition = catalogue.find(name, DEFAULT_RELEASE)
        assert not path or definition.has_field(path.partition(".")[0]), f"{name}.{path}"
