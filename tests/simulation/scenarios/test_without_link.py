"""Flights without a link are those over UAVTalk to the bit: truth, metrics and verdict."""

import os
from dataclasses import replace

import pytest

from simulation.autopilot.hearing import Hearing
from simulation.scenarios import flight
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.report import ScenarioReport, run_scenario
from simulation.scenarios.scenario import Scenario, ScenarioStep, Until, Upload
from simulation.scenarios.scenario_file import load_scenario, scenario_names
from simulation.scenarios.track import OutputTrack
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.sample import Sample

_SHORT = ("lost-sticks", "takeoff-hold-land")
_OTHERS = ("battery-low",)
"""With a board in the loop of the simulator alone."""
_LOOP_STEPS = 20


def on_board() -> tuple[str, ...]:
    """What a pilot flies on the embedded board; two without LAPWING_ALL_WAYS=1."""
    if "LAPWING_ALL_WAYS" not in os.environ:
        return _SHORT
    return tuple(
        name
        for name in scenario_names()
        if name in _OTHERS or not load_scenario(name).without_board
    )


def experiment(name: str, catalogue: Catalogue, *, without_link: bool, seed: int = 3) -> Experiment:
    scenario = load_scenario(name)
    track = OutputTrack()
    return Experiment(
        scenario,
        seed,
        scenario.aircraft,
        catalogue,
        record_steps=_LOOP_STEPS,
        track=track,
        without_link=without_link,
    )


def outcome(report: ScenarioReport) -> tuple[object, ...]:
    """All rows of the truth, the whole state at the end, metrics and verdict."""
    flown, track = report.experiment, report.experiment.track
    assert track is not None
    snapshots = tuple(simulator.snapshot() for simulator in flown.made)
    told = repr(report.outcome.metrics), report.failures, report.outcome.note
    return track.digest(), snapshots, told


def flown(name: str, catalogue: Catalogue, *, without_link: bool, seed: int = 3) -> ScenarioReport:
    return run_scenario(experiment(name, catalogue, without_link=without_link, seed=seed))


@pytest.mark.slow
@pytest.mark.parametrize("name", on_board())
def test_a_flight_without_a_link_is_the_same_to_the_bit(name: str, catalogue: Catalogue) -> None:
    over_link = flown(name, catalogue, without_link=False)
    direct = flown(name, catalogue, without_link=True)
    assert direct.passed
    assert outcome(direct) == outcome(over_link)


@pytest.mark.slow
def test_the_comparison_sees_a_pilot_who_hears_late(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Negative control: each object is read as it was one reading ago."""
    name = _SHORT[0]
    sound = outcome(flown(name, catalogue, without_link=True))
    read, before = Hearing.read, dict[str, Sample | None]()

    def read_late(self: Hearing, name: str) -> Sample | None:
        sample = before.get(name)
        before[name] = read(self, name)
        return sample

    monkeypatch.setattr(Hearing, "read", read_late)
    late = outcome(flown(name, catalogue, without_link=True))
    assert late[:2] != sound[:2]


def sent(catalogue: Catalogue, *, climbs_s: float = 1.0) -> str:
    """The digest of all that is sent in a hop."""
    climb = ScenarioStep("fly", mode="Stabilized1", throttle=0.7, seconds=climbs_s)
    script = Scenario("hop", "Hop", steps=(ScenarioStep("arm"), climb, ScenarioStep("disarm")))
    report = run_scenario(Experiment(script, 1, "ar100b", catalogue))
    assert not report.outcome.script
    return report.outcome.log_hash


def test_what_is_sent_does_not_depend_on_who_carries_the_pilots_words(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    direct, longer = sent(catalogue), sent(catalogue, climbs_s=1.1)
    monkeypatch.setattr(flight, "object_of_link", lambda _scenario, _catalogue: "any")
    assert sent(catalogue) == direct != longer


def test_only_a_flight_over_a_link_has_a_digest_of_what_was_sent(catalogue: Catalogue) -> None:
    script = Scenario("wait", "Wait", steps=(ScenarioStep("wait", seconds=0.1),))
    linked = run_scenario(Experiment(script, 1, "ar100b", catalogue))
    direct = run_scenario(Experiment(script, 1, "ar100b", catalogue, without_link=True))
    assert len(linked.outcome.log_hash) == 64
    assert not direct.outcome.log_hash


def test_it_says_which_way_it_flies_and_why(catalogue: Catalogue) -> None:
    wished = experiment("takeoff-hold-land", catalogue, without_link=True)
    assert wished.way_flown == "board without a link: nobody listens to its bytes"
    recorded = replace(wished, record=lambda _now_s, _data: None)
    assert recorded.way_flown == "board over UAVTalk: logs are kept"
    linked = replace(wished, without_link=False)
    assert linked.way_flown == "board over UAVTalk: what it sends is part of the outcome"
    alone = experiment("sonar-cone", catalogue, without_link=True)
    assert alone.way_flown == "kernel alone: the scenario tries a sensor alone"


@pytest.mark.parametrize(
    ("step", "name"),
    [
        (
            ScenarioStep("fly", until=Until("FlightTelemetryStats", "Status", "Connected")),
            "FlightTelemetryStats",
        ),
        (ScenarioStep("upload", objects=(Upload("GCSTelemetryStats"),)), "GCSTelemetryStats"),
        (ScenarioStep("fly", until=Until("AccelGyroSettings", "accel_bias.X", 1.0)), "AccelGyro"),
    ],
    ids=["waits for statistics", "writes statistics", "waits for what is sent again"],
)
def test_what_depends_on_the_link_is_flown_over_it(
    step: ScenarioStep, name: str, catalogue: Catalogue
) -> None:
    scenario = Scenario("asks", "Asks", steps=(step,))
    asks = Experiment(scenario, 1, "ar100b", catalogue, without_link=True)
    assert asks.way_flown.startswith(f"board over UAVTalk: a step names {name}")
    assert asks.way_flown.endswith(", which depends on the link")
