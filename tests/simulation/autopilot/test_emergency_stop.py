"""Emergency stop in flight: what the board says after the fall, and what another one says."""

import pytest

from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import Preset
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.vehicle.sticks import Sticks
from tests.simulation.bench import Bench

BY_HAND, TAKE_OFF = 0, 5


def hold(
    bench: Bench, seconds: float, *, throttle: float = -1.0, arm: bool = False, mode: int = TAKE_OFF
) -> None:
    bench.sticks = Sticks(throttle=throttle, arm=arm, flight_mode_position=mode)
    bench.run(seconds)


def fly(bench: Bench) -> None:
    hold(bench, 8.0, mode=BY_HAND)  # the height counts from where it is selected
    hold(bench, 1.0)
    hold(bench, 3.0, arm=True)
    hold(bench, 12.0, arm=True, throttle=0.5)
    assert bench.autopilot.simulator.output["true_position"][2] < -2.0


def alarms_of_a_minute(bench: Bench) -> set[str]:
    """What is said of the outputs, looked at every five seconds."""
    said = set()
    for _ in range(12):
        bench.run(5.0)
        said.add(str(bench.value("SystemAlarms", "Alarm.Actuator")))
    return said


@pytest.mark.slow
def test_it_leaves_no_alarm_of_the_outputs_and_arming_is_free(
    catalogue: Catalogue, preset: Preset
) -> None:
    """flight/modules/Actuator/actuator.c knows too few mixers and commands that do not arrive, and
    nothing of a fall. What it raised is cleared by the next ActuatorDesired."""
    fallen = Bench(AutopilotConfig(preset), catalogue)
    other = Bench(AutopilotConfig(preset, seed=2), catalogue)
    fly(fallen)
    fly(other)
    hold(fallen, 6.0)
    assert fallen.autopilot.simulator.output["crashed"]
    assert alarms_of_a_minute(fallen) == alarms_of_a_minute(other) == {"OK"}
    hold(fallen, 1.0, mode=BY_HAND)
    hold(fallen, 3.0, mode=BY_HAND, arm=True)
    assert fallen.value("FlightStatus", "Armed") == "Armed"
    assert fallen.autopilot.simulator.output["rotor_speed"].max() < 1.0, "a wreck stays one"
