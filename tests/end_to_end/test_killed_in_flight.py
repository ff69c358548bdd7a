"""A station that flies an aircraft is killed (kill -9): the aircraft does what its settings say.

The aircraft is here, already in the air and in step with the clock while the station flies it.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from simulation.autopilot.autopilot import Autopilot
from telemetry.base.clock import monotonic_s
from telemetry.protocol.links.tcp_server import TcpServerLink, serve_tcp
from tests.telemetry.flying.cockpit import Cockpit

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="no kill -9 there"),
]

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = "ManualControlSettings"
RETURN = 3
LOOP_S = 0.02
PATIENCE_S = 60.0
FAILSAFE_S = 2 * 0.256 + 12 * 0.02
"""pios_gcsrcvr.c and receiver.c: two turns without a stick, then eleven cycles and one to act."""


class Served:
    """An aircraft in the air behind a TCP port."""

    def __init__(self) -> None:
        cockpit = Cockpit("ar100b")
        cockpit.take_off()
        cockpit.wait(lambda flight: (flight.height_m or 0.0) > 2.0, 30.0)
        cockpit.act("Fly by hand")
        cockpit.controls.drag({"yaw": 0.0, "throttle": 0.9})
        cockpit.wait(lambda flight: (flight.height_m or 0.0) > 8.0, 30.0)
        cockpit.act("Hold")
        cockpit.bench.write(SETTINGS, {"FailsafeFlightModeSwitchPosition": RETURN})
        cockpit.bench.write("FlightModeSettings", {"ReturnToBaseNextCommand": "Land"})
        cockpit.stay(2.0)
        self.autopilot: Autopilot = cockpit.bench.autopilot
        self.link: TcpServerLink = serve_tcp("tcp:127.0.0.1:0", monotonic_s)
        self._flown_since_s = self.autopilot.now_s

    @property
    def hears(self) -> bool:
        return bool(self.autopilot.board["ManualControlCommand"].fields["Connected"])

    @property
    def mode(self) -> str:
        return self.autopilot.board["FlightStatus"].option("FlightMode")

    @property
    def armed(self) -> str:
        return self.autopilot.board["FlightStatus"].option("Armed")

    def is_flown_for(self, seconds: float) -> bool:
        """Whether somebody has flown it by hand without a break for so long, in its own time."""
        if not (self.hears and self.mode == "Stabilized2"):
            self._flown_since_s = self.autopilot.now_s
        return self.autopilot.now_s - self._flown_since_s >= seconds

    def fly_until(self, reached: Callable[[], bool]) -> None:
        """In step with the clock, for whoever is connected."""
        start_s = monotonic_s() - self.autopilot.now_s
        end_s = monotonic_s() + PATIENCE_S
        while not reached():
            assert monotonic_s() < end_s, "it did not happen in time"
            self.autopilot.receive(self.link.read(LOOP_S / 4))
            while self.autopilot.now_s < monotonic_s() - start_s:
                self.autopilot.run_loop()
            self.link.write(self.autopilot.bytes_to_send())

    def fly_alone(self, reached: Callable[[], bool], limit_s: float) -> float:
        """Without anybody, as fast as it goes; returns the seconds that passed for it."""
        began_s = self.autopilot.now_s
        while not reached():
            self.autopilot.run_loop()
            self.autopilot.bytes_to_send()
            assert self.autopilot.now_s < began_s + limit_s, (self.mode, self.armed)
        return self.autopilot.now_s - began_s


@contextmanager
def flying_station(address: str) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-m", "tests.end_to_end.flying_station", address]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as station:
        try:
            yield station
        finally:
            station.kill()


def test_an_aircraft_whose_station_is_killed_returns_and_lands() -> None:
    aircraft = Served()
    with flying_station(aircraft.link.address) as station:
        aircraft.fly_until(lambda: aircraft.is_flown_for(1.0))
        assert (aircraft.hears, aircraft.mode) == (True, "Stabilized2"), "while it lives it flies"
        station.kill()
        station.wait()
    aircraft.link.close()
    assert aircraft.fly_alone(lambda: not aircraft.hears, 3.0) <= FAILSAFE_S + LOOP_S
    aircraft.fly_alone(lambda: aircraft.mode == "ReturnToBase", 0.1)
    aircraft.fly_alone(lambda: aircraft.armed == "Disarmed", 120.0)
    assert not aircraft.autopilot.simulator.output["crashed"]
