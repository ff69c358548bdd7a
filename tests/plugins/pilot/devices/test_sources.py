"""Devices of every sort, and the hub that reads them."""

import json
import runpy
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from plugins.pilot.devices.hub import DeviceHub, InputDevice
from plugins.pilot.devices.joysticks import JoystickFinder, load_sdl
from plugins.pilot.devices.profile import sticks_of
from plugins.pilot.devices.program_sticks import GONE_S, ProgramSticks
from plugins.pilot.devices.script import ScriptRunner
from plugins.pilot.devices.source import DeviceFinder
from plugins.pilot.devices.space_mouse import (
    SpaceMouseFinder,
    SpaceMouseState,
)
from telemetry.base.installation import ROOT
from telemetry.flying.inputs.program_message import parse_message
from telemetry.protocol.links.hid import HidAccess, HidDevice
from telemetry.vehicle.sticks import Sticks
from tests.plugins.pilot.devices.fakes import Once
from tests.waiting import wait_until

EXAMPLE = ROOT / "examples/sticks/figure_of_eight.py"
RADIO_AXES, RADIO_BUTTONS = 8, 24


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def _hub(*finders: DeviceFinder) -> tuple[DeviceHub, Clock]:
    clock = Clock()
    hub = DeviceHub(clock=clock)
    for finder in finders:
        hub.add(finder)
    return hub, clock


def there(hub: DeviceHub) -> tuple[InputDevice, ...]:
    return hub.devices


@pytest.fixture
def sdl() -> Iterator[ModuleType]:
    module = load_sdl()
    if module is None:
        pytest.skip("no SDL library on this machine")
    yield module
    while module.SDL_NumJoysticks():
        module.SDL_JoystickDetachVirtual(0)
    module.SDL_QuitSubSystem(module.SDL_INIT_GAMECONTROLLER | module.SDL_INIT_JOYSTICK)


def _attach_radio(sdl: ModuleType) -> int:
    kind = sdl.SDL_JOYSTICK_TYPE_UNKNOWN
    return int(sdl.SDL_JoystickAttachVirtual(kind, RADIO_AXES, RADIO_BUTTONS, 1))


def test_a_joystick_without_a_controller_mapping_is_read_in_full_resolution(
    sdl: ModuleType,
) -> None:
    hub, _ = _hub(JoystickFinder(sdl))
    index = _attach_radio(sdl)
    assert not sdl.SDL_IsGameController(index)
    hub.step()
    handle = sdl.SDL_JoystickOpen(index)
    for axis, value in ((0, 1), (1, -32768), (7, 32767)):
        sdl.SDL_JoystickSetVirtualAxis(handle, axis, value)
    sdl.SDL_JoystickSetVirtualButton(handle, 23, 1)
    sdl.SDL_JoystickSetVirtualHat(handle, 0, 2)  # SDL_HAT_RIGHT
    hub.step()
    [device] = there(hub)
    axes, buttons = device.reading.axes, device.reading.buttons
    assert len(axes) == RADIO_AXES
    assert axes[0] == pytest.approx(1 / 32767)
    assert (axes[1], axes[7]) == (-1.0, 1.0)
    assert [number for number, is_down in enumerate(buttons) if is_down] == [23, 25]
    assert device.kind.standard is None, "nobody knows which of its sticks is which"
    sdl.SDL_JoystickClose(handle)
    hub.close()


def test_devices_are_plugged_in_and_pulled_at_any_time(sdl: ModuleType) -> None:
    hub, _ = _hub(JoystickFinder(sdl))
    hub.step()
    assert not there(hub)
    for _ in range(3):
        index = _attach_radio(sdl)
        hub.step()
        assert len(there(hub)) == 1
        sdl.SDL_JoystickDetachVirtual(index)
        hub.step()
        assert not there(hub)
    hub.close()


def test_two_devices_alike_keep_their_keys_when_the_first_is_pulled(sdl: ModuleType) -> None:
    hub, _ = _hub(JoystickFinder(sdl))
    first = _attach_radio(sdl)
    _attach_radio(sdl)
    hub.step()
    keys = [device.key for device in there(hub)]
    assert len(set(keys)) == 2
    assert len({device.kind.guid for device in there(hub)}) == 1
    sdl.SDL_JoystickDetachVirtual(first)
    hub.step()
    assert [device.key for device in there(hub)] == keys[1:]
    _attach_radio(sdl)
    hub.step()
    assert sorted(device.key for device in there(hub)) == sorted(keys)
    hub.close()


def test_a_game_controller_flies_in_mode_2_by_sdls_mapping(sdl: ModuleType) -> None:
    hub, _ = _hub(JoystickFinder(sdl))
    index = sdl.SDL_JoystickAttachVirtual(sdl.SDL_JOYSTICK_TYPE_GAMECONTROLLER, 6, 15, 0)
    handle = sdl.SDL_JoystickOpen(index)
    for axis, value in ((1, -32768), (2, 32767), (3, 32767)):
        sdl.SDL_JoystickSetVirtualAxis(handle, axis, value)
    hub.step()
    [device] = there(hub)
    assert device.kind.standard is not None
    sticks = sticks_of(device.kind.standard, device.reading)
    assert sticks == Sticks(roll=1.0, pitch=1.0, yaw=0.0, throttle=1.0)
    sdl.SDL_JoystickClose(handle)
    hub.close()


# What a SpaceNavigator sends: reports as captured in SpaceNavigator.md of github.com/AndunHH/
# spacemouse (rotation, buttons), and others made by its format, and by the HID descriptor of a
# SpaceMouse Wireless there (six values in report 1, -350 to 350).


