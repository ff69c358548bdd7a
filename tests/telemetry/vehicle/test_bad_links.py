"""Links that spoil, break or cannot be recorded, as a user of a vehicle sees them."""

import json
import os
import random
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from telemetry.base.clock import monotonic_s
from telemetry.base.installation import ROOT
from telemetry.protocol.links.link import Link
from telemetry.protocol.links.serial import open_serial
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.protocol.session.config import Role, SessionConfig, SessionState
from telemetry.protocol.session.session import Session
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording
from telemetry.vehicle import connection as connection_module
from telemetry.vehicle.connection import connect
from telemetry.vehicle.conversation import Conversation, ConversationSetup, Report
from telemetry.vehicle.link_status import reason_for
from telemetry.vehicle.live_commands import LiveCommands
from telemetry.vehicle.vehicle import LinkState
from tests.telemetry.protocol.session.fakes import small_board
from tests.telemetry.vehicle.fakes import FLIGHT_STATS_ID, AircraftLink, Clock
from tests.telemetry.vehicle.test_connection import is_connected
from tests.waiting import PATIENCE_S, wait_until

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="of other systems")


class TurningAircraft(AircraftLink):
    """Rolls by one degree with every reading; between two times every 20th byte is damaged."""

    damaged_from_s = damaged_until_s = 0.0

    def __init__(self, clock: Clock, catalogue: Catalogue) -> None:
        super().__init__(clock, catalogue, small_board(catalogue))
        self.rolls = 0
        self._random = random.Random(4)
        self._started_s = clock.now
        self._passed = 0

    def read(self, timeout_s: float) -> bytes:
        attitude = self.board.named("AttitudeState")
        self.rolls += 1
        self.board.values[(attitude.object_id, 0)] = pack_values(attitude, {"Roll": self.rolls})
        data = bytearray(super().read(timeout_s))
        if self.damaged_from_s <= self._clock.now - self._started_s < self.damaged_until_s:
            for index in range(19 - self._passed % 20, len(data), 20):
                data[index] ^= self._random.randrange(1, 256)
        self._passed += len(data)
        return bytes(data)


@pytest.mark.slow
def test_a_stream_with_every_20th_byte_damaged_shows_nothing_wrong(catalogue: Catalogue) -> None:
    clock = Clock()
    link = TurningAircraft(clock, catalogue)
    link.damaged_from_s, link.damaged_until_s = 3.0, 63.0
    recording, reports = Recording("test"), list[Report]()
    commands = LiveCommands(lambda: None, clock)
    setup = ConversationSetup(catalogue, recording, commands, clock, clock.now, SessionConfig())
    conversation = Conversation(link, setup, reports.append)
    end = clock.now + 75.0
    conversation.run(lambda: clock.now >= end, lambda _seconds: None)

    times, rolls = recording.series("AttitudeState.Roll")
    assert set(rolls.tolist()) <= set(map(float, range(link.rolls + 1)))
    assert not ((times > 4.0) & (times < 63.0)).any(), "no frame of that size arrives whole"
    assert rolls[-1] > link.rolls - 5
    assert set(recording.names()) <= {
        name for d in link.board.definitions.values() for name in (d.name, f"{d.name}Meta")
    }
    during = next(report for report in reports if report.open_for_s > 30.0)
    assert during.session.state is SessionState.LOST
    assert during.session.counters.crc_errors > 1000
    assert during.rates.quality_percent is not None
    assert during.rates.quality_percent < 5
    assert "damaged" in reason_for(LinkState.LOST, during, 8.0)
    assert reports[-1].session.state is SessionState.CONNECTED
    assert reports[-1].rates.quality_percent == 100
    assert [e.text for e in recording.events() if e.kind == "link"] == ["Link lost", "Link back"]


@posix_only
@pytest.mark.slow
def test_a_serial_device_unplugged_while_flying_is_told_and_taken_up_again(
    catalogue: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pty

    monkeypatch.setattr(connection_module, "BACKOFF_S", (0.01, 0.02))
    board = small_board(catalogue)
    unplugged: list[threading.Event] = []
    threads: list[threading.Thread] = []

    def fly(far: int, is_over: threading.Event) -> None:
        flight = Session(Role.FLIGHT, catalogue, board=board)
        flight.start(monotonic_s())
        os.set_blocking(far, False)
        pause = threading.Event()
        while not is_over.is_set():
            try:
                flight.receive(os.read(far, 4096), monotonic_s())
            except BlockingIOError:
                pause.wait(0.002)
            flight.publish(FLIGHT_STATS_ID)
            flight.tick(monotonic_s())
            data = flight.bytes_to_send()
            while data and not is_over.is_set():
                try:
                    data = data[os.write(far, data) :]
                except BlockingIOError:
                    pause.wait(0.002)
        os.close(far)

    def fly_until_closed(far: int, is_over: threading.Event) -> None:
        with suppress(OSError):  # the station has closed its end
            fly(far, is_over)

    def plug_in(address: str) -> Link:
        far, near = pty.openpty()
        link = open_serial(f"serial:{os.ttyname(near)}")
        os.close(near)
        unplugged.append(threading.Event())
        threads.append(threading.Thread(target=fly_until_closed, args=(far, unplugged[-1])))
        threads[-1].start()
        return link

    vehicle = connect("serial:/dev/ttyUSB0@57600", plug_in, catalogue, tmp_path)
    wait_until(is_connected(vehicle))
    refused = [vehicle.commands.request("MixerSettings") for _ in range(5)]
    unplugged[0].set()
    wait_until(lambda: len(unplugged) == 2)
    wait_until(lambda: all(ticket.is_finished for ticket in refused))
    wait_until(is_connected(vehicle))
    vehicle.close()
    unplugged[1].set()
    for thread in threads:
        thread.join()
    (event,) = (e for e in vehicle.recording.events() if e.kind == "link")
    assert "was unplugged. Plug it in again to reconnect." in event.text
    (file,) = tmp_path.glob("*.opl")
    assert read_log(file, catalogue).info.per_object["GCSTelemetryStats"].count >= 2


_FLY_ON_A_FULL_DISK = """
import json, resource, sys
from pathlib import Path
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.vehicle.connection import connect
from tests.telemetry.vehicle.test_connection import Aircraft, is_connected
from tests.waiting import wait_until
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
catalogue = load_catalogue()
aircraft = Aircraft(catalogue)
vehicle = connect("test:quad", aircraft.open, catalogue, Path(sys.argv[1]))
wait_until(lambda: vehicle.status.recording_error)
wait_until(is_connected(vehicle))
ticket = vehicle.commands.request("MixerSettings")
wait_until(lambda: ticket.is_finished)
print(json.dumps([ticket.state, vehicle.status.recording_error, vehicle.status.recording_file]))
vehicle.close()
aircraft.land()
"""


@posix_only
@pytest.mark.slow
def test_a_disk_that_is_really_full(catalogue: Catalogue, tmp_path: Path) -> None:
    command = [sys.executable, "-c", _FLY_ON_A_FULL_DISK, str(tmp_path)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )
    assert done.stderr == ""
    state, error, file = json.loads(done.stdout)
    assert (state, file) == ("done", "")
    assert error.startswith("Recording stopped, ")
    (path,) = tmp_path.glob("*.opl")
    assert 19_000 < path.stat().st_size <= 20_000
    reading = read_log(path, catalogue)
    assert (reading.info.junk_bytes, reading.warnings) == (0, ())
