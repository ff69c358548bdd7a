from pathlib import Path

from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.wire.frame import FrameType, encode
from telemetry.recording.logs.opl_writer import OplWriter
from telemetry.recording.logs.reader import read_log
from telemetry.vehicle.replay import replay_vehicle
from telemetry.vehicle.vehicle import LinkState


def test_a_log_is_a_vehicle_that_is_sent_nothing(catalogue: Catalogue, tmp_path: Path) -> None:
    attitude = catalogue.find("AttitudeState")
    writer = OplWriter(tmp_path / "flight.opl")
    frame = encode(FrameType.OBJ, attitude.object_id, b"\0\0" + bytes(attitude.size))
    for number in range(10):
        writer.write(number * 0.1, frame)
    writer.close()
    vehicle = replay_vehicle(read_log(tmp_path / "flight.opl", catalogue), catalogue)
    assert vehicle.name == "flight.opl"
    assert vehicle.status.state is LinkState.REPLAY
    assert not vehicle.is_live
    assert vehicle.timeline.mode == "paused"
    assert vehicle.commands.send("AttitudeState", {}).text == "Replaying a log: nothing is sent."
    vehicle.close()
    assert vehicle.recording.last_s == 0.9
