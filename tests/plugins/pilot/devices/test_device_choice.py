"""Which device flies an aircraft, by which profile, and what becomes of it when it vanishes."""

from dataclasses import replace
from pathlib import Path

import pytest

from plugins.pilot.devices.aircraft_inputs import PRESS_COUNTS_S
from plugins.pilot.devices.buttons import ARM, DISARM, GIVE_CONTROL, STOP, TAKE_CONTROL
from plugins.pilot.devices.chosen_devices import ChosenDevices, chosen_devices_store
from plugins.pilot.devices.default_profiles import program_profile
from plugins.pilot.devices.device_choice import DeviceChoice
from plugins.pilot.devices.mix import MixSetup
from plugins.pilot.devices.profile import ButtonSetup, Profile, Trigger
from plugins.pilot.devices.profile_store import EVERY_AIRCRAFT, ProfileStore
from telemetry.flying.inputs.device_input import DeviceInput
from telemetry.vehicle.sticks import STICKS_FRESH_S, Sticks
from tests.plugins.pilot.devices.fakes import FakeDevice, PluggedDevices, ready_device

NAN = float("nan")


class Bench:
    """Plugged devices and one aircraft's choice among them."""

    def __init__(self, *devices: FakeDevice, store: ProfileStore | None = None) -> None:
        self.plugged = PluggedDevices(*devices)
        self.choice = DeviceChoice(self.plugged.hub, store or ProfileStore(None))
        self.choice.follow(is_flying=False)

    def read(self, *, is_flying: bool = False) -> DeviceInput | None:
        self.plugged.now_s += 0.02
        self.plugged.hub.step()
        self.choice.follow(is_flying=is_flying)
        return self.choice.inputs.read(self.plugged.now_s)

    def is_student_flying(self) -> bool:
        return self.choice.inputs.mix.is_student_flying

    def sticks(self, *, is_flying: bool = False) -> Sticks | None:
        found = self.read(is_flying=is_flying)
        return found.sticks if found else None


def with_buttons(*setups: ButtonSetup) -> Profile:
    return replace(program_profile(), buttons=setups)


def test_a_device_that_needs_no_setting_up_flies_by_itself() -> None:
    pad = ready_device()
    bench = Bench(FakeDevice("A radio", "radio"), pad)
    pad.axes = (0.5, 0.0, 0.0, 1.0)
    assert bench.sticks() == Sticks(roll=0.5, throttle=1.0)
    found = bench.read()
    assert found is not None
    assert found.name == "A pad"


def test_a_device_that_nobody_has_set_up_flies_nothing_even_if_chosen() -> None:
    bench = Bench(FakeDevice("A radio", "radio"))
    bench.choice.choose(ChosenDevices(pilot="radio"))
    assert bench.read() is None
    bench.choice.store.save(bench.plugged.hub.devices[0].kind, EVERY_AIRCRAFT, program_profile())
    assert bench.read() is not None


def test_a_program_flies_only_when_it_is_chosen() -> None:
    program = FakeDevice("Script", "script", program_profile(), by_itself=False)
    bench = Bench(program)
    assert bench.read() is None
    bench.choice.choose(ChosenDevices(pilot="script"))
    assert bench.read() is not None


def test_a_device_that_vanishes_in_flight_is_not_replaced_by_another() -> None:
    first, second = ready_device("First", "first"), ready_device("Second", "second")
    bench = Bench(first, second)
    assert bench.read(is_flying=True) is not None
    bench.plugged.pull(first)
    assert bench.read(is_flying=True) is None
    bench.plugged.plug_in(first)
    found = bench.read(is_flying=True)
    assert found is not None
    assert found.name == "First"
    bench.plugged.pull(first)
    found = bench.read(is_flying=False)
    assert found is not None
    assert found.name == "Second"


def test_of_two_devices_alike_the_other_one_never_takes_over() -> None:
    first, second = ready_device(), ready_device()
    second.axes = (1.0, 0.0, 0.0, 1.0)
    bench = Bench(first, second)
    assert bench.sticks(is_flying=True) == Sticks()
    bench.plugged.pull(first)
    assert bench.sticks(is_flying=True) is None
    bench.choice.choose(ChosenDevices(pilot="pad/2"))
    assert bench.sticks(is_flying=True) == Sticks(roll=1.0, throttle=1.0)


