"""The simulator's process is started with the link and ends with it."""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plugins.simulator.link import SimulatorLink, open_simulator, simulated_aircraft
from simulation.aircraft.aircraft import load_aircraft
from simulation.autopilot.preset import load_preset
from simulation.simulator.flown_world import open_world
from simulation.worlds.world_file import world_names
from telemetry.base.clock import monotonic_s
from telemetry.configuration.flight_modes.check import WITHOUT_POSITION
from telemetry.protocol.links.link import LinkClosed, LinkError, Restartable, remark_of
from telemetry.protocol.streams.samples import ScanSample, ray_directions
from telemetry.protocol.wire.decoder import FrameDecoder
from telemetry.recording.recording import Recording
from telemetry.vehicle.live_streams import LiveStreams
from telemetry.vehicle.stream_recorder import StreamRecorder
from tests.waiting import PATIENCE_S, wait_until

pytestmark = pytest.mark.starts_simulator

SMALL = {"village": "village:pixels=256,houses=40,trees=100"}
"""What stands for a world that takes long to build; with LAPWING_ALL_WAYS=1 none does."""


@pytest.fixture
def link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SimulatorLink]:
    monkeypatch.setenv("LAPWING_HOME", str(tmp_path))
    link = open_simulator("sim:ar100b")
    yield link
    link.close()


def test_every_aircraft_on_offer_has_an_address_and_a_name() -> None:
    offered = {device.address: device.title for device in simulated_aircraft()}
    assert offered["sim:ar100b"] == "AR100B quadrotor"
    assert offered["sim:ar100b?erased"] == "AR100B quadrotor, without settings"
    assert offered["sim:hector-indoor@office"] == "hector quadrotor without GPS, in the office"


def test_every_world_on_offer_is_there_and_its_aircraft_has_something_to_see_it_by() -> None:
    worlds = [address.partition("@") for address in (d.address for d in simulated_aircraft())]
    for aircraft, _, world in (one for one in worlds if one[2]):
        assert world in world_names()
        assert load_aircraft(load_preset(aircraft.removeprefix("sim:")).aircraft).mounts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "world"),
    [
        address[4:].split("@")
        for address in (d.address for d in simulated_aircraft())
        if "@" in address
    ],
)
def test_where_no_satellite_is_seen_the_aircraft_on_offer_needs_none(name: str, world: str) -> None:
    """INS13 arms nowhere without a position: filterekf.c and armhandler.c of LibrePilot."""
    fusion = load_preset(name).objects["RevoSettings"]["FusionAlgorithm"]
    flown = open_world(world if "LAPWING_ALL_WAYS" in os.environ else SMALL.get(world, world))
    assert (fusion in WITHOUT_POSITION) is (flown.sky_covered_at_start > 0.5)


def test_who_flies_it_can_start_it_anew() -> None:
    assert issubclass(SimulatorLink, Restartable)


def test_an_unknown_aircraft_is_refused_in_one_sentence() -> None:
    with pytest.raises(LinkError, match="sim:ar100b"):
        open_simulator("sim:nix")
    for wanted in ("nix?erased", "ar100b?erase"):
        with pytest.raises(LinkError, match=f"no simulated aircraft '{re.escape(wanted)}'"):
            open_simulator(f"sim:{wanted}")


@pytest.mark.slow
def test_without_settings_the_board_speaks_and_sees_and_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAPWING_HOME", str(tmp_path))
    link = open_simulator("sim:hector@corridor?erased&lossless#2")
    decoder = FrameDecoder()
    recording = Recording()
    assert link.streams is not None
    streams = LiveStreams(
        link.streams, recording, monotonic_s, StreamRecorder(recording, lambda: "")
    )
    try:
        arguments = list(link.process.args)  # type: ignore[arg-type]
        assert "--erased" in arguments
        assert arguments[arguments.index("--label") + 1] == "2", "a board of its own"
        for _ in range(600):
            if decoder.feed(link.read(0.1)):
                break
        assert decoder.frames > 0
        wait_until(lambda: (lidar := recording.media("lidar")) is not None and lidar.count > 1)
    finally:
        streams.close()
        link.close()
    lidar = recording.media("lidar")
    assert lidar is not None
    scan = lidar.newest
    assert isinstance(scan, ScanSample)
    assert len(scan.ranges_m) == len(ray_directions(lidar.description)) == 1081
    assert np.nanmin(scan.ranges_m) < 3.0, "the walls of the corridor"
    assert not list(tmp_path.iterdir())


class Busy:
    """A process that has not called yet."""

    console = streams = None
    words = b""

    def read(self, timeout_s: float) -> bytes:
        return self.words


def test_the_board_starts_quick_and_that_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Sequence[str]] = []

    def start(arguments: Sequence[str], _clock: object, _world: str) -> Busy:
        started.append(arguments)
        return Busy()

    monkeypatch.setattr("plugins.simulator.link.SimulatorProcess", start)
    monkeypatch.setenv("LAPWING_HOME", str(tmp_path))
    link = open_simulator("sim:ar100b")
    assert remark_of(link) == link.remark
    assert "the manual" in link.remark
    assert open_simulator("sim:ar100b#2").remark == ""
    monkeypatch.setenv("LAPWING_HOME", str(tmp_path / "elsewhere"))
    assert open_simulator("sim:ar100b?start=real").remark == ""
    quick, _, real = started
    assert real[real.index("--start") + 1] == "real"
    assert "--start" not in quick


def test_a_start_that_takes_long_says_that_it_compiles_and_for_how_long() -> None:
    now_s = [100.0]
    busy: Any = Busy()
    link = SimulatorLink("sim:x", "X", busy, clock=lambda: now_s[0])
    assert link.progress == "Starting the simulator."
    now_s[0] += 7.5
    assert link.read(0.0) == b""
    assert link.progress == (
        "Compiling the simulator, once after installation: about 8 s, 7 s have passed."
    )
    now_s[0] += 30.0
    assert link.progress.endswith("longer on a busy machine, 37 s have passed.")
    busy.words = b"!"
    link.read(0.0)
    assert link.progress == ""


def drain(link: SimulatorLink) -> None:
    """Read what the process had still sent, and then its end."""
    for _ in range(10):
        link.read(0.1)


@pytest.mark.slow
def test_frames_arrive_and_closing_ends_the_process(
    link: SimulatorLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Starting the simulator" in link.progress
    command = " ".join(link.process.args)  # type: ignore[arg-type]
    assert not re.search("[0-9a-f]{16}", command), "the token is nothing for others to read"
    decoder = FrameDecoder()
    while decoder.frames < 10:
        decoder.feed(link.read(0.5))
    assert link.progress == ""
    assert (decoder.crc_errors, decoder.junk_bytes) == (0, 0)
    wait = link.process.wait
    monkeypatch.setattr(link.process, "wait", lambda _timeout_s=None: wait(PATIENCE_S))
    link.close()
    assert link.process.returncode == 0


@pytest.mark.slow
def test_a_process_that_dies_closes_the_link(link: SimulatorLink) -> None:
    link.process.kill()
    link.process.wait()
    with pytest.raises(LinkClosed, match="The simulator has ended"):
        drain(link)
