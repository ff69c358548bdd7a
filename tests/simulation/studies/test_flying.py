"""Flights of a study are those of `lapwing sim fly`, with what has been drawn in them."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.autopilot.factory import factory_simulator
from simulation.autopilot.preset import load_preset
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.report import run_scenario
from simulation.scenarios.scenario_file import load_scenario
from simulation.studies.distribution import StudyError
from simulation.studies.flight import CRASHED, ERROR, PASSED, Drawn
from simulation.studies.flying import FlightBlock, ScenarioFlights, fly_block, open_flights
from simulation.studies.study import Study, read_study
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.logs.reader import read_log

KP = "settings.StabilizationSettingsBank1.RollRatePID.Kp"
VARY = f"""
"scenario.wind_mps" = {{ uniform = [0.0, 9.0] }}
"aircraft.mass_kg" = {{ normal = [1.3, 0.05], limits = [1.0, 1.6] }}
"{KP}" = {{ log_uniform = [0.001, 0.01] }}
"sensors.gps.position_white_m" = {{ choices = [0.05, 1.0] }}
"""


def scenario_study(vary: str = VARY, **keys: str) -> Study:
    lines = {"name": '"test"', "scenario": '"takeoff-hold-land"', **keys}
    text = "".join(f"{key} = {value}\n" for key, value in lines.items())
    return read_study(f"{text}[vary]\n{vary}", Path())


def drawn(wind_mps: float = 2.0, mass_kg: float = 1.25, kp: float = 0.0025) -> Drawn:
    values = {
        "scenario.wind_mps": wind_mps,
        "aircraft.mass_kg": mass_kg,
        KP: kp,
        "sensors.gps.position_white_m": 0.05,
    }
    return Drawn(3, values, 11)


@pytest.mark.slow
def test_a_flight_is_that_of_the_scenario_to_the_bit(catalogue: Catalogue, tmp_path: Path) -> None:
    """With the same numbers set by hand: wind by --set, mass in the aircraft's file, Kp in the
    scenario's settings. Flown again over a link, with its log, it is the same."""
    flown = ScenarioFlights(scenario_study()).fly(drawn())
    scenario = load_scenario("takeoff-hold-land", {"wind_mps": 2.0})
    by_hand = Experiment(scenario, 11, "ar100b", catalogue, deviations={"body.mass_kg": 1.25})
    object.__setattr__(
        scenario, "settings", {"StabilizationSettingsBank1": {"RollRatePID.Kp": 0.0025}}
    )
    report = run_scenario(by_hand)
    assert report.passed
    assert flown.outcome == PASSED
    assert flown.metrics == report.outcome.metrics
    log = tmp_path / "again.opl"
    again = ScenarioFlights(scenario_study()).fly_again(drawn(), log)
    assert again.outcome.metrics == flown.metrics
    assert again.outcome.log_hash == report.outcome.log_hash
    other = ScenarioFlights(scenario_study()).fly(drawn(mass_kg=1.26))
    assert other.metrics != flown.metrics


@pytest.mark.slow
def test_what_is_kept_of_flights(catalogue: Catalogue, tmp_path: Path) -> None:
    """Columns of all, logs of those that failed: a gain of the wrong sign tips it over."""
    keep = '{ columns = ["true_position"], rate_hz = 20, logs = "failed" }'
    flights = ScenarioFlights(scenario_study(keep=keep))
    well, badly = flights.fly(drawn()), flights.fly(drawn(kp=-0.0025))
    assert (well.outcome, badly.outcome) == (PASSED, CRASHED)
    assert set(well.files) == {"parquet"}
    assert set(badly.files) == {"parquet", "opl"}
    table = tmp_path / "columns.parquet"
    table.write_bytes(well.files["parquet"])
    columns = pq.read_table(table).to_pydict()
    assert columns["time_s"][:3] == pytest.approx([0.05, 0.1, 0.15])
    assert -4.0 < min(columns["true_position_down_m"]) < -1.8
    log = tmp_path / "flight.opl"
    log.write_bytes(badly.files["opl"])
    assert read_log(log, catalogue).recording.track("FlightStatus") is not None


