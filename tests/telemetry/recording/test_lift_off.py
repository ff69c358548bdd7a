"""Settings with which a multirotor tips over when it takes off by itself."""

from typing import Any

import pytest

from simulation.autopilot.preset import load_preset
from telemetry.base.finding import Level
from telemetry.configuration.settings.slots import values_of_sample
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.protocol.objects.values import pack_values, row_of
from telemetry.recording.lift_off import asked_per_metre_deg, check_lift_off
from telemetry.recording.sample import Sample


def read_of(catalogue: Catalogue, **changed: Any) -> Any:
    """Fields of the AR100B with some of its objects at other values; None: by default."""
    objects = {**load_preset("ar100b").objects, **changed}

    def read(name: str, path: str) -> Any:
        definition = catalogue.find(name)
        row = row_of(definition, pack_values(definition, objects.get(name) or {}))
        return values_of_sample(Sample(0.0, definition, 0, row)).get(path)

    return read


def gains(catalogue: Catalogue, place: float = 0.6, kp: float = 10.0, ki: float = 4.0) -> Any:
    pid = {"HorizontalPosP": place, "HorizontalVelPID": [kp, ki, 0.0, 0.95]}
    return {"VtolPathFollowerSettings": pid}


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.mark.parametrize(
    ("changed", "tips"),
    [
        ({}, False),
        ({"EKFConfiguration": None}, True),
        ({"VtolPathFollowerSettings": None}, False),
        ({"VtolPathFollowerSettings": None, "EKFConfiguration": None}, False),
        (gains(load_catalogue(), ki=12.0), True),
        (gains(load_catalogue(), kp=30.0), True),
        (gains(load_catalogue(), place=1.8), True),
    ],
)
def test_it_is_told_of_settings_with_which_it_tipped(
    catalogue: Catalogue, changed: dict[str, Any], tips: bool
) -> None:
    """As many flights of firmware's laws as the table of the module has."""
    found = check_lift_off(read_of(catalogue, **changed))
    assert (found is not None) is tips
    if found is not None:
        assert found.level is Level.WARNING


def test_the_loose_filter_is_named_where_it_is_to_blame(catalogue: Catalogue) -> None:
    by_filter = check_lift_off(read_of(catalogue, EKFConfiguration=None))
    by_gains = check_lift_off(read_of(catalogue, **gains(catalogue, place=1.8)))
    assert by_filter is not None
    assert "filter has the estimate wander" in by_filter.text
    assert by_gains is not None
    assert "filter" not in by_gains.text


def test_it_is_the_tilt_of_three_seconds_on_the_ground(catalogue: Catalogue) -> None:
    """PosP (Kp beta + 3 s Ki), by hand: 0.6 (10 * 0.95 + 3 * 4)."""
    assert asked_per_metre_deg(read_of(catalogue)) == pytest.approx(12.9)


@pytest.mark.parametrize(("most", "comes_up"), [(0.92, False), (1.0, True)])
def test_it_is_told_of_thrust_that_does_not_lift_it(
    catalogue: Catalogue, most: float, comes_up: bool
) -> None:
    """0.8 of 0.92 is less than 0.76, with which the MCX2 hovers: it stood for half a minute."""
    limits = {"VtolPathFollowerSettings": {"ThrustLimits": [0.2, 0.76, most]}}
    found = check_lift_off(read_of(catalogue, **limits))
    assert (found is None) is comes_up
    if found is not None:
        assert "74%" in found.text


def test_nothing_is_said_of_what_is_not_known() -> None:
    assert check_lift_off(lambda name, path: None) is None
