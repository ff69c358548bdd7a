"""The simulator's process is started with the link and ends with it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from plugins.simulator.link import SimulatorLink, open_simulator, simulated_aircraft
from telemetry.links.link import LinkClosed, LinkError
from telemetry.wire.decoder import FrameDecoder


@pytest.fixture
def link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SimulatorLink]:
    monkeypatch.setattr("plugins.simulator.link._store", lambda name: tmp_path / f"{name}.json")
    link = open_simulator("sim:ar100b")
    yield link
    link.close()


def test_every_aircraft_on_offer_has_an_address_and_a_name() -> None:
    offered = {device.address: device.title for device in simulated_aircraft()}
    assert offered["sim:ar100b"] == "Simulator: AR100B quadrotor"


def test_an_unknown_aircraft_is_refused_in_one_sentence() -> None:
    with pytest.raises(LinkError, match="sim:ar100b"):
        open_simulator("sim:nix")


def drain(link: SimulatorLink) -> None:
    """Read what the process had still sent, and then its end."""
    for _ in range(10):
        link.read(0.1)


@pytest.mark.slow
def test_frames_arrive_and_closing_ends_the_process(link: SimulatorLink) -> None:
    assert "Starting the simulator" in link.progress
    decoder = FrameDecoder()
    while decoder.frames < 10:
        decoder.feed(link.read(0.5))
    assert link.progress == ""
    assert (decoder.crc_errors, decoder.junk_bytes) == (0, 0)
    link.close()
    assert link.process.returncode == 0


@pytest.mark.slow
def test_a_process_that_dies_closes_the_link(link: SimulatorLink) -> None:
    link.process.kill()
    link.process.wait()
    with pytest.raises(LinkClosed, match="The simulator has ended"):
        drain(link)
