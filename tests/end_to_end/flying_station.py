"""A station in a process of its own that takes over the aircraft at the address given and flies it
by hand until it is killed: it prints "flying" when it does.
"""

import sys

from telemetry.flying.controls import FlightControls
from telemetry.flying.inputs.device_input import DeviceInput
from telemetry.flying.transmitter.transmitter import Transmitter
from telemetry.protocol.links.tcp import open_tcp
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.vehicle.connection import connect
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import LinkState, Vehicle
from tests.waiting import wait_until


class SteadyHand:
    """A device whose stick is held in the middle."""

    def read(self, now_s: float) -> DeviceInput | None:
        return DeviceInput(Sticks(throttle=0.5), "Steady hand", now_s)

    def close(self) -> None:
        pass


def fly(vehicle: Vehicle) -> None:
    controls = FlightControls(vehicle, lambda outlet: Transmitter(outlet, find_devices=SteadyHand))
    controls.join()
    controls.take_source("gamepad")
    wait_until(lambda: vehicle.status.state is LinkState.CONNECTED)
    wait_until(lambda: controls.situation_at(vehicle.end_s)[1].is_flying)
    controls.act("Fly by hand", controls.situation_at(vehicle.end_s)[1])
    wait_until(lambda: controls.situation_at(vehicle.end_s)[0].flight_mode == "Stabilized2")
    print("flying", flush=True)
    wait_until(lambda: controls.follow(*controls.situation_at(vehicle.end_s)))


if __name__ == "__main__":
    fly(connect(sys.argv[1], open_tcp, load_catalogue(), None))