def _reports(*texts: str) -> SpaceMouseState:
    state = SpaceMouseState()
    for text in texts:
        state = state.after(bytes.fromhex(text))
    return state


def test_reports_of_a_space_navigator() -> None:
    assert _reports("01 00 00 00 00 00 00").axes == (0.0,) * 6
    turned = _reports("02 00 00 e2 ff 00 00")
    assert turned.axes == (0.0, 0.0, 0.0, 0.0, -30 / 350, 0.0)
    assert _reports("03 01 00").buttons[:2] == (True, False)
    assert _reports("03 02 00").buttons[:2] == (False, True)
    assert _reports("03 03 00").buttons[:2] == (True, True)
    assert not any(_reports("03 03 00", "03 00 00").buttons)


def test_a_translation_leaves_the_rotation_as_it_was() -> None:
    state = _reports("02 5e 01 00 00 00 00", "01 a2 fe 00 00 5e 01")
    assert state.axes == (-1.0, 0.0, 1.0, 1.0, 0.0, 0.0)


def test_a_newer_model_sends_all_six_in_one_report() -> None:
    assert _reports("01 5e 01 a2 fe 00 00 00 00 af 00 5e 01").axes == (1, -1, 0, 0, 0.5, 1)


@pytest.mark.parametrize("text", ["", "01", "01 5e", "02 00 00 00", "03", "17 64 01", "ff" * 64])
def test_reports_that_are_cut_short_or_of_another_kind_change_nothing(text: str) -> None:
    before = _reports("01 5e 01 00 00 00 00")
    assert before.after(bytes.fromhex(text)) == before


class FakeHid:
    """A mouse on the bus that sends what it is told to."""

    def __init__(self) -> None:
        self.reports: list[str] = []
        self.is_plugged_in = True
        self.entry: Mapping[str, Any] = {
            "path": b"1-2",
            "vendor_id": 0x046D,
            "product_id": 0xC626,
            "usage_page": 1,
            "usage": 8,
            "product_string": "SpaceNavigator",
        }

    def enumerate(self) -> Sequence[Mapping[str, Any]]:
        other = {**self.entry, "path": b"1-3", "product_id": 0xC52B}  # a keyboard's receiver
        return [self.entry, other] if self.is_plugged_in else [other]

    def open(self, path: bytes) -> HidDevice:
        assert path == b"1-2"
        return self

    def read(self, max_length: int) -> Sequence[int]:
        if not self.is_plugged_in:
            raise OSError("read error")
        return list(bytes.fromhex(self.reports.pop(0)))[:max_length] if self.reports else []

    def close(self) -> None:
        self.reports.clear()


def test_a_space_mouse_is_found_flown_and_missed() -> None:
    hid = FakeHid()
    finder = SpaceMouseFinder(HidAccess(hid.enumerate, hid.open))
    finder.scan()
    hub, clock = _hub(finder)
    hub.step()
    [device] = there(hub)
    assert (device.kind.name, device.kind.guid) == ("SpaceNavigator", "hid-046d-c626")
    # pushed right and away from the hand, lifted; twisted clockwise
    hid.reports = ["01 5e 01 a2 fe a2 fe", "02 00 00 00 00 5e 01"]
    hub.step()
    assert device.kind.standard is not None
    sticks = sticks_of(device.kind.standard, there(hub)[0].reading)
    assert sticks == Sticks(roll=1.0, pitch=-1.0, yaw=1.0, throttle=1.0)
    deflected_s = clock.now_s
    clock.now_s += 0.5
    hub.step()
    assert there(hub)[0].reading.read_s == deflected_s, "deflected and silent: it grows stale"
    hid.reports = ["01 00 00 00 00 00 00", "02 00 00 00 00 00 00"]
    hub.step()
    clock.now_s += 0.5
    hub.step()
    assert there(hub)[0].reading.read_s == clock.now_s, "silent at rest is as it should be"
    hid.is_plugged_in = False
    hub.step()
    assert not there(hub)
    hub.close()


def test_what_a_program_wrote_keeps_its_age_and_goes() -> None:
    source = ProgramSticks("Program", "program")
    hub, clock = _hub(Once(source))
    source.write((0.5, 0.0, 0.0, -1.0), (), clock.now_s)
    hub.step()
    written_s = clock.now_s
    clock.now_s += 0.2
    hub.step()
    assert there(hub)[0].reading.read_s == written_s
    assert not there(hub)[0].kind.by_itself, "a program never flies without being chosen"
    clock.now_s += GONE_S
    hub.step()
    assert not there(hub)


SCRIPT = """
import json, time
print("starting")
for _ in range(2000):
    print(json.dumps({"axes": [0.25, 0, 0, -1]}))
    time.sleep(0.01)
"""


def test_the_example_script_says_sticks() -> None:
    said = runpy.run_path(str(EXAMPLE))["sticks"](1.0)
    assert len(parse_message(json.dumps(said)).axes) == 4


@pytest.mark.slow
def test_a_script_flies_by_what_it_prints_and_not_when_it_has_ended(tmp_path: Path) -> None:
    path = tmp_path / "circle.py"
    path.write_text(SCRIPT)
    runner = ScriptRunner(path)
    hub = DeviceHub(find=lambda: [runner])
    hub.join()
    try:
        wait_until(lambda: there(hub))
        [device] = there(hub)
        assert device.kind.name == "Script circle.py"
        assert device.reading.axes == (0.25, 0.0, 0.0, -1.0)
        assert runner.problem.startswith("starting")
        runner.close()
        wait_until(lambda: not there(hub))
    finally:
        hub.leave()
    assert not runner.is_running
