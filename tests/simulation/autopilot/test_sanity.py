"""Configurations that nobody should fly, found before the start."""

from typing import Any

import pytest

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.frame_class import FrameClass, treated_class
from simulation.autopilot.preset import Preset, load_preset, preset_names
from simulation.autopilot.sanity import Sanity
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.objects.values import pack_values, row_of
from tests.firmware_rules import MULTIROTORS, OTHERS, POSITIONS, PositionCase


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


def test_positions_beyond_the_switch_are_not_judged(board: SimulatedBoard) -> None:
    sanity = Sanity(board)
    modes(board, "Stabilized1", "Stabilized1", "Manual")
    assert sanity.fault() == ("Critical", "FlightMode", 2)
    write(board, "ManualControlSettings", FlightModeNumber=2)
    assert sanity.fault() is None


def test_navigating_needs_an_estimation_with_gps_or_a_station_that_knows(
    board: SimulatedBoard,
) -> None:
    sanity = Sanity(board)
    write(board, "RevoSettings", FusionAlgorithm="Basic (Complementary)")
    assert sanity.fault() == ("Critical", "FlightMode", 2)
    board.set_metadata(board["PositionState"], Metadata(flight_readonly=True))
    sanity.judge_anew()
    assert sanity.fault() is None


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("RevoSettings", {"FusionAlgorithm": "Basic (Complementary)"}),
        ("StabilizationSettings", {"FlightModeAssistMap": ["None"] * 3 + ["GPSAssist"] * 3}),
    ],
)
def test_a_change_to_these_settings_is_not_looked_at_before_the_next_check(
    board: SimulatedBoard, name: str, values: dict[str, Any]
) -> None:
    """manualcontrol.c connects the check to SystemSettings, ManualControlSettings and
    FlightModeSettings only; seen on running firmware (LibrePilot next)."""
    sanity = Sanity(board)
    assert sanity.fault() is None
    write(board, name, **values)
    assert sanity.fault() is None
    write(board, "FlightModeSettings", ArmedTimeout=1000)
    assert sanity.fault() is not None


def test_switched_off_checks_leave_a_warning(board: SimulatedBoard) -> None:
    sanity = Sanity(board)
    modes(board, "Manual")
    write(board, "FlightModeSettings", DisableSanityChecks="True")
    assert sanity.fault() == ("Warning", "FlightMode", 0)


def test_switched_off_checks_warn_of_nothing_too(board: SimulatedBoard) -> None:
    write(board, "FlightModeSettings", DisableSanityChecks="True")
    assert Sanity(board).fault() == ("Warning", "None", 0)


@pytest.mark.parametrize("case", POSITIONS, ids=lambda case: case.title)
def test_a_position_of_the_switch(board: SimulatedBoard, case: PositionCase) -> None:
    write(board, "SystemSettings", AirframeType=case.airframe)
    write(board, "RevoSettings", FusionAlgorithm=case.fusion)
    write(board, "StabilizationSettings", FlightModeAssistMap=[case.assist, *["None"] * 5])
    write(
        board,
        "FlightModeSettings",
        FlightModePosition=[case.mode, *["Stabilized2"] * 5],
        Stabilization1Settings=list(case.axes),
    )
    fault = Sanity(board).fault()
    assert fault == (None if case.is_sane else ("Critical", "FlightMode", 0))


def test_a_mode_that_there_is_not_is_refused(board: SimulatedBoard) -> None:
    positions = board["FlightModeSettings"].row["FlightModePosition"].copy()
    positions[1] = 19
    board["FlightModeSettings"].set(FlightModePosition=positions)
    assert Sanity(board).fault() == ("Critical", "FlightMode", 1)


def test_the_first_wrong_position_is_named(board: SimulatedBoard) -> None:
    modes(board, "Stabilized1", "Manual", "Manual")
    assert Sanity(board).fault() == ("Critical", "FlightMode", 1)


@pytest.mark.parametrize("airframe", [*MULTIROTORS, *OTHERS])
def test_which_airframes_are_multirotors(board: SimulatedBoard, airframe: str) -> None:
    """By the one rule that asks for it alone: nothing else is wrong with Manual."""
    write(board, "SystemSettings", AirframeType=airframe)
    modes(board, "Manual")
    assert (Sanity(board).fault() is None) is (airframe in OTHERS)


def test_every_airframe_was_asked(board: SimulatedBoard) -> None:
    field = board["SystemSettings"].definition.field_named("AirframeType")
    assert {*MULTIROTORS, *OTHERS} == set(field.options)


@pytest.mark.parametrize(
    ("airframe", "treated", "kind"),
    [
        ("Custom", "VTOL", FrameClass.MULTIROTOR),
        ("Custom", "FixedWing", FrameClass.FIXED_WING),
        ("VTOL", "Ground", FrameClass.GROUND),
        ("HeliCP", "Ground", FrameClass.HELICOPTER),
        ("GroundVehicleBoat", "VTOL", FrameClass.GROUND),
    ],
)
def test_custom_airframes_are_what_they_are_treated_as(
    board: SimulatedBoard, airframe: str, treated: str, kind: FrameClass
) -> None:
    write(board, "SystemSettings", AirframeType=airframe)
    write(board, "VtolPathFollowerSettings", TreatCustomCraftAs=treated)
    assert treated_class(board) is kind


@pytest.mark.parametrize(("low", "high"), [(1000, 1300), (1300, 1000), (1500, 1500)])
@pytest.mark.parametrize("control", ["Throttle", "Collective", "None"])
def test_the_thrust_needs_more_than_300_us(
    board: SimulatedBoard, control: str, low: int, high: int
) -> None:
    """Of the control that is the thrust; 1 us more will do."""
    write(board, "SystemSettings", ThrustControl=control)
    for name in {"Throttle", control} - {"None"}:
        limits = {f"ChannelMin.{name}": low, f"ChannelMax.{name}": high}
        write(board, "ManualControlSettings", **limits)
    if control == "Collective":  # then the throttle's range does not count
        assert range_fault(board)
        write(board, "ManualControlSettings", **{"ChannelMin.Collective": 1000})
        write(board, "ManualControlSettings", **{"ChannelMax.Collective": 1301})
        assert not range_fault(board)
        return
    assert range_fault(board) is (control == "Throttle")
    write(board, "ManualControlSettings", **{"ChannelMin.Throttle": 1301})
    write(board, "ManualControlSettings", **{"ChannelMax.Throttle": 1000})
    assert not range_fault(board)


def range_fault(board: SimulatedBoard) -> bool:
    fault = Sanity(board).fault()
    return fault == ("Critical", "BadThrottleOrCollectiveInputRange", 0)
