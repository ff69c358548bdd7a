"""What the board reports about itself and about automatic flight."""

from itertools import groupby

import pytest

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.preset import Preset
from simulation.scenarios.flight import SimulatedFlight
from simulation.scenarios.scenario_file import load_scenario
from simulation.simulator.controls import apply
from telemetry.protocol.objects.catalogue import Catalogue


@pytest.mark.slow
def test_progress_of_take_off_and_landing(preset: Preset, catalogue: Catalogue) -> None:
    flight = SimulatedFlight(AutopilotConfig(preset), catalogue, load_scenario("takeoff-hold-land"))
    board = flight.autopilot.board
    seen: dict[str, list[str]] = {"AutoTakeoff": [], "Land": []}
    climb: list[tuple[float, float, str]] = []
    while not flight.is_done:
        flight.run_loop()
        for name, states in seen.items():
            states.append(board[f"StatusVtol{name}"].option("State"))
        if board["PathDesired"].option("Mode") == "AutoTakeoff":
            row = board["PathStatus"].newest()
            way = float(row["fractional_progress"]), float(row["error"])
            climb.append((*way, board["PathStatus"].option("Status")))
    passed = {name: [state for state, _ in groupby(states)] for name, states in seen.items()}
    assert passed["AutoTakeoff"] == ["Inactive", "SlowStart", "ThrustUp", "Takeoff", "Hold"]
    # Until sticks arrive the failsafe's position of the switch counts, which is Land.
    assert passed["Land"][:3] == ["InitAltHold", "WtgForDescentRate", "AtDescentRate"]
    assert passed["Land"][-1] == "Disarmed"
    # UpdateVelocityDesired of vtolautotakeoffcontroller.cpp: nothing is done until it holds.
    assert {way[0] for way in climb} == {0.0, 1.0}
    assert climb[0] == (0.0, 0.0, "InProgress")
    assert climb[-1] == (1.0, 0.0, "InProgress"), "LibrePilot's PathFollower never says Completed"


def standing(preset: Preset, catalogue: Catalogue, charge: float = 1.0) -> Autopilot:
    """An aircraft that has been switched on for six seconds."""
    autopilot = Autopilot(AutopilotConfig(preset), catalogue)
    autopilot.simulator.set_charge(charge)
    for _ in range(300):
        autopilot.run_loop()
    return autopilot


def alarm(autopilot: Autopilot, name: str) -> str:
    alarms = autopilot.board["SystemAlarms"]
    return alarms.option("Alarm", alarms.definition.field_named("Alarm").element_index(name))


@pytest.mark.parametrize(
    ("charge", "severity"), [(1.0, "OK"), (0.25, "Warning"), (0.05, "Critical")]
)
def test_the_battery_alarm_goes_by_the_cells_voltage(
    preset: Preset, catalogue: Catalogue, charge: float, severity: str
) -> None:
    assert alarm(standing(preset, catalogue, charge), "Battery") == severity


def test_alarms_of_gps_and_receiver_on_the_ground(preset: Preset, catalogue: Catalogue) -> None:
    autopilot = standing(preset, catalogue)
    assert [alarm(autopilot, name) for name in ("GPS", "Receiver", "Attitude")] == [
        "OK",
        "Warning",
        "OK",
    ]
    autopilot.board["GPSSettings"].set(MinSatellites=30)
    for _ in range(10):
        autopilot.run_loop()
    assert alarm(autopilot, "GPS") == "Warning"
    apply(autopilot.simulator, "gps_lost", 1.0)
    for _ in range(50):
        autopilot.run_loop()
    assert alarm(autopilot, "GPS") == "Critical"


def test_the_boards_own_statistics_are_plausible(preset: Preset, catalogue: Catalogue) -> None:
    autopilot = standing(preset, catalogue)
    stats = autopilot.board["SystemStats"]
    stats.payload(0)
    assert stats.row["FlightTime"] == pytest.approx(6000, abs=40)
    assert 5 <= stats.row["CPULoad"] <= 80
    used = 1.0 - stats.row["CPUIdleTicks"] / stats.row["CPUZeroLoadTicks"]
    assert used == pytest.approx(stats.row["CPULoad"] / 100.0)
    assert stats.row["HeapRemaining"] > 10_000
