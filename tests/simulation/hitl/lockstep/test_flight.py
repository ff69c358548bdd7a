"""Flights in lockstep by the emulated controller: whole scenarios, the same to the bit."""

import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from simulation.autopilot.autopilot import Autopilot
from simulation.hitl.lockstep.board import LockstepBoard, LockstepFirmware
from simulation.hitl.lockstep.comparison import LockstepComparison, embedded
from simulation.hitl.lockstep.program import LockstepError, LockstepProgram
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.flight import SimulatedFlight, fly
from simulation.scenarios.report import run_scenario
from simulation.scenarios.scenario import Band, Measure, Scenario, ScenarioStep
from simulation.scenarios.scenario_file import load_scenario
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.session.config import Role, SessionState
from telemetry.protocol.session.events import ObjectReceived
from telemetry.protocol.session.session import Session
from tests.simulation.hitl.lockstep import programs
from tests.simulation.hitl.lockstep.programs import needs_posix

pytestmark = [needs_posix, pytest.mark.slow]

HOP = Scenario(
    "hop",
    "A hop",
    settings={"StabilizationSettings": {"CruiseControlMaxAngle": 77}},
    steps=(
        ScenarioStep("wait", seconds=2.0),
        ScenarioStep("arm"),
        ScenarioStep("takeoff"),
    ),
    measures=(Measure("max_altitude_m", "max_altitude_m"),),
    bands={"max_altitude_m": Band(2.0, 4.0)},
)
LIFT_OFF = replace(
    HOP, steps=(ScenarioStep("arm"), ScenarioStep("fly", seconds=1.5, throttle=0.75, roll=0.2))
)
STAND = Scenario(
    "stand", "Stand", settings=HOP.settings, steps=(ScenarioStep("wait", seconds=2.0),)
)
TOLD = ("MixerSettings", "StabilizationSettingsBank1", "HomeLocation", "RevoSettings")

TOUCHDOWN_SCATTER_MPS = 0.09
"""How far real firmware is from itself, flown twice with one seed (test_as_firmware.py): two boards
that are alike are no nearer, the less as the emulated one has its sensors at 200 Hz."""


@pytest.fixture
def firmware(tmp_path: Path) -> Iterator[LockstepFirmware]:
    path = programs.emulated(tmp_path)
    made = LockstepFirmware(lambda: LockstepProgram(path))
    yield made
    made.close()


def flown(
    catalogue: Catalogue, firmware: LockstepFirmware, seed: int = 1, scenario: Scenario = HOP
) -> SimulatedFlight:
    return Experiment(scenario, seed, "ar100b", catalogue, firmware=firmware).fly()


class Stood(NamedTuple):
    """A flight that stood; of its board what it held and where it was before."""

    flight: SimulatedFlight
    angle_deg: int
    settings: dict[str, bytes]
    position_m: "np.ndarray[Any, Any]"


@pytest.fixture(scope="module")
def stood(catalogue: Catalogue, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stood]:
    path = programs.emulated(tmp_path_factory.mktemp("stood"))
    firmware = LockstepFirmware(lambda: LockstepProgram(path))
    flight = Experiment(STAND, 5, "ar100b", catalogue, firmware=firmware).flight()
    assert isinstance(flight.aircraft, LockstepBoard)
    assert flight.aircraft.not_taken == ()
    board = flight.aircraft.board
    angle_deg = int(board["StabilizationSettings"].row["CruiseControlMaxAngle"])
    settings = {name: board[name].packed() for name in TOLD}
    before = np.array(board["PositionState"].row.tolist())
    while not flight.is_done:
        flight.run_loop()
    yield Stood(flight, angle_deg, settings, before)
    firmware.close()


