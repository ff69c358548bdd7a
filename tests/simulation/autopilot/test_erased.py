"""A board without settings, as bought, and the way from there to spinning motors."""

import pytest

from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import Preset, load_preset, preset_names
from simulation.autopilot.storage import Storage
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.protocol.session.config import SessionState
from telemetry.protocol.session.transactions import TransactionOutcome
from telemetry.vehicle.sticks import Sticks
from tests.simulation.bench import Bench


def erased() -> Storage:
    storage = Storage()
    storage.erase()
    return storage


@pytest.fixture
def bench(catalogue: Catalogue, preset: Preset) -> Bench:
    bench = Bench(AutopilotConfig(preset, storage=erased()), catalogue)
    bench.run(3.0)
    return bench


def alarm(bench: Bench, name: str) -> str:
    return str(bench.value("SystemAlarms", f"Alarm.{name}"))


def reboot(bench: Bench) -> None:
    for command in (1122, 2233, 3344):
        bench.write("FirmwareIAPObj", {"Command": command})
        bench.run(0.7)
    bench.run(15.0)


@pytest.mark.parametrize("name", preset_names())
def test_every_setting_is_at_its_definitions_default(catalogue: Catalogue, name: str) -> None:
    config = AutopilotConfig(load_preset(name), storage=erased())
    board = Bench(config, catalogue).autopilot.board
    for entry in board.objects():
        if entry.definition.settings:
            assert board.read(entry.definition.object_id, 0) == pack_values(entry.definition, {})


def test_it_neither_arms_nor_spins_and_says_why(bench: Bench) -> None:
    bench.sticks = Sticks(arm=True)
    bench.run(5.0)
    assert bench.value("FlightStatus", "Armed") == "Disarmed"
    assert alarm(bench, "Receiver") == "Critical"
    assert alarm(bench, "Actuator") == "Critical"
    assert bench.value("SystemSettings", "AirframeType") == "QuadX"
    assert bench.value("FlightModeSettings", "Arming") == "Always Disarmed"
    assert not bench.autopilot.simulator.output["rotor_speed"].any()


@pytest.mark.slow
def test_erasing_takes_effect_with_the_next_start(catalogue: Catalogue, preset: Preset) -> None:
    bench = Bench(AutopilotConfig(preset), catalogue)
    bench.run(3.0)
    job = bench.station.persist("FullErase", None)
    bench.run(1.0)
    assert job.outcome is TransactionOutcome.DONE
    assert bench.autopilot.board["MixerSettings"].option("Mixer1Type") == "Motor"
    reboot(bench)
    assert bench.reboots == 1
    assert bench.station.status.state is SessionState.CONNECTED
    assert bench.value("MixerSettings", "Mixer1Type") == "Disabled"
    assert bench.value("SystemStats", "FlightTime") < 20_000


@pytest.mark.slow
def test_what_is_set_up_and_saved_survives_and_flies(bench: Bench) -> None:
    known = load_preset("ar100b").objects
    for name in ("MixerSettings", "ActuatorSettings", "ManualControlSettings"):
        bench.write(name, known[name])
        bench.station.persist("Save", bench.definition(name))
        bench.run(1.0)
    modes = {"Arming": "Accessory 0", "FlightModePosition": ["Stabilized1"] * 6}
    bench.write("FlightModeSettings", modes)
    bench.station.persist("Save", bench.definition("FlightModeSettings"))
    bench.run(1.0)
    reboot(bench)
    assert alarm(bench, "Actuator") == "OK"
    bench.sticks = Sticks(throttle=-1.0)
    bench.run(2.0)
    assert alarm(bench, "Receiver") == "OK"
    assert alarm(bench, "SystemConfiguration") == "OK"
    bench.sticks = Sticks(throttle=-1.0, arm=True)
    bench.run(3.0)
    assert bench.value("FlightStatus", "Armed") == "Armed"
    assert bench.autopilot.simulator.output["rotor_speed"][:4].min() > 20.0


@pytest.mark.slow
def test_armed_it_refuses_to_save_and_to_erase(catalogue: Catalogue, preset: Preset) -> None:
    bench = Bench(AutopilotConfig(preset), catalogue)
    bench.sticks = Sticks(throttle=-1.0)
    bench.run(8.0)
    bench.sticks = Sticks(throttle=-1.0, arm=True)
    bench.run(3.0)
    assert bench.value("FlightStatus", "Armed") == "Armed"
    for job in ("Save", "FullErase"):
        done = bench.station.persist(job, bench.definition("SystemSettings"))
        bench.run(1.0)
        assert done.outcome is TransactionOutcome.FAILED
    reboot(bench)
    assert bench.reboots == 0
