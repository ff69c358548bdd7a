"""A board (our own autopilot) flies our physics, and is left as it was."""

import json

import numpy as np
import pytest

from simulation.hitl.flight import HitlPhase
from simulation.hitl.takeover import TRUTH
from simulation.hitl.wired_board import RATE_HZ
from simulation.records.sensor_table import SUPPLIED_SENSORS
from simulation.scenarios.scenario import ScenarioStep
from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.wire.decoder import FrameDecoder
from tests.armed_board import arm_always
from tests.simulation.hitl.wires import Wires, metadata_of

FLIGHT = (
    ScenarioStep("wait", seconds=6.0),
    ScenarioStep("arm"),
    ScenarioStep("takeoff"),
    ScenarioStep("hold", seconds=10.0),
    ScenarioStep("land"),
)


@pytest.mark.slow
def test_the_board_takes_off_hovers_and_lands_by_our_sensors(wires: Wires) -> None:
    before = metadata_of(wires.board)
    flight = wires.connect(FLIGHT)
    wires.run_until(HitlPhase.FLYING)
    assert metadata_of(wires.board) != before
    tracks = []
    while flight.phase is HitlPhase.FLYING:
        wires.run(0.2)
        tracks.append(np.array(wires.physics.output["true_position"]))
    wires.run_until(HitlPhase.DONE)
    track = np.array(tracks)
    assert -3.6 < track[:, 2].min() < -2.0
    assert np.abs(track[:, :2]).max() < 5.0
    result = flight.result
    assert result.problems == ()
    assert not result.crashed
    assert not result.still_armed
    assert result.commands == pytest.approx(result.flown_s * RATE_HZ, rel=0.02)
    assert wires.physics.output["touches_ground"] == 1
    assert metadata_of(wires.board) == before
    assert set(result.restored) == {
        *("GyroSensor", "AccelSensor", "MagSensor", "BaroSensor", "AirspeedSensor"),
        *("GPSPositionSensor", "GPSVelocitySensor", "ActuatorCommand", *TRUTH),
    }
    assert not list(wires.folder.glob("*.json"))


@pytest.mark.slow
def test_with_a_turned_gyro_it_does_not_hover(wires: Wires) -> None:
    """Negative control: it is our sensors that the board flies by."""
    flight = wires.connect(FLIGHT)
    wires.run_until(HitlPhase.FLYING)
    physics = wires.physics
    advance = physics.advance

    def advance_turned(steps: int) -> None:
        advance(steps)
        physics.output["gyro"] *= -1.0

    physics.advance = advance_turned  # type: ignore[method-assign]
    wires.run(16.0)
    assert flight.result.crashed


@pytest.mark.slow
def test_only_the_sensors_chosen_are_taken_over(wires: Wires) -> None:
    flight = wires.connect(sensors=("baro", "gps"))
    before = metadata_of(wires.board)
    wires.run_until(HitlPhase.FLYING)
    changed = {name for name, packed in metadata_of(wires.board).items() if packed != before[name]}
    assert changed == {"BaroSensor", "GPSPositionSensor", "ActuatorCommand", *TRUTH}
    now = Metadata.unpack(metadata_of(wires.board)["BaroSensor"])
    assert now.flight_readonly
    flight.stop(wires.now_s)
    wires.run_until(HitlPhase.DONE)
    assert metadata_of(wires.board) == before


@pytest.mark.slow
@pytest.mark.parametrize("name", SUPPLIED_SENSORS)
def test_each_sensor_can_be_taken_over_by_itself(name: str, wires: Wires) -> None:
    before = metadata_of(wires.board)
    flight = wires.connect(sensors=(name,))
    wires.run_until(HitlPhase.FLYING)
    changed = {key for key, packed in metadata_of(wires.board).items() if packed != before[key]}
    assert changed == {SUPPLIED_SENSORS[name].names[0], "ActuatorCommand", *TRUTH}
    flight.stop(wires.now_s)
    wires.run_until(HitlPhase.DONE)
    assert metadata_of(wires.board) == before


@pytest.mark.slow
def test_an_armed_board_is_refused_and_left_alone(wires: Wires) -> None:
    before = metadata_of(wires.board)
    arm_always(wires.board.board)
    flight = wires.connect()
    wires.run_until(HitlPhase.DONE)
    assert flight.result.problems == (
        "The board is armed: disarm it, take the propellers off, start again.",
    )
    assert metadata_of(wires.board) == before


@pytest.mark.slow
def test_what_metadata_was_is_on_disk_before_it_is_changed(wires: Wires) -> None:
    before = metadata_of(wires.board)
    flight = wires.connect()
    while metadata_of(wires.board) == before:
        wires.run(0.02)
    content = json.loads((wires.folder / f"{flight.result.board}.json").read_text())
    kept = {entry["name"]: bytes.fromhex(entry["metadata"]) for entry in content["loans"]}
    changed = [name for name, packed in metadata_of(wires.board).items() if packed != before[name]]
    assert changed
    assert all(kept[name] == before[name] for name in changed)


@pytest.mark.slow
def test_after_the_link_ended_the_next_connection_gives_back_first(wires: Wires) -> None:
    before = metadata_of(wires.board)
    flight = wires.connect()
    wires.run_until(HitlPhase.FLYING)
    wires.run(1.0)
    flight.end(wires.now_s, "The cable is out.")
    assert "GyroSensor" in flight.result.unrestored
    assert metadata_of(wires.board) != before  # negative control: the board is still changed
    again = wires.connect()
    wires.run_until(HitlPhase.FLYING)
    assert set(flight.result.unrestored) <= set(again.result.restored)
    again.stop(wires.now_s)
    wires.run_until(HitlPhase.DONE)
    assert metadata_of(wires.board) == before


@pytest.mark.slow
def test_restoring_alone_flies_nothing(wires: Wires) -> None:
    before = metadata_of(wires.board)
    flight = wires.connect()
    wires.run_until(HitlPhase.FLYING)
    flight.end(wires.now_s, "The cable is out.")
    again = wires.connect(restore_only=True)
    wires.run_until(HitlPhase.DONE)
    assert set(again.result.restored) == set(flight.result.unrestored)
    assert again.aircraft is None
    assert again.result.problems == ()
    assert metadata_of(wires.board) == before


@pytest.mark.slow
def test_a_board_that_falls_silent_lets_the_aircraft_fall_and_is_restored_when_back(
    wires: Wires,
) -> None:
    before = metadata_of(wires.board)
    flight = wires.connect(FLIGHT)
    wires.run_until(HitlPhase.FLYING)
    wires.run(18.0)
    assert wires.physics.output["true_position"][2] < -1.0
    wires.is_cut = True
    wires.run(5.0)
    assert wires.physics.output["crashed"] == 1  # no pulses, no thrust
    wires.run_until(HitlPhase.SILENT)
    wires.is_cut = False
    wires.run_until(HitlPhase.DONE)
    assert "The board fell silent." in flight.result.problems
    assert flight.result.unrestored == ()
    assert metadata_of(wires.board) == before


@pytest.mark.slow
def test_the_truth_goes_to_the_log(wires: Wires) -> None:
    wires.connect()
    wires.run_until(HitlPhase.FLYING)
    wires.run(2.0)
    ids = {frame.object_id for data in wires.truth for frame in FrameDecoder().feed(data)}
    catalogue = wires.catalogue
    wanted = {catalogue.find(name).object_id for name in ("AttitudeSimulated", "GroundTruth")}
    assert ids == wanted
    assert len(wires.truth) == pytest.approx(20, abs=1)
