"""Configurations that nobody should fly, found before the start."""

from typing import Any

import pytest

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.preset import Preset, load_preset, preset_names
from simulation.autopilot.sanity import Sanity
from telemetry.objects.catalogue import Catalogue
from telemetry.objects.metadata import Metadata
from telemetry.objects.values import pack_values, row_of


def write(board: SimulatedBoard, name: str, **values: Any) -> None:
    entry = board[name]
    base = row_of(entry.definition, entry.payload(0))
    payload = pack_values(entry.definition, values, base)
    assert board.write(entry.definition.object_id, 0, payload)


def modes(board: SimulatedBoard, *names: str) -> None:
    write(board, "FlightModeSettings", FlightModePosition=[*names, *["Stabilized1"] * 6][:6])


@pytest.mark.parametrize("name", preset_names())
def test_shipped_airframes_are_sane(catalogue: Catalogue, name: str) -> None:
    assert Sanity(SimulatedBoard(catalogue, load_preset(name))).fault() is None


def test_the_definitions_defaults_are_sane(catalogue: Catalogue) -> None:
    assert Sanity(SimulatedBoard(catalogue, Preset("x", "X", "x"))).fault() is None


@pytest.mark.parametrize("mode", ["Manual", "POI"])
def test_a_multirotor_has_no_such_mode(board: SimulatedBoard, mode: str) -> None:
    sanity = Sanity(board)
    modes(board, "Stabilized1", "Stabilized1", mode)
    assert sanity.fault() == ("Critical", "FlightMode", 2)
    write(board, "ManualControlSettings", FlightModeNumber=2)
    assert sanity.fault() is None


def test_an_aeroplane_may_be_flown_by_hand(catalogue: Catalogue) -> None:
    board = SimulatedBoard(catalogue, load_preset("sea-vixen"))
    sanity = Sanity(board)
    modes(board, "Manual")
    assert sanity.fault() is None


def test_navigating_needs_an_estimation_with_gps_or_a_station_that_knows(
    board: SimulatedBoard,
) -> None:
    sanity = Sanity(board)
    write(board, "RevoSettings", FusionAlgorithm="Basic (Complementary)")
    assert sanity.fault() == ("Critical", "FlightMode", 2)
    board.set_metadata(board["PositionState"], Metadata(flight_readonly=True))
    assert sanity.fault() is None


@pytest.mark.parametrize(
    ("stabilization", "is_sane"),
    [
        (["Attitude", "Attitude", "Rate", "Manual"], True),
        (["Attitude", "Attitude", "Rate", "AltitudeHold"], True),
        (["Manual", "Attitude", "Rate", "Manual"], False),
        (["AltitudeHold", "Attitude", "Rate", "Manual"], False),
        (["Attitude", "Attitude", "Rate", "Rate"], False),
        (["Acro+", "Attitude", "Rate", "CruiseControl"], False),
    ],
)
def test_axes_and_thrust_have_their_own_modes(
    board: SimulatedBoard, stabilization: list[str], is_sane: bool
) -> None:
    sanity = Sanity(board)
    write(board, "FlightModeSettings", Stabilization1Settings=stabilization)
    assert (sanity.fault() is None) is is_sane


def test_assisted_flight_needs_levelling_modes(board: SimulatedBoard) -> None:
    sanity = Sanity(board)
    write(board, "StabilizationSettings", FlightModeAssistMap=["GPSAssist", *["None"] * 5])
    assert sanity.fault() is None
    write(board, "FlightModeSettings", Stabilization1Settings=["Rate", "Rate", "Rate", "Manual"])
    assert sanity.fault() == ("Critical", "FlightMode", 0)


def test_the_throttle_needs_a_range(board: SimulatedBoard) -> None:
    sanity = Sanity(board)
    write(board, "ManualControlSettings", **{"ChannelMax.Throttle": 1300})
    assert sanity.fault() == ("Critical", "BadThrottleOrCollectiveInputRange", 0)


def test_switched_off_checks_leave_a_warning(board: SimulatedBoard) -> None:
    sanity = Sanity(board)
    modes(board, "Manual")
    write(board, "FlightModeSettings", DisableSanityChecks="True")
    assert sanity.fault() == ("Warning", "FlightMode", 0)
