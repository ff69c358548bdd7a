"""How long a board is not ready, and by which alarms, as flight/modules/StateEstimation has it
(filterbaro.c, filterekf.c, filtercf.c, stateestimation.c), and as firmware in lockstep was seen."""

import json
from dataclasses import replace

import pytest

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.preset import Preset, Start
from simulation.autopilot.start_up import StartUp
from simulation.records.interface import FUSION_COMPLEMENTARY, FUSION_INS13
from telemetry.protocol.objects.catalogue import Catalogue
from tests.conftest import SHARED_DATA

WATCHED = ("Attitude", "Stabilization", "Nav")
INS13 = "GPS Navigation (INS13)"


def _raised_s(
    catalogue: Catalogue, preset: Preset, start: Start, fusion: str, seconds: float = 20.0
) -> dict[str, float]:
    """How long each alarm was Critical or worse."""
    objects = {**preset.objects}
    objects["RevoSettings"] = {**objects.get("RevoSettings", {}), "FusionAlgorithm": fusion}
    config = AutopilotConfig(replace(preset, objects=objects), start=start)
    autopilot = Autopilot(config, catalogue)
    alarms = autopilot.board["SystemAlarms"]
    names = alarms.definition.field_named("Alarm").element_names
    severe = {f"{name}:{level}": 0.0 for name in WATCHED for level in ("Critical", "Error")}
    for _ in range(round(seconds * 50)):
        autopilot.run_loop()
        for name in WATCHED:
            key = f"{name}:{alarms.option('Alarm', names.index(name))}"
            if key in severe:
                severe[key] += 0.02
    return {key: value for key, value in severe.items() if value}


@pytest.mark.slow
def test_it_is_ready_when_the_firmware_is(catalogue: Catalogue, preset: Preset) -> None:
    """An AR100B has a position after 4.2 s, and its barometer gives 499 samples in 10 s."""
    flights = json.loads((SHARED_DATA / "firmware-flights" / "index.json").read_text())
    (flight,) = (f for f in flights if f["flight"] == "takeoff-hold-land-1")
    ours = _raised_s(catalogue, preset, "real", INS13)
    for name in WATCHED:
        seen = flight["alarm_seconds"][f"{name}:Critical"]
        assert ours[f"{name}:Critical"] == pytest.approx(seen, abs=0.5), name


@pytest.mark.slow
def test_quick_is_quick(catalogue: Catalogue, preset: Preset) -> None:
    """Negative control: Attitude and Nav wait for the first position alone."""
    ours = _raised_s(catalogue, preset, "quick", INS13)
    assert ours["Attitude:Critical"] < 6.0
    assert "Stabilization:Critical" not in ours


@pytest.mark.slow
@pytest.mark.parametrize("fusion", ["Basic (Complementary)", "Complementary+Mag"])
def test_without_gps_the_barometer_counts_from_the_start(
    catalogue: Catalogue, preset: Preset, fusion: str
) -> None:
    """500 samples. The complementary filter is in Error for 4 s, which is worse than Critical in
    filterResult of stateestimation.h; then it has an attitude, so the outer loop runs."""
    ours = _raised_s(catalogue, preset, "real", fusion)
    assert ours["Attitude:Error"] == pytest.approx(4.0, abs=0.3)
    assert ours["Attitude:Critical"] == pytest.approx(6.2, abs=0.4)
    assert ours["Stabilization:Critical"] == pytest.approx(4.0, abs=0.3)
    assert "Nav:Critical" not in ours


@pytest.mark.slow
def test_a_home_that_gps_has_to_find_first_comes_before_the_barometer(
    catalogue: Catalogue, preset: Preset
) -> None:
    """filterlla.c makes no position without one; GPS.c sets it after five seconds of good ones."""
    objects = {**preset.objects, "HomeLocation": {"Set": "False"}}
    ours = _raised_s(catalogue, replace(preset, objects=objects), "real", INS13, 25.0)
    assert ours["Attitude:Critical"] == pytest.approx(4.2 + 5.0 + 10.2, abs=0.5)


class _Told(dict[str, float]):
    """What sensors have told, as OUTPUT says it."""

    def __init__(self, fusion: int) -> None:
        fix = {"gps_status": 3.0, "gps_satellites": 9.0, "gps_pdop": 1.5}
        super().__init__(fusion=fusion, baro_count=0.0, **fix)


def _start(board: SimulatedBoard, told: _Told, home: str = "True") -> StartUp:
    board["HomeLocation"].set(Set=board["HomeLocation"].number("Set", home))
    return StartUp(board, told, "real")


def test_ins13_counts_499_samples_from_the_first_position(board: SimulatedBoard) -> None:
    told = _Told(FUSION_INS13)
    told["gps_status"] = 2.0
    start_up = _start(board, told)
    waiting = {"Attitude": "Critical", "Stabilization": "Critical", "Nav": "Critical"}
    told["baro_count"] = 700.0
    assert start_up.alarms(14_000_000) == waiting
    told["gps_status"] = 3.0
    assert start_up.alarms(14_100_000) == waiting
    told["baro_count"] = 700.0 + 498.0
    assert start_up.alarms(24_000_000) == waiting
    told["baro_count"] = 700.0 + 499.0
    assert start_up.alarms(24_100_000) == {"Attitude": "Critical"}, "known, and taken back later"
    assert start_up.alarms(24_290_000) == {"Attitude": "Critical"}
    assert start_up.alarms(24_300_000) == {}
    told["gps_status"] = 1.0
    assert start_up.alarms(25_000_000) == {}, "it is over"


@pytest.mark.parametrize(
    "lack", [{"gps_status": 2.0}, {"gps_satellites": 0.0}, {"gps_pdop": 99.0}, {}]
)
def test_no_position_begins_nothing(board: SimulatedBoard, lack: dict[str, float]) -> None:
    """Without a home, a fix in three dimensions, satellites or a dilution filterlla.c waits."""
    told = _Told(FUSION_INS13)
    told.update(lack)
    start_up = _start(board, told, "True" if lack else "False")
    for count in (0.0, 600.0, 1200.0):
        told["baro_count"] = count
        assert start_up.alarms(60_000_000)["Nav"] == "Critical"


def test_a_complementary_filter_waits_four_seconds_for_hands(board: SimulatedBoard) -> None:
    told = _Told(FUSION_COMPLEMENTARY)
    start_up = _start(board, told)
    error = {"Attitude": "Error", "Stabilization": "Critical"}
    assert start_up.alarms(3_900_000) == error
    assert start_up.alarms(4_000_000) == {"Attitude": "Critical"}
    told["baro_count"] = 499.0
    assert start_up.alarms(9_000_000) == {"Attitude": "Critical"}, "without GPS it takes 500"
    told["baro_count"] = 500.0
    assert start_up.alarms(9_100_000) == {"Attitude": "Critical"}
    assert start_up.alarms(9_300_000) == {}


def test_it_waits_for_as_long_as_it_is_asked_to(board: SimulatedBoard) -> None:
    start_up = StartUp(board, _Told(FUSION_INS13), "quick")
    assert start_up.alarms(4_900_000, 5.0) == {"Attitude": "Critical", "Stabilization": "Critical"}
    assert start_up.alarms(5_000_000, 5.0) == {}
