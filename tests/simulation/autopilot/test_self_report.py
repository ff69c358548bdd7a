"""What a board tells of itself after its start: tasks, watchdog, identity, its home."""

from typing import Any

import pytest

from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.board import BoardObject, SimulatedBoard
from simulation.autopilot.firmware import BOARD_REVISION, BOARD_TYPE
from simulation.autopilot.preset import Preset, load_preset, preset_names
from simulation.autopilot.storage import Storage
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.field_limits import limits_of
from telemetry.protocol.objects.values import read_value
from tests.simulation.bench import Bench


@pytest.fixture
def bench(catalogue: Catalogue, preset: Preset) -> Bench:
    bench = Bench(AutopilotConfig(preset), catalogue)
    bench.run(22.0)
    return bench


def running(bench: Bench, name: str) -> set[str]:
    field = bench.definition(name).field_named("Running")
    return {
        element
        for element in field.element_names
        if bench.value(name, f"Running.{element}") == "True"
    }


@pytest.mark.slow
def test_the_tasks_are_those_of_its_modules(bench: Bench) -> None:
    assert {"System", "Receiver", "Actuator", "Sensors", "GPS"} <= running(bench, "TaskInfo")
    assert not {"RadioTx", "OSDGen", "AutoTune"} & running(bench, "TaskInfo")
    assert {"StateEstimation", "ManualControl"} <= running(bench, "CallbackInfo")
    shares = bench.value("TaskInfo", "RunningTime")
    assert 0.5 * bench.value("SystemStats", "CPULoad") < sum(shares)
    assert sum(shares) <= bench.value("SystemStats", "CPULoad")
    assert bench.value("TaskInfo", "StackRemaining.System") > 0


def test_without_gps_module_there_is_no_gps_task(catalogue: Catalogue, preset: Preset) -> None:
    bench = Bench(AutopilotConfig(preset, storage=Storage.erased()), catalogue)
    bench.run(22.0)
    assert "GPS" not in running(bench, "TaskInfo")


def test_a_board_without_home_takes_the_place_of_its_first_good_fix(
    catalogue: Catalogue, preset: Preset
) -> None:
    bench = Bench(AutopilotConfig(preset, storage=Storage.erased()), catalogue)
    bench.run(2.0)
    assert bench.value("HomeLocation", "Set") == "False"
    bench.run(15.0)
    assert bench.value("HomeLocation", "Set") == "True"
    assert bench.value("HomeLocation", "Latitude") == pytest.approx(489460000, abs=500)
    known = load_preset("ar100b").objects["HomeLocation"]["Be"]
    assert bench.value("HomeLocation", "Be") == pytest.approx(known, abs=5.0)


def test_every_aircraft_has_a_serial_number_of_its_own_that_stays(catalogue: Catalogue) -> None:
    def serial(name: str, label: str = "") -> bytes:
        board = Bench(AutopilotConfig(load_preset(name), label=label), catalogue).autopilot.board
        return bytes(board["FirmwareIAPObj"].row["CPUSerial"])

    serials = {serial(name) for name in preset_names()}
    assert len(serials) == len(preset_names())
    assert serial("ar100b") in serials
    twins = {serial("ar100b", "twin"), serial("ar100b", "2")}
    assert len(twins - serials) == 2, "what is kept of one board is no other's"


@pytest.mark.slow
def test_the_home_that_was_saved_stays(bench: Bench) -> None:
    assert bench.count("HomeLocation") == 1  # as fetched
    assert bench.value("HomeLocation", "Latitude") == 489460000


def complaints(entry: BoardObject, number: int) -> list[str]:
    found = []
    for field in entry.definition.fields:
        if not field.options:
            continue  # gains may be unusual, options must be there
        for i in range(field.elements):
            value: Any = read_value(entry.definition, entry.row, field.name, i)
            complaint = limits_of(field, i, number).complaint(value)
            found += [f"{entry.definition.name}.{field.name}: {complaint}"] if complaint else []
    return found


@pytest.mark.parametrize("name", preset_names())
def test_its_options_are_those_of_its_board(catalogue: Catalogue, name: str) -> None:
    board = SimulatedBoard(catalogue, load_preset(name))
    number = (BOARD_TYPE << 8) | BOARD_REVISION
    settings = [entry for entry in board.objects() if entry.definition.settings]
    assert [line for entry in settings for line in complaints(entry, number)] == []