@pytest.mark.parametrize("axes", [(NAN, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, float("inf")), ()])
def test_a_device_that_says_nonsense_flies_nothing(axes: tuple[float, ...]) -> None:
    pad = ready_device()
    bench = Bench(pad)
    assert bench.read() is not None
    pad.axes = axes
    assert bench.read() is None


def test_a_reading_keeps_the_age_that_the_device_gave_it() -> None:
    pad = ready_device()
    bench = Bench(pad)
    pad.hangs_since_s = bench.plugged.now_s
    for _ in range(10):
        found = bench.read()
    assert found is not None
    assert bench.plugged.now_s - found.read_s > STICKS_FRESH_S


def test_a_stop_button_stops_and_other_buttons_wait_to_be_seen_to() -> None:
    pad = FakeDevice(
        standard=with_buttons(
            ButtonSetup(Trigger(button=0), STOP), ButtonSetup(Trigger(button=1), DISARM)
        )
    )
    bench = Bench(pad)
    found = bench.read()
    assert found is not None
    assert not found.stops
    pad.buttons = [True, True, False, False]
    found = bench.read()
    assert found is not None
    assert found.stops
    assert list(bench.choice.inputs.take_commands(bench.plugged.now_s)) == [DISARM]
    assert list(bench.choice.inputs.take_commands(bench.plugged.now_s)) == []


def test_a_box_of_buttons_stops_the_motors_though_it_moves_nothing() -> None:
    setups = (ButtonSetup(Trigger(button=0), STOP),)
    box = FakeDevice("Box", "box", Profile(buttons=setups))
    bench = Bench(box)
    bench.choice.choose(ChosenDevices(pilot="box"))
    assert bench.read() is None
    box.buttons[0] = True
    found = bench.read()
    assert found is not None
    assert found.stops
    assert found.sticks.stops_motors


def test_a_device_that_hangs_holds_no_button_down() -> None:
    pad = FakeDevice(standard=with_buttons(ButtonSetup(Trigger(button=0), ARM)))
    bench = Bench(pad)
    bench.read()
    pad.buttons[0] = True
    bench.read()
    pad.hangs_since_s = bench.plugged.now_s
    for _ in range(100):
        bench.read()
    assert list(bench.choice.inputs.take_commands(bench.plugged.now_s)) == []


def test_a_press_that_nobody_saw_to_in_time_is_not_done_later() -> None:
    pad = FakeDevice(standard=with_buttons(ButtonSetup(Trigger(button=0), DISARM)))
    bench = Bench(pad)
    bench.read()
    pad.buttons[0] = True
    bench.read()
    assert list(bench.choice.inputs.take_commands(bench.plugged.now_s + PRESS_COUNTS_S)) == []


def test_an_instructor_gives_and_takes_by_buttons_and_keeps_what_he_did_not_give() -> None:
    give, take = (
        ButtonSetup(Trigger(button=0), GIVE_CONTROL),
        ButtonSetup(Trigger(button=1), TAKE_CONTROL),
    )
    instructor = FakeDevice("Instructor", "one", with_buttons(give, take))
    student = ready_device("Student", "two")
    student.axes = (0.5, 0.5, 0.5, 1.0)
    bench = Bench(instructor, student)
    bench.choice.choose(ChosenDevices("one", "two"))
    assert bench.sticks() == Sticks()
    instructor.buttons[0] = True
    assert bench.sticks() == Sticks(0.5, 0.5, 0.5, 1.0)
    instructor.buttons = [False, True, False, False]
    assert bench.sticks() == Sticks()


def test_without_the_instructors_device_the_student_flies_nothing() -> None:
    instructor, student = ready_device("Instructor", "one"), ready_device("Student", "two")
    bench = Bench(instructor, student)
    bench.choice.choose(ChosenDevices("one", "two"))
    bench.read()
    bench.choice.inputs.mix.give()
    bench.read(is_flying=True)
    assert bench.is_student_flying()
    student.hangs_since_s = bench.plugged.now_s
    for _ in range(10):
        bench.read(is_flying=True)
    assert not bench.is_student_flying()
    bench.plugged.pull(instructor)
    assert bench.read(is_flying=True) is None


