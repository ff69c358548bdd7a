"""The simulated aircraft as a station meets it: handshake, fetch, writes, persistence, reboot."""

import pytest

from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import Preset
from simulation.simulator.controls import apply
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import UpdateMode, UpdatePolicy
from telemetry.protocol.objects.metadata import Metadata, metaobject
from telemetry.protocol.session.config import SessionState
from telemetry.protocol.session.transactions import TransactionOutcome
from tests.simulation.bench import Bench


@pytest.fixture
def bench(catalogue: Catalogue, preset: Preset) -> Bench:
    bench = Bench(AutopilotConfig(preset), catalogue)
    bench.run(2.0)
    return bench


def test_a_station_connects_and_fetches_everything(bench: Bench) -> None:
    status = bench.station.status
    assert status.state is SessionState.CONNECTED
    assert status.release == "LibrePilot-next-2019-02"
    assert status.fetched == status.total > 150
    assert (status.unknown_objects, status.counters.crc_errors, status.counters.misfits) == (
        0,
        0,
        0,
    )
    assert bench.value("SystemSettings", "AirframeType") == "QuadX"
    description = bytes(bench.value("FirmwareIAPObj", "Description"))
    assert description[:4] == b"OpFw"
    assert description[14:40].rstrip(b"\0") == b"Lapwing simulator"
    assert bench.value("FirmwareIAPObj", "BoardType") == 9


def test_objects_stream_at_the_rates_of_their_metadata(bench: Bench) -> None:
    bench.received.clear()
    bench.run(10.0)
    assert bench.count("AttitudeState") == 500
    assert bench.count("PositionState") == 100
    assert bench.count("GyroState") == 10
    assert bench.count("SystemAlarms") == 10
    assert bench.count("GPSPositionSensor") == pytest.approx(10, abs=1)
    assert bench.count("HwSettings") == 0


def test_changed_metadata_takes_effect_at_once(bench: Bench) -> None:
    definition = bench.definition("GyroState")
    for policy, expected in (
        (UpdatePolicy(UpdateMode.PERIODIC, 100), 50),
        (UpdatePolicy(UpdateMode.MANUAL), 0),
    ):
        bench.station.write(metaobject(definition), 0, Metadata(flight=policy).pack(8))
        bench.run(0.1)
        bench.received.clear()
        bench.run(5.0)
        assert bench.count("GyroState") == pytest.approx(expected, abs=1)


def test_a_write_is_acknowledged_and_not_echoed(bench: Bench) -> None:
    bench.received.clear()
    assert bench.write("SystemSettings", {"AirSpeedMax": 44.0}).outcome is TransactionOutcome.DONE
    assert bench.autopilot.board["SystemSettings"].row["AirSpeedMax"] == 44.0
    assert bench.count("SystemSettings") == 0


def test_save_and_load_report_their_outcome(bench: Bench) -> None:
    bench.write("SystemSettings", {"AirSpeedMax": 44.0})
    settings = bench.definition("SystemSettings")
    saved = bench.station.persist("Save", settings)
    bench.run(1.0)
    assert saved.outcome is TransactionOutcome.DONE
    bench.write("SystemSettings", {"AirSpeedMax": 12.0})
    loaded = bench.station.persist("Load", settings)
    bench.run(1.0)
    assert loaded.outcome is TransactionOutcome.DONE
    assert bench.value("SystemSettings", "AirSpeedMax") == 44.0
    failed = bench.station.persist("Load", bench.definition("CameraStabSettings"))
    bench.run(1.0)
    assert failed.outcome is TransactionOutcome.FAILED


@pytest.mark.slow
def test_the_reboot_sequence_restarts_the_board_with_what_was_saved(bench: Bench) -> None:
    bench.write("SystemSettings", {"AirSpeedMax": 44.0})
    bench.station.persist("Save", bench.definition("SystemSettings"))
    bench.run(3.0)
    for command in (1122, 2233, 3344):
        bench.write("FirmwareIAPObj", {"Command": command})
        bench.run(0.7)
    assert bench.reboots == 1
    bench.run(15.0)
    assert bench.station.status.state is SessionState.CONNECTED
    assert bench.autopilot.board["SystemSettings"].row["AirSpeedMax"] == 44.0
    assert bench.autopilot.now_s < 20.0


def test_a_hasty_reboot_sequence_does_nothing(bench: Bench) -> None:
    for command in (1122, 2233, 3344):
        bench.write("FirmwareIAPObj", {"Command": command})
    bench.run(1.0)
    assert bench.reboots == 0


def test_the_alarms_are_honest_on_the_ground(bench: Bench) -> None:
    bench.run(8.0)
    assert bench.value("SystemAlarms", "Alarm.Attitude") == "OK"
    assert bench.value("SystemAlarms", "Alarm.GPS") == "OK"
    assert bench.value("SystemAlarms", "Alarm.Battery") == "OK"
    assert bench.value("SystemAlarms", "Alarm.Receiver") == "Warning"
    apply(bench.autopilot.simulator, "gps_lost", 1.0)
    bench.run(3.0)
    assert bench.value("SystemAlarms", "Alarm.GPS") in ("Critical", "Error")


def test_states_agree_with_the_simulators_truth(bench: Bench) -> None:
    bench.run(8.0)
    assert bench.value("GPSPositionSensor", "Status") == "Fix3D"
    assert bench.value("GPSPositionSensor", "Latitude") == pytest.approx(489460000, abs=500)
    assert bench.value("HomeLocation", "Latitude") == 489460000
    assert abs(bench.value("AttitudeState", "Roll")) < 2.0
    assert bench.value("AccelState", "z") == pytest.approx(-9.81, abs=0.3)
    assert bench.value("FlightBatteryState", "Voltage") == pytest.approx(12.6, abs=0.3)
    assert bench.value("FlightBatteryState", "NbCells") == 3
    assert bench.value("SystemStats", "FlightTime") > 5000