@pytest.mark.long
def test_a_scenario_is_flown_to_its_end_judged_and_compared(
    catalogue: Catalogue, firmware: LockstepFirmware
) -> None:
    whole = load_scenario("takeoff-hold-land")
    steps = [replace(s, seconds=10.0) if s.do == "hold" else s for s in whole.steps]
    scenario = replace(whole, steps=tuple(steps))
    experiment = Experiment(scenario, 1, scenario.aircraft, catalogue, firmware=firmware)
    report = run_scenario(experiment)
    assert report.passed, report.failures
    assert set(report.outcome.metrics) >= set(scenario.bands)
    compared = LockstepComparison(firmware, report, run_scenario(embedded(experiment)))
    said = compared.as_dict()
    assert said["firmware"]["name"].startswith("Lapwing simulator (")
    assert said["firmware"]["sensors_hz"] == 200.0
    assert said["firmware"]["failed"] is None
    assert said["embedded"]["passed"] is True
    assert said["embedded"]["metrics"].keys() == report.outcome.metrics.keys()
    apart = said["embedded"]["metrics"]["touchdown_mps"] - report.outcome.metrics["touchdown_mps"]
    assert abs(apart) < TOUCHDOWN_SCATTER_MPS


def test_two_flights_are_the_same_to_the_bit_and_another_seed_is_not(
    catalogue: Catalogue, firmware: LockstepFirmware
) -> None:
    flights = [flown(catalogue, firmware, seed, LIFT_OFF) for seed in (3, 3, 4)]
    assert flights[0].track["true_position"][:, 2].min() < -0.2, "it has flown"
    assert all(flight.script_failure() == "" for flight in flights)
    said = [flight.log_hash for flight in flights]
    moved = [flight.track.digest() for flight in flights]
    assert said[0] == said[1] != said[2]
    assert moved[0] == moved[1] != moved[2]


def test_the_board_holds_the_settings_of_preset_and_scenario(
    catalogue: Catalogue, stood: Stood
) -> None:
    """It comes without any: whatever it holds it was told."""
    own = Autopilot(Experiment(STAND, 5, "ar100b", catalogue).config(), catalogue)
    assert stood.angle_deg == 77
    for name in TOLD:
        assert stood.settings[name] == own.board[name].packed(), name


def test_weather_and_sensors_begin_as_those_of_the_embedded_boards_flight(
    catalogue: Catalogue, stood: Stood
) -> None:
    theirs = stood.flight.track
    ours, other = (Experiment(STAND, n, "ar100b", catalogue).fly().track for n in (5, 6))
    rows = slice(0, 100)
    for member in ("raw_gyro", "raw_accel", "raw_mag", "baro_altitude_m"):
        assert np.array_equal(theirs[member][rows], ours[member][rows]), member
        assert not np.array_equal(theirs[member][rows], other[member][rows]), member


def test_its_estimate_does_not_jump_when_the_flight_begins(stood: Stood) -> None:
    """Its home is off by a metre, what GPS is off by at time 0, before as after."""
    place = stood.flight.track["position"]
    known = place[np.abs(place).sum(axis=1) > 0.0]
    assert len(known) > 50
    assert float(np.linalg.norm(stood.position_m)) > 1.0
    assert float(np.linalg.norm(known[:10].mean(axis=0) - stood.position_m)) < 0.5


def _started(
    tmp_path: Path,
) -> tuple[list[LockstepProgram], Callable[[], LockstepProgram]]:
    """All emulated programs so far, and what starts one more."""
    path = programs.emulated(tmp_path)
    started: list[LockstepProgram] = []

    def start() -> LockstepProgram:
        started.append(LockstepProgram(path))
        return started[-1]

    return started, start


