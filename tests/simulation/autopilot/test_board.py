"""The rules of the object store, as `uavtalk.md` sections 4 and 10 state them."""

import numpy as np
import pytest

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.preset import Preset
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import UpdateMode, UpdatePolicy
from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.objects.values import pack_values


def identity(board: SimulatedBoard, name: str) -> int:
    return board[name].definition.object_id


def test_the_preset_stands_in_for_the_definitions_defaults(board: SimulatedBoard) -> None:
    assert board["SystemSettings"].option("AirframeType") == "QuadX"
    assert bytes(board["SystemSettings"].row["VehicleName"]).rstrip(b"\0") == b"AR100B"
    assert board["ManualControlSettings"].option("ChannelGroups", 0) == "GCS"
    assert board["MixerSettings"].row["Mixer1Vector"].tolist() == [127, 0, 64, 64, -64]
    assert board["GPSSettings"].row["MaxPDOP"] == pytest.approx(3.5)


def test_attitude_and_position_stream_faster_than_the_release_says(board: SimulatedBoard) -> None:
    assert board["AttitudeState"].metadata.flight.period_ms == 20
    assert board["PositionState"].metadata.flight.period_ms == 100
    assert board["GyroState"].metadata.flight.period_ms == 1000


def test_a_preset_with_an_unknown_object_is_refused(catalogue: Catalogue) -> None:
    with pytest.raises(ValueError, match="NoSuchObject"):
        SimulatedBoard(catalogue, Preset("x", "X", "x", {"NoSuchObject": {}}))
    with pytest.raises(ValueError, match="Kp"):
        SimulatedBoard(catalogue, Preset("x", "X", "x", {"AltitudeHoldSettings": {"Kp": 1}}))


def test_other_boards_objects_are_absent(board: SimulatedBoard, catalogue: Catalogue) -> None:
    absent = catalogue.find("PerfCounter")
    assert board.definition(absent.object_id) is None
    assert board.read(absent.object_id, 0) is None
    assert board.read(absent.object_id + 1, 0) is None
    assert board.instance_count(absent.object_id) == 0
    assert not board.write(absent.object_id, 0, bytes(absent.size))


def test_metaobjects_are_read_and_written_under_their_own_ids(board: SimulatedBoard) -> None:
    meta = identity(board, "GyroState") + 1
    assert board.read(meta, 0) == bytes.fromhex("1000e80300000000")
    assert board.read(meta, 1) is None
    assert board.instance_count(meta) == 1
    faster = Metadata(flight=UpdatePolicy(UpdateMode.PERIODIC, 100))
    assert board.write(meta, 0, faster.pack(8))
    assert board["GyroState"].metadata.flight.period_ms == 100
    assert not board.write(meta, 1, faster.pack(8))
    assert not board.write(meta, 0, faster.pack(7))


def test_writing_a_high_instance_creates_the_missing_ones_zero_filled(
    board: SimulatedBoard,
) -> None:
    waypoint = board["Waypoint"]
    payload = pack_values(waypoint.definition, {"Position": [1, 2, 3], "Velocity": 4})
    assert board.write(waypoint.definition.object_id, 5, payload)
    assert board.instance_count(waypoint.definition.object_id) == 6
    assert board.read(waypoint.definition.object_id, 5) == payload
    assert board.read(waypoint.definition.object_id, 4) == bytes(waypoint.definition.size)
    assert board.read(waypoint.definition.object_id, 6) is None
    assert not board.write(waypoint.definition.object_id, 1000, payload)


def test_single_instance_objects_and_wrong_lengths_are_refused(board: SimulatedBoard) -> None:
    attitude = board["AttitudeState"].definition
    assert not board.write(attitude.object_id, 1, bytes(attitude.size))
    assert not board.write(attitude.object_id, 0, bytes(attitude.size - 1))


def test_fields_still_are_the_boards_after_growing(board: SimulatedBoard) -> None:
    accessory = board["AccessoryDesired"]
    assert float(accessory.fields["AccessoryVal"]) == 0.0
    accessory.grow(3)
    accessory.set(AccessoryVal=0.5)
    assert float(accessory.fields["AccessoryVal"]) == 0.5


def test_the_newest_fields_are_fetched_unless_a_station_supplies_them(
    board: SimulatedBoard,
) -> None:
    sonar = board["SonarAltitude"]
    sonar.refresh = lambda: sonar.fill(2.5)
    assert float(sonar.fields["Altitude"]) == 0.0
    assert float(sonar.newest()["Altitude"]) == 2.5
    board.set_metadata(sonar, Metadata(flight_readonly=True))
    sonar.refresh = lambda: sonar.fill(9.0)
    assert float(sonar.newest()["Altitude"]) == 2.5


def test_the_modules_row_still_is_the_boards_after_growing(board: SimulatedBoard) -> None:
    waypoint = board["Waypoint"]
    waypoint.grow(3)
    waypoint.row["Velocity"] = 7.0
    data = board.read(waypoint.definition.object_id, 0)
    assert data is not None
    assert np.frombuffer(data, waypoint.definition.dtype)[0]["Velocity"] == 7.0


def test_subscribers_learn_of_every_change_telemetry_only_of_own_ones(
    board: SimulatedBoard,
) -> None:
    entry = board["FlightStatus"]
    heard: list[str] = []
    entry.subscribe(lambda: heard.append("subscriber"))
    entry.on_announce = lambda _entry, _instance: heard.append("telemetry")
    board.write(entry.definition.object_id, 0, bytes(entry.definition.size))
    assert heard == ["subscriber"]
    entry.set(Armed=2)
    assert heard == ["subscriber", "telemetry", "subscriber"]
    entry.set(Armed=2)
    assert len(heard) == 3


def test_states_are_fetched_when_read_unless_a_station_supplies_them(board: SimulatedBoard) -> None:
    entry = board["BaroSensor"]
    entry.refresh = lambda: entry.write(Altitude=12.0)
    data = board.read(entry.definition.object_id, 0)
    assert data is not None
    assert np.frombuffer(data, entry.definition.dtype)[0]["Altitude"] == 12.0
    board.set_metadata(entry, Metadata(flight_readonly=True))
    supplied = pack_values(entry.definition, {"Altitude": 99.0})
    assert board.write(entry.definition.object_id, 0, supplied)
    entry.set(Altitude=5.0)
    assert board.read(entry.definition.object_id, 0) == supplied


def test_the_short_ways_to_a_row_follow_it_whoever_writes(board: SimulatedBoard) -> None:
    place = board["PositionState"]
    for payload in (np.array([1.0, -2.0, 3.5], "<f4").tobytes(), bytes(12)):
        assert board.write(place.definition.object_id, 0, payload)
        assert place.packed() == payload == place.row.tobytes()
        assert place.vector() == place.values() == tuple(place.row.tolist())
    place.write(Down=-7.0)
    assert place.vector() == (0.0, 0.0, -7.0)
    assert float(place.row["Down"]) == -7.0