def test_no_axis_changes_its_meaning_while_the_aircraft_is_armed() -> None:
    pad = ready_device()
    pad.axes = (0.5, 0.0, 0.0, 1.0)
    bench = Bench(pad)
    assert bench.sticks(is_flying=True) == Sticks(roll=0.5, throttle=1.0)
    profile = program_profile()
    roll, pitch = profile.control("roll"), profile.control("pitch")
    swapped = profile.with_control("roll", pitch).with_control("pitch", roll)
    bench.choice.store.save(pad.kind, EVERY_AIRCRAFT, swapped)
    assert bench.sticks(is_flying=True) == Sticks(roll=0.5, throttle=1.0)
    assert bench.sticks(is_flying=False) == Sticks(pitch=0.5, throttle=1.0)


def test_what_was_wanted_for_an_aircraft_is_wanted_again(tmp_path: Path) -> None:
    mix = MixSetup(frozenset(("roll", "pitch")), "button")
    plugged = PluggedDevices(ready_device("One", "one"), ready_device("Two", "two"))
    store = ProfileStore(None)
    first = DeviceChoice(plugged.hub, store, lambda: "aa11", chosen_devices_store(tmp_path))
    first.follow(is_flying=False)
    first.choose(ChosenDevices("two", "one", mix))
    again = DeviceChoice(plugged.hub, store, lambda: "aa11", chosen_devices_store(tmp_path))
    other = DeviceChoice(plugged.hub, store, lambda: "bb22", chosen_devices_store(tmp_path))
    for choice in (again, other):
        choice.follow(is_flying=False)
    assert again.chosen == ChosenDevices("two", "one", mix)
    assert again.pilot == "two"
    assert other.chosen == ChosenDevices()
    [path] = tmp_path.glob("*.json")
    path.write_text(path.read_text().replace('"button"', '"any"'))
    damaged = DeviceChoice(plugged.hub, store, lambda: "aa11", chosen_devices_store(tmp_path))
    damaged.follow(is_flying=False)
    assert damaged.chosen == ChosenDevices()


def test_a_program_and_one_of_two_alike_are_not_wanted_again_by_themselves(tmp_path: Path) -> None:
    program = FakeDevice("Script", "script", program_profile(), by_itself=False)
    plugged = PluggedDevices(ready_device(), ready_device(), program)
    for key in ("script", "pad/2"):
        choice = DeviceChoice(
            plugged.hub, ProfileStore(None), lambda: "aa", chosen_devices_store(tmp_path)
        )
        choice.follow(is_flying=False)
        choice.choose(ChosenDevices(key))
        assert choice.chosen.pilot == key
        assert list(tmp_path.glob("*.json")) == []


def test_a_profile_of_one_aircraft_is_not_anothers(tmp_path: Path) -> None:
    radio = FakeDevice("A radio", "03000000/odd name")
    store = ProfileStore(tmp_path)
    own = replace(program_profile(), mode=1)
    store.save(radio.kind, EVERY_AIRCRAFT, program_profile())
    store.save(radio.kind, "aa11", own)
    again = ProfileStore(tmp_path)
    assert again.profile(radio.kind, "aa11") == own
    assert again.profile(radio.kind, "bb22") == program_profile()
    again.save(radio.kind, "aa11", None)
    assert ProfileStore(tmp_path).profile(radio.kind, "aa11") == program_profile()
    assert len(list(tmp_path.glob("*.json"))) == 1


def test_a_damaged_profile_is_put_aside_and_the_device_counts_as_not_set_up(tmp_path: Path) -> None:
    radio = FakeDevice("A radio", "radio")
    store = ProfileStore(tmp_path)
    store.save(radio.kind, EVERY_AIRCRAFT, program_profile())
    [path] = tmp_path.glob("*.json")
    path.write_text(path.read_text().replace('"axis": 0', '"axis": 99999'))
    again = ProfileStore(tmp_path)
    assert again.profile(radio.kind, "") is None
    assert path.name in again.problem


def test_two_guids_that_look_alike_in_a_file_name_have_files_of_their_own(tmp_path: Path) -> None:
    store = ProfileStore(tmp_path)
    for guid in ("a/b", "a b", "a-b", "../../etc/passwd"):
        store.save(FakeDevice(guid=guid).kind, EVERY_AIRCRAFT, program_profile())
    assert len(list(tmp_path.glob("*.json"))) == 4