def test_an_autopilot_does_not_know_how_its_aircraft_deviates(catalogue: Catalogue) -> None:
    """What a data sheet says stays what its filter goes by; the physics has the other number."""
    nominal = load_preset("ar100b")
    deviating = load_aircraft("ar100b", {"sensors.gps_velocity.drift": 0.3, "body.mass_kg": 1.5})
    one = factory_simulator(nominal, catalogue, aircraft=deviating)
    other = factory_simulator(nominal, catalogue)
    assert one.record["parameters"]["mass"] == 1.5
    assert one.settings.tobytes() == other.settings.tobytes()
    known = load_aircraft("ar100b")
    known.parameters["sensor_error"][:] = deviating.parameters["sensor_error"]
    assert factory_simulator(nominal, catalogue, aircraft=known).settings.tobytes() != (
        other.settings.tobytes()
    )


def test_impossible_combinations_are_outcomes(tmp_path: Path) -> None:
    """Each number is possible, an inertia of these three is not."""
    vary = '"aircraft.inertia_kgm2.2" = { uniform = [0.03, 0.5] }'
    impossible = Drawn(0, {"aircraft.inertia_kgm2.2": 0.4}, 1)
    flown = fly_block(FlightBlock(scenario_study(vary).text, ".", (impossible,)))
    assert flown[0].outcome == ERROR
    assert "inertia" in flown[0].reason


@pytest.mark.parametrize(
    ("vary", "words"),
    [
        ('"scenario.winds" = { uniform = [0, 1] }', "nearest are scenario.wind_mps"),
        ('"scenario.wind_mps" = { uniform = [0, 99] }', "'scenario.wind_mps' is 99"),
        ('"aircraft.mass_kg" = { uniform = [-1, 1] }', "'aircraft.mass_kg' is -1"),
        ('"aircraft.drift" = { uniform = [0, 1] }', "nearest are aircraft.sensors"),
        ('"aircraft.inertia_kgm2.3" = { uniform = [0, 1] }', "count from 0"),
        ('"sensors.lidar.rate_hz" = { uniform = [1, 2] }', "There is no 'sensors.lidar.rate_hz'"),
        (f'"{KP}x" = {{ uniform = [0, 1] }}', f"nearest are {KP}"),
        ('"settings.FlightStatus.Armed" = { choices = [1] }', "There is no 'settings.Flight"),
        ('"settings.RevoSettings.FusionAlgorithm" = { choices = ["Magic"] }', "Magic"),
        ('"world.wind" = { uniform = [0, 1] }', "names begin with scenario., aircraft., sensors."),
    ],
)
def test_names_and_values_are_refused_before_the_flight(vary: str, words: str) -> None:
    with pytest.raises(StudyError, match=words):
        open_flights(scenario_study(vary))


@pytest.mark.parametrize(
    ("function", "words"),
    [
        ("no_such_module_here:f", "cannot be imported .*; put it beside the study's file"),
        ("math:no_such_function", "has no function 'no_such_function'"),
    ],
)
def test_a_function_that_is_not_there_is_said(function: str, words: str) -> None:
    with pytest.raises(StudyError, match=words):
        open_flights(read_study(f'name = "a"\nfunction = "{function}"\n', Path()))


def test_a_function_stands_beside_the_file_and_replaces_nothing(tmp_path: Path) -> None:
    (tmp_path / "lift_of_mine.py").write_text("def f(p, seed):\n    return {'y': 2.0 * p['x']}\n")
    (tmp_path / "math.py").write_text("raise RuntimeError('not this one')\n")
    text = 'name = "a"\nfunction = "lift_of_mine:f"\n[vary]\nx = { uniform = [0, 1] }\n'
    flown = fly_block(FlightBlock(text, str(tmp_path), (Drawn(0, {"x": 3.0}, 1),)))
    assert flown[0].metrics == {"y": 6.0}
    assert flown[0].outcome == PASSED
