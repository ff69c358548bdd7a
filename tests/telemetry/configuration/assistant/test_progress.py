"""The assistant's course: what is missing, where one may go, what is kept."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from telemetry.configuration.assistant.aircraft import AssistedAircraft
from telemetry.configuration.assistant.answers import (
    NO_GPS,
    Answers,
    answer_store,
    answers_from_json,
)
from telemetry.configuration.assistant.answers_on_board import answers_on_board
from telemetry.configuration.assistant.calibration_needs import calibration_needs
from telemetry.configuration.assistant.flight_modes import missing_mode, mode_choices, usual_modes
from telemetry.configuration.assistant.gps_and_battery import missing_power, telling
from telemetry.configuration.assistant.progress import STEPS, SetupProgress, with_usual
from telemetry.configuration.assistant.proposal import propose_setup
from telemetry.configuration.assistant.wiring import wiring_of
from telemetry.protocol.objects.catalogue import Catalogue
from tests.telemetry.configuration.assistant.aircraft import QUAD, MemoryAircraft


@pytest.fixture
def memory(catalogue: Catalogue) -> MemoryAircraft:
    return MemoryAircraft(catalogue)


@pytest.fixture
def aircraft(memory: MemoryAircraft) -> AssistedAircraft:
    return memory.aircraft


def test_each_step_waits_for_its_answer(aircraft: AssistedAircraft) -> None:
    kept: list[Answers] = []
    progress = SetupProgress(answers_on_board(aircraft), kept.append)
    given: list[dict[str, object]] = [
        {"frame": "QuadX"},
        {"esc": "oneshot125"},
        {"receiver": "GCS"},
        {"gps": NO_GPS},
        {},
        {},
        {"gains": "keep"},
    ]
    for number, answers in enumerate(given):
        assert progress.step is STEPS[number]
        if answers:
            assert not progress.next(aircraft)
            assert progress.step.missing(progress.answers, aircraft)
        progress.change(**answers)
        assert progress.next(aircraft)
    assert progress.step.id == "summary"
    assert not progress.next(aircraft)
    assert progress.back()
    assert kept[-1] == progress.answers


def test_no_step_is_reached_over_a_missing_answer(aircraft: AssistedAircraft) -> None:
    progress = SetupProgress(Answers(frame="QuadX"), lambda _answers: None)
    assert not progress.can_go("receiver", aircraft)
    assert not progress.go("summary", aircraft)
    assert progress.go("outputs", aircraft)


def test_another_frame_takes_back_what_hung_on_it(aircraft: AssistedAircraft) -> None:
    progress = SetupProgress(QUAD, lambda _answers: None)
    progress.change(frame="FixedWing")
    assert progress.answers.outputs == {}
    assert progress.answers.gains == ""
    assert progress.answers.receiver == "GCS"


def test_an_output_for_two_motors_is_refused(aircraft: AssistedAircraft) -> None:
    outputs = next(step for step in STEPS if step.id == "outputs")
    assert not outputs.missing(QUAD, aircraft)
    twice = replace(QUAD, outputs={"NW": 1, "NE": 1, "SE": 3, "SW": 4})
    assert "Output 1 is chosen twice" in outputs.missing(twice, aircraft)
    beyond = replace(QUAD, outputs={"NW": 1, "NE": 2, "SE": 3, "SW": 40})
    assert "no output 40" in outputs.missing(beyond, aircraft)


def test_receiver_and_gps_cannot_share_a_port(aircraft: AssistedAircraft) -> None:
    shared = replace(QUAD, receiver="DSM@RM_FlexiPort")
    assert "same port" in missing_power(shared, aircraft)
    assert not missing_power(replace(shared, gps_port="RM_MainPort"), aircraft)


def test_only_modes_that_can_be_flown_are_offered(aircraft: AssistedAircraft) -> None:
    without = replace(QUAD, gps=NO_GPS)
    assert {mode.id for mode in mode_choices(without, aircraft)} == {"level", "height", "rate"}
    assert "GPS" in missing_mode(without, aircraft)
    car = replace(without, frame="GroundVehicleCar")
    assert usual_modes(car, aircraft) == ("manual",)
    assert "by hand" in missing_mode(replace(QUAD, modes=("hold", "level")), aircraft)


def test_it_begins_with_what_is_on_board(memory: MemoryAircraft) -> None:
    assert answers_on_board(memory.aircraft) == Answers()
    memory.take(propose_setup(QUAD, memory.aircraft))
    found = answers_on_board(memory.aircraft)
    assert (found.frame, found.receiver, found.gps) == ("QuadX", "GCS", "UBX")
    assert (found.cells, found.capacity_mah) == (3, 3300)


def test_answers_survive_a_restart_by_board(tmp_path: Path) -> None:
    answer_store(tmp_path).put("31ab", QUAD)
    answer_store(tmp_path).put("77", Answers(frame="Hexa"))
    store = answer_store(tmp_path)
    assert store.get("31ab") == QUAD
    assert store.get("00") is None
    (tmp_path / "77.json").write_text("{", encoding="utf-8")
    assert store.get("77") is None
    assert "77.json could not be read" in store.problem


def test_what_cannot_be_kept_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    store = answer_store(tmp_path / "file")
    assert not store.put("31ab", QUAD)
    assert "cannot be written" in store.problem


@pytest.mark.parametrize("text", ["null", "[]", '{"version": 99, "frame": "QuadX"}'])
def test_a_file_of_another_kind_is_no_answer(text: str, tmp_path: Path) -> None:
    (tmp_path / "31ab.json").write_text(text)
    store = answer_store(tmp_path)
    assert store.get("31ab") is None
    assert "31ab.json" in store.problem


def test_an_answer_of_another_kind_is_none() -> None:
    assert answers_from_json({"version": 1, "frame": 3, "modes": "level"}) == Answers()


def test_calibrations_count_as_done_when_their_values_are_not_the_defaults(
    memory: MemoryAircraft,
) -> None:
    assert not any(need.is_done for need in calibration_needs(QUAD, memory.aircraft))
    memory.put("AttitudeSettings", {"BoardLevelTrim.Roll": 0.7})
    done = [need.title for need in calibration_needs(QUAD, memory.aircraft) if need.is_done]
    assert done == ["Level"]
    without = calibration_needs(replace(QUAD, gps=NO_GPS), memory.aircraft)
    assert [need.is_needed for need in without if need.title == "Magnetometer"] == [False]


def test_the_wiring_shows_each_part_at_its_plug(aircraft: AssistedAircraft) -> None:
    answers = replace(
        QUAD, receiver="S.Bus@RM_MainPort", outputs={"NW": 4, "NE": 3, "SE": 2, "SW": 1}
    )
    wiring = wiring_of(answers, aircraft)
    assert [wire.output for wire in wiring.outputs] == [1, 2, 3, 4]
    assert wiring.outputs[3].part.endswith("NW")
    assert wiring.outputs[3].note == "turns clockwise"
    turned = wiring_of(replace(answers, propellers_reversed=True), aircraft)
    assert turned.outputs[3].note == "turns counter-clockwise"
    parts = {port.port: port.part for port in wiring.ports}
    assert (parts["Main"], parts["Flexi"]) == ("Receiver, S.Bus", "GPS, UBX")


@pytest.mark.parametrize(("volts", "cells"), [(12.6, 3), (11.1, 3), (16.4, 4), (8.4, 2), (0.3, 0)])
def test_what_telemetry_shows_is_proposed(catalogue: Catalogue, volts: float, cells: int) -> None:
    memory = MemoryAircraft(catalogue)
    told: dict[str, dict[str, Any]] = {
        "GPSPositionSensor": {"Status": "Fix3D", "Satellites": 9},
        "FlightBatteryState": {"Voltage": volts},
    }
    silent = memory.aircraft
    aircraft = replace(silent, values=lambda name: told.get(name) or silent.values(name))
    proposed = with_usual("power", Answers(), aircraft)
    assert (proposed.gps, proposed.cells) == ("UBX", cells)
    assert proposed.gps_port
    assert "9 satellites" in telling(aircraft)
    # Negative controls: nothing is told, and what was answered stays.
    assert with_usual("power", Answers(), silent) == Answers()
    answered = Answers(gps=NO_GPS)
    assert with_usual("power", answered, aircraft) == answered
