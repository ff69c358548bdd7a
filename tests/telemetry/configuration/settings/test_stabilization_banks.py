"""What is done with whole banks of stabilization settings."""

import pytest

from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.stabilization_banks import (
    BANKS,
    SHARED,
    bank_title,
    banks_of,
    compare_banks,
    copy_bank,
    is_even,
    position_count,
    positions_of,
    restore_bank,
    swap_banks,
    twin_of,
)
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from tests.telemetry.configuration.settings.bench import Bench
from tests.telemetry.protocol.session.fakes import MemoryBoard, small_board

ONE, TWO, THREE = BANKS
GAIN = "RollRatePID.Kp"


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return load_catalogue()


def board_with_banks(catalogue: Catalogue) -> MemoryBoard:
    names = [d.name for d in small_board(catalogue).definitions.values()]
    names += [TWO, THREE, SHARED, "FlightModeSettings", "AltitudeHoldSettings"]
    return MemoryBoard(catalogue.find(name) for name in names)


@pytest.fixture
def bench(catalogue: Catalogue) -> Bench:
    return Bench(catalogue, board_with_banks(catalogue))


@pytest.fixture
def settings(bench: Bench) -> Configuration:
    return bench.settings


@pytest.mark.slow
def test_the_banks_of_an_aircraft(settings: Configuration) -> None:
    assert banks_of(settings) == BANKS
    assert [bank_title(bank) for bank in BANKS] == ["Bank 1", "Bank 2", "Bank 3"]


def test_a_firmware_without_banks_has_one_set(catalogue: Catalogue) -> None:
    names = [d.name for d in small_board(catalogue).definitions.values() if d.name != ONE]
    release = catalogue.release("dRonin-20180729")
    board = MemoryBoard(
        [catalogue.find(name) for name in names]
        + [d for d in release if d.name == "StabilizationSettings"]
    )
    bench = Bench(catalogue, board)
    bench.put(SHARED, "MaximumRate.Roll", 300)
    assert banks_of(bench.settings) == (SHARED,)
    assert bank_title(SHARED) == "Gains"


def test_copying_takes_what_is_staged_too(bench: Bench, settings: Configuration) -> None:
    settings.stage(ONE, GAIN, 0.004)
    settings.stage(ONE, "StickExpo.Yaw", 25)
    copy_bank(settings, ONE, TWO)
    assert settings.value(TWO, GAIN) == pytest.approx(0.004)
    assert settings.value(TWO, "StickExpo.Yaw") == 25
    assert compare_banks(settings, ONE, TWO) == ()
    settings.apply("Copy")
    bench.finish()
    assert bench.on_board(TWO, GAIN) == pytest.approx(0.004)
    assert bench.on_board(THREE, GAIN) != pytest.approx(0.004)


def test_swapping_twice_changes_nothing(settings: Configuration) -> None:
    settings.stage(ONE, GAIN, 0.004)
    settings.stage(TWO, "RollMax", 30)
    swap_banks(settings, ONE, TWO)
    assert settings.value(TWO, GAIN) == pytest.approx(0.004)
    assert settings.value(ONE, "RollMax") == 30
    assert settings.value(TWO, "RollMax") == 55
    swap_banks(settings, ONE, TWO)
    assert settings.value(ONE, GAIN) == pytest.approx(0.004)
    assert settings.value(TWO, "RollMax") == 30


def test_comparing_names_what_differs(settings: Configuration) -> None:
    settings.stage(TWO, GAIN, 0.005)
    (found,) = compare_banks(settings, ONE, TWO)
    assert (found.path, found.b) == (GAIN, pytest.approx(0.005))


def test_restoring_goes_back_to_what_was_there_at_connection(
    bench: Bench, settings: Configuration
) -> None:
    before = bench.on_board(ONE, GAIN)
    settings.stage(ONE, GAIN, 0.004)
    settings.apply("Gain")
    bench.finish()
    settings.stage(ONE, "RollMax", 20)
    assert restore_bank(settings, ONE)
    assert settings.value(ONE, GAIN) == before
    assert not settings.is_staged(ONE, "RollMax")
    settings.baseline = None
    assert not restore_bank(settings, ONE)


def test_positions_of_the_switch(settings: Configuration) -> None:
    assert positions_of(settings, ONE) == (1, 2, 3, 4, 5, 6)
    settings.stage(SHARED, "FlightModeMap.1", "Bank2")
    assert positions_of(settings, TWO) == (2,)
    assert 2 not in positions_of(settings, ONE)
    assert position_count(settings) is None  # this board has no ManualControlSettings


@pytest.mark.parametrize(
    ("path", "twin"),
    [
        (GAIN, "PitchRatePID.Kp"),
        ("PitchPI.ILimit", "RollPI.ILimit"),
        ("RollMax", "PitchMax"),
        ("ManualRate.Pitch", "ManualRate.Roll"),
        ("YawRatePID.Kp", ""),
        ("ManualRate.Yaw", ""),
        ("EnablePiroComp", ""),
    ],
)
def test_twins_are_the_other_of_roll_and_pitch(path: str, twin: str) -> None:
    assert twin_of(path) == twin


def test_a_bank_is_even_while_roll_is_like_pitch(settings: Configuration) -> None:
    assert is_even(settings, ONE)
    settings.stage(ONE, "YawRatePID.Kp", 0.009)
    assert is_even(settings, ONE)
    settings.stage(ONE, GAIN, 0.009)
    assert not is_even(settings, ONE)
