"""Robots found by their addresses: a simulated one in its process, and its recorded flight."""

from itertools import pairwise
from pathlib import Path

import pytest

from telemetry.base.clock import monotonic_s
from telemetry.flying.robot.connecting import connect
from telemetry.flying.robot.errors import RobotError
from telemetry.protocol.links.link import LinkError, streams_of
from telemetry.protocol.links.opening import open_link
from telemetry.protocol.links.streamed import with_streams
from telemetry.protocol.links.tcp_server import serve_tcp
from telemetry.protocol.streams.framing import StreamDecoder
from telemetry.protocol.streams.samples import PictureSample
from telemetry.protocol.streams.server import StreamServer
from telemetry.recording.simulated_world import SimulatedWorld
from tests.telemetry.protocol.streams.samples import LIDAR
from tests.waiting import wait_until


@pytest.mark.slow
def test_a_simulated_robot_is_started_read_recorded_and_read_again(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """In a world, of which it sends what it sees; its recording has all of it."""
    with connect("sim:ardrone@arena?seed=3", record_in=tmp_path) as robot:
        first = next(iter(robot.samples("AttitudeState")))
        arming = robot.disarm(wait=False)
        stamps = []
        for sample in robot.stream("navdata", newest_only=False):
            stamps.append(sample.time_us)
            if len(stamps) == 20:
                break
        picture = next(iter(robot.stream("bottom")))
        assert {"navdata", "bottom"} <= {sensor.name for sensor in robot.sensors}
        arming.wait(30.0)
        wait_until(lambda: robot.state.roll_deg is not None)
        live = robot.latest("FlightStatus")
    assert isinstance(picture, PictureSample)
    assert picture.pixels.shape[:2] == (144, 176)
    assert {b - a for a, b in pairwise(stamps)} == {5000}  # seed 002: 200 Hz
    assert live is not None
    (log,) = tmp_path.glob("*.opl")
    recorded = connect(str(log))
    assert recorded.vehicle.recording.world == SimulatedWorld("arena", 3)
    rows = [sample.row.tobytes() for sample in recorded.samples("AttitudeState")]
    assert first.row.tobytes() in rows
    again = [sample.time_us for sample in recorded.stream("navdata")]
    at = again.index(stamps[0])
    assert again[at : at + 20] == stamps
    with pytest.raises(RobotError, match="is a recording"):
        recorded.take_off()
    with pytest.raises(RobotError, match=r"'botom'; it has: .*bottom.*navdata"):
        recorded.stream("botom")
    assert capfd.readouterr().err == ""
    # --- a stream of which a part is lost ---
    (navdata,) = tmp_path.glob("*_navdata.npz")
    navdata.write_bytes(navdata.read_bytes()[:-2000])
    connect(str(log))
    assert navdata.name in capfd.readouterr().err


def test_streams_are_read_beside_a_link(tmp_path: Path) -> None:
    aircraft = serve_tcp("tcp:127.0.0.1:0", monotonic_s)
    server = StreamServer()
    link = with_streams(open_link, server.address)(aircraft.address)
    try:
        server.announce([LIDAR])
        wait_until(lambda: server.is_read)
        decoder = StreamDecoder()
        wait_until(lambda: any(True for _ in decoder.decode(link.streams.read(0.0))))
        assert streams_of(link) is link.streams
    finally:
        link.close()
        aircraft.close()
        wait_until(lambda: not server.is_read)
        server.close()
    with pytest.raises(RobotError, match="leave out streams_at"):
        connect("sim:ar100b", streams_at=server.address, record_in=tmp_path)


def test_nobody_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(LinkError, match=r"127\.0\.0\.1"):
        connect("tcp:127.0.0.1:9", record_in=tmp_path, patience_s=0.2)


def test_a_wrong_simulated_address_names_what_can_be_written() -> None:
    with pytest.raises(LinkError, match=r"write sim:NAME"):
        connect("sim:ar100b?colour=red")
