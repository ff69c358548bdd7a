"""Latency from a stick that moves to its bytes on the link, in a station with Fly at full load.
Prints one JSON object. Run by bench_sticks in a process of its own: `python -m
benchmarks.stick_probe`.

The device is one that can be asked at any time, as SDL's are; the aircraft is the embedded
simulator, whose link is TCP.
"""

import json
import os
import random
import threading
import time
from dataclasses import replace
from unittest import mock

import numpy as np

from benchmarks.gui_probe import _station, _streaming, _wait
from telemetry.flying.controls import FlightControls
from telemetry.flying.inputs.device_input import DeviceInput
from telemetry.flying.transmitter.order import PilotRequest
from telemetry.flying.transmitter.transmitter import StickOutlet, Transmitter
from telemetry.protocol.links.tcp import TcpLink
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, load_catalogue
from telemetry.protocol.wire.decoder import FrameDecoder
from telemetry.vehicle.sticks import Sticks

FLY_S = 20.0
_WARM_UP_S = 4.0
_STEP_US = 50
"""Stick positions so far apart are told apart on the wire."""


class Stick:
    """Moves at random instants, each time to another place; notes when."""

    def __init__(self) -> None:
        self.moved: list[tuple[float, int]] = []
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._move)
        self._thread.start()

    def read(self, now_s: float) -> DeviceInput | None:
        """Where it is."""
        pulse = self.moved[-1][1] if self.moved else 1500
        return DeviceInput(Sticks(roll=(pulse - 1500) / 500), "Stick", now_s)

    def close(self) -> None:
        """Move no more."""
        self._ending.set()

    def _move(self) -> None:
        chance = random.Random(1)
        pulse = 1000
        while not self._ending.wait(chance.uniform(0.05, 0.15)):
            pulse = 1000 + (pulse - 1000 + _STEP_US) % 1000
            self.moved.append((time.perf_counter(), pulse))


class Tap:
    """Notes when each stick position first leaves."""

    def __init__(self) -> None:
        self.left: list[tuple[float, int]] = []
        self._receiver = load_catalogue().find("GCSReceiver", DEFAULT_RELEASE)
        self._decoder = FrameDecoder()
        self._write = TcpLink.write
        tap = self

        def write(link: TcpLink, data: bytes) -> None:
            tap._write(link, data)
            tap._note(data, time.perf_counter())

        mock.patch.object(TcpLink, "write", write).start()

    def _note(self, data: bytes, now: float) -> None:
        for frame in self._decoder.feed(data):
            if frame.object_id == self._receiver.object_id:
                channels = frame.body[-self._receiver.size :]
                roll = int.from_bytes(channels[2:4], "little")
                if not self.left or self.left[-1][1] != roll:
                    self.left.append((now, roll))


def sticks() -> dict[str, float]:
    """Fly at 1366x768 while the simulator streams, and a pilot whose stick never rests."""
    tap, made = Tap(), list[Transmitter]()
    stick = Stick()

    def make(outlet: StickOutlet) -> Transmitter:
        made.append(Transmitter(outlet, find_devices=lambda: stick))
        return made[-1]

    with _station(connect="automatic") as station:
        station.start()
        vehicle = station.fleet.active
        assert vehicle is not None
        vehicle.attachment("flying.controls", lambda: FlightControls(vehicle, make))
        _streaming(station)
        request = PilotRequest(transmitting=True, throttle="stick", source="gamepad")
        made[0].carry_out(replace(made[0].order, request=request))
        _wait(_WARM_UP_S)
        begun = len(stick.moved)
        _wait(FLY_S)
        late_ms = _latencies_ms(stick.moved[begun:-2], tap.left)
        return {
            "median_ms": float(np.median(late_ms)),
            "p99_ms": float(np.percentile(late_ms, 99)),
            "moves": len(late_ms),
        }


def _latencies_ms(moved: list[tuple[float, int]], left: list[tuple[float, int]]) -> list[float]:
    """For each move how long until it, or a later one, left."""
    late, rest = [], iter(left)
    out = next(rest)
    for at, pulse in moved:
        while out[0] < at or (out[1] != pulse and out[0] < at + 0.05):
            out = next(rest)
        late.append((out[0] - at) * 1000)
    return late


def main() -> None:
    """Run the probe."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    print(json.dumps(sticks()))


if __name__ == "__main__":
    main()
