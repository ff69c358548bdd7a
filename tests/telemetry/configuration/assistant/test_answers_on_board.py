"""Run again, the assistant reads back how an aircraft is built and changes nothing unasked."""

from dataclasses import replace
from pathlib import Path

import pytest

from simulation.autopilot.preset import load_preset
from telemetry.configuration.airframe.airframe import Levels, airframe_named
from telemetry.configuration.airframe.mixer import write_levels, write_mixer
from telemetry.configuration.airframe.mixer_generation import Options, generate
from telemetry.configuration.assistant.answers import KEEP, Answers
from telemetry.configuration.assistant.answers_on_board import answers_on_board, is_set_up
from telemetry.configuration.assistant.flight_modes import arming_choices, usual_modes
from telemetry.configuration.assistant.progress import STEPS, SetupProgress
from telemetry.configuration.assistant.proposal import differences, propose_setup
from telemetry.configuration.settings.snapshot import snapshot_of
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.logs.reader import read_log
from tests.telemetry.configuration.assistant.aircraft import QUAD, MemoryAircraft

CAR = Answers(frame="GroundVehicleCar")
PRESETS = ("ar100b", "ar100x6", "ar200", "hector", "crazyflie", "sea-vixen")


@pytest.fixture
def memory(catalogue: Catalogue) -> MemoryAircraft:
    return MemoryAircraft(catalogue)


def walked(memory: MemoryAircraft) -> Answers:
    """The answers after all steps, each left as it opens."""
    progress = SetupProgress(answers_on_board(memory.aircraft), lambda _answers: None)
    for step in STEPS[1:]:
        assert progress.next(memory.aircraft), progress.step.missing(
            progress.answers, memory.aircraft
        )
        assert progress.step is step
    return progress.answers


def changed(memory: MemoryAircraft, answers: Answers) -> dict[str, object]:
    found = differences(propose_setup(answers, memory.aircraft), memory.aircraft).changed
    return {f"{change.name}.{change.path}": change.b for change in found}


def put_mixer(memory: MemoryAircraft, name: str, levels: Levels, options: Options) -> None:
    definition = memory.aircraft.definition("MixerSettings")
    assert definition is not None
    mixer = generate(airframe_named(name), levels, options)
    memory.put("SystemSettings", {"AirframeType": name})
    memory.put("MixerSettings", write_mixer(mixer, definition))
    stored = write_levels(levels, definition, propellers_reversed=options.reversed)
    memory.put("MixerSettings", stored)


@pytest.mark.parametrize("name", PRESETS)
def test_an_aircraft_that_flies_is_left_as_it_is(memory: MemoryAircraft, name: str) -> None:
    for object_name, values in load_preset(name).objects.items():
        if memory.aircraft.definition(object_name) is not None:
            memory.put(object_name, values)
    answers = walked(memory)
    assert answers.frame == load_preset(name).objects["SystemSettings"]["AirframeType"]
    assert changed(memory, answers) == {}


def test_the_quadrotor_of_2014_is_left_as_it_is(shared_logs: Path, catalogue: Catalogue) -> None:
    """A real aircraft: what its log says was on board."""
    reading = read_log(shared_logs / "openpilot-14.06-quad-2014-07-17.opl", catalogue)
    memory = MemoryAircraft(catalogue, recorded=snapshot_of(reading.recording, "2014"))
    answers = walked(memory)
    assert (answers.frame, answers.propellers_reversed) == ("QuadX", False)
    assert changed(memory, answers) == {}


def test_what_was_set_up_by_hand_is_read_back(memory: MemoryAircraft) -> None:
    outputs = {"NW": 3, "NE": 1, "SE": 4, "SW": 2}
    put_mixer(memory, "QuadX", Levels(40, 45, 30), Options(reversed=True, outputs=outputs))
    found = answers_on_board(memory.aircraft)
    assert found.propellers_reversed
    assert found.outputs == outputs
    assert (found.modes, found.gains) == ((KEEP,), KEEP)
    plan = propose_setup(found, memory.aircraft)
    assert "MixerSettings" not in plan.values
    # Asked for something else, it keeps the levels, and stores the direction in their sign.
    other = propose_setup(replace(found, propellers_reversed=False), memory.aircraft).values
    assert other["MixerSettings"]["MixerValueYaw"] == 30
    assert other["MixerSettings"]["Mixer3Vector.Roll"] == 51  # 40 % of 127, away from zero
    assert other["SystemSettings"]["GUIConfigData.0"] == 0x4213_0000  # NW, NE, SW, SE


def test_a_wing_can_do_without_a_rudder(memory: MemoryAircraft) -> None:
    outputs = {"Motor": 3, "Elevon1": 1, "Elevon2": 2}
    answers = replace(
        QUAD, frame="FixedWingElevon", outputs={**outputs, "Rudder1": 0, "Rudder2": 0}
    )
    memory.take(propose_setup(answers, memory.aircraft))
    types = [memory.value("MixerSettings", f"Mixer{n}Type") for n in range(1, 6)]
    assert types == ["Servo", "Servo", "Motor", "Disabled", "Disabled"]
    assert answers_on_board(memory.aircraft).outputs == {**outputs, "Rudder1": 0, "Rudder2": 0}


def test_a_car_has_its_throttle_neutral_in_the_middle(memory: MemoryAircraft) -> None:
    """firmware-rules.md, "What LibrePilot's station writes": 4 % above the low end elsewhere."""
    for frame, neutral_us, failsafe in (("GroundVehicleCar", 1500, 0.0), ("QuadX", 1040, -1.0)):
        answers = replace(QUAD, frame=frame, modes=("manual",), failsafe="")
        manual = propose_setup(answers, memory.aircraft).values["ManualControlSettings"]
        assert manual["ChannelNeutral.Throttle"] == neutral_us
        assert manual["FailsafeChannel.Throttle"] == failsafe
    assert not any("down" in words for words in arming_choices(CAR, memory.aircraft).values())


def test_an_erased_board_shows_nothing_and_is_proposed_the_usual(memory: MemoryAircraft) -> None:
    assert not is_set_up(memory.aircraft)
    progress = SetupProgress(replace(QUAD, modes=(), step="gains"), lambda _answers: None)
    assert progress.go("modes", memory.aircraft)
    assert progress.answers.modes == usual_modes(QUAD, memory.aircraft)