def test_a_program_that_dies_in_flight_fails_the_scenario_in_a_sentence(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    started, start = _started(tmp_path)

    def kill_in_the_air(now_s: float) -> None:
        if now_s > 8.0:
            os.kill(started[0].process_id, signal.SIGKILL)

    firmware = LockstepFirmware(start)
    experiment = Experiment(HOP, 1, "ar100b", catalogue, firmware=firmware, pace=kill_in_the_air)
    report = run_scenario(experiment)
    assert not report.passed
    failure = report.failures[0]
    assert failure.metric == "firmware"
    assert failure.sentence.startswith("The firmware emulated crashed (SIGKILL) in tick ")
    assert "diverged" not in {f.metric for f in report.failures}


def test_a_board_that_is_not_ready_is_told_with_its_alarms(
    catalogue: Catalogue, firmware: LockstepFirmware, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simulation.hitl.lockstep.set_up.READY_PATIENCE_S", 12.0)
    modes = ["Stabilized1", "Stabilized2", "PositionHold", "PositionHold", "Land", "AutoTakeoff"]
    spoilt = {
        "FlightModeSettings": {
            "FlightModePosition": modes,
            "Stabilization1Settings": ["Manual", "Manual", "Manual", "Manual"],
        }
    }
    scenario = replace(STAND, settings=spoilt)
    with pytest.raises(LockstepError, match=r"not ready 12 s after .*Configuration: Critical"):
        flown(catalogue, firmware, 1, scenario)


@pytest.mark.long
def test_an_aeroplane_is_flown_after_a_restart(
    catalogue: Catalogue, firmware: LockstepFirmware
) -> None:
    """A board from the factory is a multirotor's, whose modules know no aeroplane."""
    steps = (ScenarioStep("arm"), ScenarioStep("fly", seconds=1.0))
    scenario = replace(load_scenario("takeoff-hold-land"), steps=steps)
    flight = Experiment(scenario, 1, "sea-vixen", catalogue, firmware=firmware).flight()
    assert isinstance(flight.aircraft, LockstepBoard)
    told = flight.aircraft.board
    assert told["SystemSettings"].option("AirframeType").startswith("FixedWing")
    fly(flight, 20.0, None, None)
    assert flight.script_failure() == ""


def test_one_that_speaks_no_uavtalk_is_told(catalogue: Catalogue, tmp_path: Path) -> None:
    path = programs.fake(
        tmp_path, "hello(tick_us=20000, sensor_ticks=1)\nwhile True:\n    send(3, wait()[0], b'')\n"
    )
    with pytest.raises(LockstepError, match="answers no station by UAVTalk within 60 s"):
        flown(catalogue, LockstepFirmware(lambda: LockstepProgram(path)))


def test_a_station_connects_to_it_and_has_it_to_itself(
    catalogue: Catalogue, firmware: LockstepFirmware
) -> None:
    config = Experiment(HOP, 1, "ar100b", catalogue, firmware=firmware).config()
    board = firmware.power_up(config, catalogue)
    assert not board.is_attended
    station = Session(Role.GCS, catalogue)
    station.start(0.0)
    heard: list[tuple[float, str]] = []
    waiting = b""
    while board.now_s < 15.0:
        waiting += station.bytes_to_send()
        board.receive(waiting[:20])  # frames come in pieces
        waiting = waiting[20:]
        board.run_loop()
        events = station.receive(board.bytes_to_send(), board.now_s)
        heard += [
            (board.now_s, event.definition.name)
            for event in events
            if isinstance(event, ObjectReceived)
        ]
        station.tick(board.now_s)
    assert station.state is SessionState.CONNECTED
    assert station.status.counters.retries == 0
    for name in ("GPSPositionSensor", "BaroSensor", "GyroSensor"):
        late = [now_s for now_s, said in heard if said == name and now_s > 5.0]
        assert len(late) in (9, 10, 11), f"{name}, once a second"
    assert board.is_attended
    assert board.diverged is None


def test_the_one_before_ends_when_another_flight_begins(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    started, start = _started(tmp_path)
    firmware = LockstepFirmware(start)
    config = Experiment(STAND, 1, "ar100b", catalogue).config()
    first = firmware.power_up(config, catalogue)
    firmware.power_up(config, catalogue)
    first.run_loop()
    assert "was ended" in str(first.diverged)
    firmware.close()
    for program in started:
        with pytest.raises(ProcessLookupError):
            os.kill(program.process_id, 0)
