"""A controller under the whole autopilot, with a ground station at the other end."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import Preset
from simulation.sil.config import SilConfig
from simulation.sil.loop import SoftwareInTheLoop
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.vehicle.sticks import Sticks
from tests.simulation.bench import Bench
from tests.simulation.sil.flying import HOVER_PY
from tests.waiting import PATIENCE_S

_MUTE = """
from simulation.sil.controller import Actuators
class Mute:
    def start(self, settings): self.idle = settings["channel_min"].tolist()
    def step(self, sensors, command): return Actuators(self.idle)
class Stick:
    def start(self, settings): self.idle = settings["channel_min"].tolist()
    def step(self, sensors, command):
        pulse = 1500.0 + 100.0 * float(command["stick_roll"]) * int(command["sticks_valid"])
        return Actuators([pulse] * 4 + self.idle[4:])
"""


@pytest.fixture
def loops() -> Iterator[list[SoftwareInTheLoop]]:
    made: list[SoftwareInTheLoop] = []
    yield made
    for loop in made:
        loop.close()


def _bench(
    target: str, preset: Preset, catalogue: Catalogue, loops: list[SoftwareInTheLoop]
) -> Bench:
    loops.append(SoftwareInTheLoop(SilConfig(target, timeout_s=PATIENCE_S)))
    return Bench(AutopilotConfig(preset, inner_loop=loops[-1]), catalogue)


@pytest.mark.slow
def test_telemetry_shows_the_controllers_estimate_and_its_pulses(
    preset: Preset, catalogue: Catalogue, loops: list[SoftwareInTheLoop]
) -> None:
    bench = _bench(HOVER_PY, preset, catalogue, loops)
    bench.run(4.0)
    assert bench.value("SystemAlarms", "Alarm.Attitude") == "OK"
    assert abs(float(bench.value("AttitudeState", "Yaw"))) < 10.0
    assert bench.value("ActuatorCommand", "Channel")[0] == 1000
    bench.sticks = Sticks(throttle=0.0)
    bench.run(1.0)
    bench.sticks = Sticks(throttle=0.0, arm=True)
    bench.run(3.0)
    assert bench.value("FlightStatus", "Armed") == "Armed"
    assert bench.value("ActuatorCommand", "Channel")[0] == 1080  # idling


@pytest.mark.slow
def test_without_an_estimate_there_is_an_alarm_and_no_arming(
    preset: Preset, catalogue: Catalogue, loops: list[SoftwareInTheLoop], tmp_path: Path
) -> None:
    (tmp_path / "mute.py").write_text(_MUTE)
    bench = _bench(f"{tmp_path / 'mute.py'}:Mute", preset, catalogue, loops)
    bench.sticks = Sticks(throttle=0.0, arm=True)
    bench.run(4.0)
    assert bench.value("SystemAlarms", "Alarm.Attitude") == "Critical"
    assert bench.value("FlightStatus", "Armed") == "Disarmed"
    assert bench.value("AttitudeState", "q1") == 1.0
    assert bench.value("AttitudeState", "Roll") == 0.0


@pytest.mark.slow
def test_the_pilots_sticks_arrive(
    preset: Preset, catalogue: Catalogue, loops: list[SoftwareInTheLoop], tmp_path: Path
) -> None:
    (tmp_path / "stick.py").write_text(_MUTE)
    bench = _bench(f"{tmp_path / 'stick.py'}:Stick", preset, catalogue, loops)
    bench.sticks = Sticks(roll=1.0, throttle=0.0)
    bench.run(1.0)
    assert bench.autopilot.simulator.output["actuator_command"][0] == pytest.approx(1600.0)


@pytest.mark.slow
def test_a_reboot_starts_the_controller_anew(
    preset: Preset, catalogue: Catalogue, loops: list[SoftwareInTheLoop]
) -> None:
    bench = _bench(HOVER_PY, preset, catalogue, loops)
    bench.run(2.0)
    for command in (1122, 2233, 3344):
        bench.write("FirmwareIAPObj", {"Command": command})
        bench.run(0.7)
    assert bench.reboots == 1
    bench.run(2.0)
    assert loops[0].failure == ""
    assert bench.autopilot.simulator.output["attitude_valid"] == 1
