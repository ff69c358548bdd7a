"""Two simulated aircraft, each served by a process, connected at once: nothing gets mixed up."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from telemetry.protocol.links.link import Link
from telemetry.protocol.links.tcp import open_tcp
from telemetry.protocol.links.udp import open_udp
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.recording.logs.reader import read_log
from telemetry.vehicle.connection import connect
from telemetry.vehicle.vehicle import LinkState, Vehicle
from tests.waiting import wait_until

pytestmark = pytest.mark.starts_simulator

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def served(address: str, seed: int) -> Iterator[str]:
    """Serve an aircraft; the address is known when it flies."""
    command = [sys.executable, str(ROOT / "main.py"), "sim", "--serve", address]
    command += ["--seed", str(seed), "--json"]
    with subprocess.Popen(command, env=os.environ, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())["address"]
        finally:
            process.kill()


def is_flying(vehicle: Vehicle) -> bool:
    return (
        vehicle.status.state is LinkState.CONNECTED
        and len(vehicle.recording.series("GyroSensor.x")[1]) >= 2
    )


@pytest.mark.slow
def test_two_aircraft_at_once_keep_apart(tmp_path: Path) -> None:
    catalogue: Catalogue = load_catalogue()
    with ExitStack() as stack:
        places: list[tuple[str, Callable[[str], Link]]] = [
            (stack.enter_context(served("tcp:127.0.0.1:0", seed=1)), open_tcp),
            (stack.enter_context(served("udp:127.0.0.1:0", seed=2)), open_udp),
        ]
        vehicles = []
        for number, (address, open_link) in enumerate(places):
            vehicle = connect(address, open_link, catalogue, tmp_path / str(number))
            stack.callback(vehicle.close)
            vehicles.append(vehicle)
        wait_until(lambda: all(map(is_flying, vehicles)))
        speeds = (41.0, 42.0)
        tickets = [
            vehicle.commands.send("SystemSettings", {"AirSpeedMax": speed})
            for vehicle, speed in zip(vehicles, speeds, strict=True)
        ]
        wait_until(lambda: all(ticket.is_finished for ticket in tickets))
        assert [ticket.state for ticket in tickets] == ["done", "done"]

    first, second = (vehicle.recording for vehicle in vehicles)
    for recording, folder in ((first, "0"), (second, "1")):
        (path,) = (tmp_path / folder).glob("*.opl")
        reading = read_log(path, catalogue)
        assert (reading.info.crc_errors, reading.info.junk_bytes) == (0, 0)
        for track in recording.tracks():
            filed = reading.recording.track(track.definition.object_id, track.instance)
            assert filed is not None, track.definition.name
            # the file alone has the farewell
            assert filed.rows.tobytes().startswith(track.rows.tobytes()), track.definition.name
    gyros = [recording.series("GyroSensor.x")[1] for recording in (first, second)]
    least = min(map(len, gyros))
    assert least > 0
    assert gyros[0][:least].tolist() != gyros[1][:least].tolist(), "a noise of its own each"
    written = [recording.series("SystemSettings.AirSpeedMax")[1] for recording in (first, second)]
    assert [set(values.tolist()) for values in written] == [{30.0, 41.0}, {30.0, 42.0}]
