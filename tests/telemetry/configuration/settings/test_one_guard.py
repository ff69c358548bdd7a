"""The one guard of settings: what no aircraft survives passes at no door, defaults at all."""

import math
from dataclasses import replace

import pytest

from simulation.autopilot.preset import load_preset, preset_names
from telemetry.base.finding import Level
from telemetry.configuration.assistant.aircraft import by_path
from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.slots import default_values, judge, slots_of
from telemetry.configuration.settings.snapshot import Snapshot
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.sample import Value
from tests.destructive_settings import BANK, DESTRUCTIVE, EKF, MIXER, PATH, SHARED, board_for_all
from tests.telemetry.configuration.settings.bench import Bench


@pytest.fixture(scope="module")
def flown(catalogue: Catalogue) -> Bench:
    return Bench(catalogue, board_for_all(catalogue))


@pytest.mark.parametrize(("name", "path", "value"), DESTRUCTIVE)
def test_what_no_aircraft_survives_passes_at_no_door(
    flown: Bench, name: str, path: str, value: Value
) -> None:
    settings = flown.settings
    held = settings.on_board(name, path)
    assert held is not None
    for stage in (by_hand, by_file):
        stage(settings, name, path, value)
        assert settings.judge(name, path, value).text
        settings.apply()
        flown.finish()
        assert settings.on_board(name, path) == held
        settings.draft.clear()
    ticket = flown.vehicle.commands.send(name, {path: value})  # plugins, scripts
    flown.run(lambda: ticket.is_finished)
    assert ticket.text.startswith(f"Not sent: {name}.{path} = ")
    assert ticket.text.endswith("Choose another value, or say is_meant.")


def by_hand(settings: Configuration, name: str, path: str, value: Value) -> None:
    settings.stage(name, path, value)


def by_file(settings: Configuration, name: str, path: str, value: Value) -> None:
    found = settings.snapshot()
    values = found.objects[name, 0]
    wanted = replace(values, values={**values.values, path: value})
    settings.stage_snapshot(Snapshot("set", {(name, 0): wanted}))


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("path", ["HorizontalPosP", "BrakeRate"])
def test_no_number_at_all_is_not_posted(flown: Bench, path: str, value: float) -> None:
    """Forms and files refuse it by themselves; also where no limit is known."""
    ticket = flown.vehicle.commands.send(PATH, {path: value})
    flown.run(lambda: ticket.is_finished)
    assert ticket.text.startswith(f"Not sent: {PATH}.{path} = {value} is no number")


def test_what_is_meant_passes(flown: Bench) -> None:
    """The control: the same doors, with somebody's word."""
    ticket = flown.vehicle.commands.send(BANK, {"RollRatePID.Kp": 0.2}, is_meant=True)
    flown.run(lambda: ticket.is_finished)
    assert ticket.state == "done"
    back = flown.vehicle.commands.send(BANK, {"RollRatePID.Kp": 0.003})
    flown.run(lambda: back.is_finished)
    assert back.state == "done"


def test_sixty_are_tried() -> None:
    assert len(DESTRUCTIVE) >= 60


@pytest.mark.slow
def test_no_default_of_any_release_is_refused(catalogue: Catalogue) -> None:
    refused = [
        (release, definition.name, path, value, found.text)
        for release in catalogue.release_names
        for definition in catalogue.release(release)
        if definition.settings
        for path, value in default_values(definition).items()
        if (found := judge(definition.name, slots_of(definition)[path], value)).level > Level.OK
    ]
    assert refused == []


# The ends of what the 43 set-up templates that LibrePilot *next* ships have, as measured in them.
SHIPPED_BY_OTHERS: tuple[tuple[str, str, Value], ...] = (
    (BANK, "RollRatePID.Kp", 0.0069),
    (BANK, "PitchRatePID.Kp", 0.01364),
    (BANK, "PitchRatePID.Ki", 0.04092),
    (BANK, "PitchRatePID.Kd", 0.000184),
    (BANK, "YawRatePID.Kp", 0.0),
    (BANK, "YawRatePID.Kp", 0.01541),
    (BANK, "YawRatePID.Kd", 0.000131),
    (BANK, "PitchPI.Kp", 5.0),
    (BANK, "RollPI.Ki", 2.579),
    (BANK, "ManualRate.Roll", 780.0),
    (BANK, "MaximumRate.Pitch", 800.0),
    (BANK, "RollMax", 120),
    (BANK, "YawMax", 180),
    (SHARED, "GyroTau", 0.008),
    (SHARED, "CruiseControlMaxPowerFactor", 5.0),
    (SHARED, "CruiseControlMinThrust", 10),
    (EKF, "FakeR.FakeGPSPosIndoor", 1000.0),
    (EKF, "R.GPSPosDown", 1e6),
    (MIXER, "ThrottleCurve1.100", 1.0),
)


@pytest.mark.parametrize(("name", "path", "value"), SHIPPED_BY_OTHERS)
def test_what_others_ship_is_not_refused(flown: Bench, name: str, path: str, value: Value) -> None:
    assert flown.settings.judge(name, path, value).text == ""


@pytest.mark.parametrize("aircraft", preset_names())
def test_our_own_aircraft_are_not_refused(catalogue: Catalogue, aircraft: str) -> None:
    for name, fields in load_preset(aircraft).objects.items():
        definition = catalogue.find(name)
        for path, value in by_path(definition, fields).items():
            assert judge(name, slots_of(definition)[path], value).text == "", (name, path)
