"""A station offscreen at 1366x768, measured from inside. Each probe prints one JSON object.

Run by bench_gui, bench_memory and the gate in a process of its own:
`python -m benchmarks.gui_probe PROBE`, PROBE being start, fly, slow, flood, idle, seek, gate,
cycles, hour or fleet.
"""

import gc
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from app.station import Station
    from telemetry.vehicle.vehicle import LinkState, Vehicle

SIZE = (1366, 768)
FLY_S = 15.0
IDLE_S = 8.0
SEEKS = 60
_GATE_PLAY_S = 3.0
_GATE_SEEKS = 20
FLOOD_S = 60.0
_HEARTBEAT_MS = 5
FLIGHT_S = 1800.0
_WARM_UP_S = 6.0
_CONNECT_S = 90.0
CYCLES = 500
_WARM_UP_CYCLES = 30
_TWIN_EVERY = 10
HOUR_S = 3600.0
HOUR_SPEED = 10
_SETTLED_S = 600.0
FLEET = 8


def start(started_s: float) -> dict[str, float]:
    """From the start of the process to the first pixel and to a window that can be used."""
    gc.disable()  # as app/cli.py does
    from PySide6.QtCore import QEvent, QObject

    with _station() as station:

        class FirstPaint(QObject):
            at_s = 0.0

            def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
                if event.type() is QEvent.Type.Paint and not self.at_s:
                    self.at_s = time.monotonic()
                return False

        watch = FirstPaint()
        station.window.timeline_bar.installEventFilter(watch)
        station.start()
        page = station.window.stack.current_page
        assert page is not None

        def is_usable() -> bool:
            shown = [dock for dock in page.hosts if dock.is_showing()]
            return bool(watch.at_s) and all(dock.view or dock.is_waiting for dock in shown)

        _until(is_usable, 20)
        station.app.processEvents()
        return {"first_pixel_s": watch.at_s - started_s, "usable_s": time.monotonic() - started_s}


def fly() -> dict[str, float]:
    """The simulator streams into Fly, attitude at its 50 Hz: time per tick, painting included."""
    with _station(connect="automatic") as station:
        station.start()
        vehicle = _streaming(station)
        _wait(_WARM_UP_S)
        ticks = _time_ticks(station)
        used_s, began_s = time.process_time(), time.monotonic()
        _wait(FLY_S)
        elapsed_s = time.monotonic() - began_s
        busy_ms = np.asarray(ticks)
        return {
            "tick_median_ms": float(np.median(busy_ms)),
            "tick_p99_ms": float(np.percentile(busy_ms, 99)),
            "ticks_per_s": len(ticks) / elapsed_s,
            "cpu_percent": 100 * (time.process_time() - used_s) / elapsed_s,
            "objects_per_s": vehicle.status.objects_per_s,
        }


def slow(share: float = 1 / 3) -> dict[str, float]:
    """The simulator streams into Fly, which has a third of a processor: what it still does.

    The flight display paints as often as it is refreshed, as in rough air.
    """
    from PySide6.QtCore import QEvent, QObject

    from widgets.flight_display import FlightDisplay

    with _station(connect="automatic") as station:
        station.start()
        vehicle = _streaming(station)
        _wait(_WARM_UP_S)

        class Paints(QObject):
            count = 0

            def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
                self.count += event.type() is QEvent.Type.Paint
                return False

        (display,) = station.window.findChildren(FlightDisplay)
        paints = Paints()
        display.installEventFilter(paints)
        panel = station.plugins.panels["flight_display.display"]
        station.tick.add(display.update, panel.rate_hz, display.isVisible, panel.least_hz)
        command = [sys.executable, "-m", "benchmarks.throttle", str(os.getpid()), str(share)]
        with subprocess.Popen(command) as throttle:
            try:
                _wait(_WARM_UP_S)
                began_s, paints.count = time.monotonic(), 0
                received = _received(vehicle)
                answers = _heartbeats(FLY_S)
                elapsed_s = time.monotonic() - began_s
                received = _received(vehicle) - received
            finally:
                throttle.terminate()
        return {
            "paints_per_s": paints.count / elapsed_s,
            "deaf_worst_ms": float(_deaf_ms(answers).max()),
            "objects_per_s": received / elapsed_s,
            "load": float(station.tick.load),
        }


def _received(vehicle: "Vehicle") -> int:
    return sum(track.count for track in vehicle.recording.tracks())


def _streaming(station: "Station") -> "Vehicle":
    """The simulated aircraft, once it is connected."""
    from telemetry.vehicle.vehicle import LinkState

    fleet = station.fleet
    _until(
        lambda: fleet.active is not None and fleet.active.status.state is LinkState.CONNECTED,
        _CONNECT_S,
    )
    assert fleet.active is not None
    return fleet.active


def _heartbeats(seconds: float) -> list[float]:
    """When the window answered within so many seconds, of every `_HEARTBEAT_MS`."""
    from PySide6.QtCore import Qt, QTimer

    answers: list[float] = []
    heart = QTimer()
    heart.setTimerType(Qt.TimerType.PreciseTimer)
    heart.timeout.connect(lambda: answers.append(time.monotonic()))
    heart.start(_HEARTBEAT_MS)
    _wait(seconds)
    heart.stop()
    return answers


def _deaf_ms(answers: list[float]) -> "np.ndarray":
    return np.diff(np.asarray(answers)) * 1000 - _HEARTBEAT_MS


def idle() -> dict[str, float]:
    """Nothing connected, nothing moves."""
    from app.refreshing.tick import RESTS_AFTER_S

    with _station() as station:
        station.start()
        _wait(_WARM_UP_S + RESTS_AFTER_S)
        used_s, began_s = time.process_time(), time.monotonic()
        _wait(IDLE_S)
        elapsed_s = time.monotonic() - began_s
        return {"cpu_percent": 100 * (time.process_time() - used_s) / elapsed_s}


def flood() -> dict[str, float]:
    """A minute of 10,000 frames a second into Fly: what is lost, and how long the GUI is deaf."""
    from benchmarks.flood import count_flood

    address = f"tcp:127.0.0.1:{_free_port()}"
    command = [sys.executable, "-m", "benchmarks.flood", address, str(FLOOD_S)]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as source,
        _station() as station,
    ):
        station.start()
        _wait(_WARM_UP_S)
        vehicle = station.connections.open(address)
        assert vehicle is not None
        deaf_ms = _deaf_ms(_heartbeats(FLOOD_S + 4.0))
        assert source.stdout is not None
        sent = int(source.stdout.readline())
        return {
            "lost": sent - count_flood(vehicle.recording),
            "sent_per_s": sent / FLOOD_S,
            "deaf_p99_ms": float(np.percentile(deaf_ms, 99)),
            "deaf_worst_ms": float(deaf_ms.max()),
        }


def seek() -> dict[str, float]:
    """Jump about in half an hour of flight; each time everything in Fly is repainted."""
    with _station() as station:
        vehicle = _replay(station)
        taken_ms = _seeks_ms(station, vehicle, SEEKS, time.perf_counter)
        return {"median_ms": median(taken_ms), "worst_ms": max(taken_ms)}


def gate() -> dict[str, float]:
    """Processor time of the GUI thread: a tick of Fly while a flight is played, and a seek."""
    with _station() as station:
        vehicle = _replay(station)
        ticks = _time_ticks(station)
        vehicle.timeline.play()
        _wait(_GATE_PLAY_S)
        vehicle.timeline.pause()
        return {
            "tick_ms": median(ticks),
            "seek_ms": median(_seeks_ms(station, vehicle, _GATE_SEEKS, time.thread_time)),
        }


def _replay(station: "Station") -> "Vehicle":
    """Half an hour of flight in a started station, as read from a log."""
    from benchmarks.bench_views import make_flight
    from telemetry.protocol.objects.catalogue import load_catalogue
    from telemetry.vehicle.commands import RefusedCommands
    from telemetry.vehicle.vehicle import LinkState, LinkStatus, Vehicle

    station.start()
    recording = make_flight(int(FLIGHT_S * 50), FLIGHT_S)
    commands = RefusedCommands("Replaying a log: nothing is sent.")
    vehicle = Vehicle("long", recording, load_catalogue(), commands)
    vehicle.timeline.end_live()
    vehicle.status = LinkStatus(state=LinkState.REPLAY)
    station.fleet.add(vehicle)
    _wait(_WARM_UP_S)
    return vehicle


def _seeks_ms(
    station: "Station", vehicle: "Vehicle", count: int, clock: Callable[[], float]
) -> list[float]:
    station.tick.stop()
    taken_ms = []
    for t in np.random.default_rng(1).uniform(0.0, FLIGHT_S, count).tolist():
        began_s = clock()
        vehicle.timeline.seek(t)
        station.tick.refresh_all()
        station.app.processEvents()
        taken_ms.append((clock() - began_s) * 1000)
    return taken_ms


def cycles() -> dict[str, float]:
    """Connect to a simulated aircraft, fetch all, and close it, again and again; every tenth time
    another one follows it as its twin for a moment."""
    with _served() as address, _served() as twins_address, _station() as station:
        station.start()
        before_mb = 0.0
        for number in range(_WARM_UP_CYCLES + CYCLES):
            if number == _WARM_UP_CYCLES:
                before_mb = _private_mb()
            vehicle = _connected(station, address)
            _wait(0.05)
            if number % _TWIN_EVERY == 0:
                _follow_for_a_moment(station, vehicle, twins_address)
            station.connections.forget(vehicle)
        return {"grown_mb": _private_mb() - before_mb, "cycles": CYCLES}


def _connected(station: "Station", address: str) -> "Vehicle":
    from telemetry.vehicle.vehicle import LinkState

    vehicle = station.connections.open(address)
    assert vehicle is not None
    _until(partial(_is_in_state, vehicle, LinkState.CONNECTED), _CONNECT_S)
    return vehicle


def _follow_for_a_moment(station: "Station", real: "Vehicle", address: str) -> None:
    from plugins.simulator.twin import Twin, TwinStage

    twin = Twin(real, _connected(station, address))

    def follows() -> bool:
        twin.poll()
        return twin.status.stage is TwinStage.FOLLOWING and twin.feed.last.lag_s is not None

    _until(follows, _CONNECT_S)
    twin.end()
    station.connections.forget(twin.twin)


@contextmanager
def _served() -> Iterator[str]:
    """The address of a simulated aircraft in a process of its own."""
    address = f"tcp:127.0.0.1:{_free_port()}"
    command = [sys.executable, "-m", "lapwing", "sim", "--serve", address]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as simulator:
        try:
            yield address
        finally:
            simulator.terminate()


def hour() -> dict[str, float]:
    """An hour of simulated flight in Fly, ten times as fast: what the process grows by."""
    from plugins.simulator.link import SimulatorLink

    with _station(connect="automatic") as station:
        station.start()
        vehicle = _streaming(station)
        assert isinstance(vehicle.link, SimulatorLink)
        vehicle.link.remote.ask(speed=HOUR_SPEED)
        _wait(_SETTLED_S / HOUR_SPEED)
        before_mb, began_h = _private_mb(), _flown_h(vehicle)
        _wait((HOUR_S - _SETTLED_S) / HOUR_SPEED)
        flown_h = _flown_h(vehicle) - began_h
        return {
            "grown_mb_per_h": (_private_mb() - before_mb) / flown_h,
            "flown_h": flown_h,
            "samples": sum(track.count for track in vehicle.recording.tracks()),
        }


def fleet() -> dict[str, float]:
    """So many simulated aircraft stream into Fly: processors used by all processes, and how long
    the GUI is deaf."""
    from telemetry.base.folders import HOME_VARIABLE
    from telemetry.vehicle.vehicle import LinkState

    with tempfile.TemporaryDirectory() as home, _station() as station:
        os.environ[HOME_VARIABLE] = home
        station.start()
        for number in range(FLEET):
            vehicle = station.connections.open(f"sim:ar100b#{number}")
            assert vehicle is not None
            _until(partial(_is_in_state, vehicle, LinkState.CONNECTED), _CONNECT_S)
        _wait(_WARM_UP_S)
        vehicles = station.fleet.vehicles
        simulators = [vehicle.link.process.pid for vehicle in vehicles]  # type: ignore[union-attr]
        before_s, own_s = sum(map(_processor_s, simulators)), time.process_time()
        received, began_s = sum(map(_received, vehicles)), time.monotonic()
        deaf_ms = _deaf_ms(_heartbeats(FLY_S))
        elapsed_s = time.monotonic() - began_s
        return {
            "station_cores": (time.process_time() - own_s) / elapsed_s,
            "simulators_cores": (sum(map(_processor_s, simulators)) - before_s) / elapsed_s,
            "deaf_p99_ms": float(np.percentile(deaf_ms, 99)),
            "deaf_worst_ms": float(deaf_ms.max()),
            "objects_per_s": (sum(map(_received, vehicles)) - received) / elapsed_s,
        }


def _processor_s(pid: int) -> float:
    """The processor time of another process, its own and the system's for it."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _is_in_state(vehicle: "Vehicle", state: "LinkState") -> bool:
    return vehicle.status.state is state


def _flown_h(vehicle: "Vehicle") -> float:
    """By the board's own clock: a busy machine may not keep up with the speed asked for."""
    stats = vehicle.recording.latest("SystemStats", vehicle.end_s)
    assert stats is not None
    return float(stats["FlightTime"]) / 3.6e6


def _private_mb() -> float:
    """What this process alone holds in memory: not what stands in files, nor shared libraries."""
    gc.collect()
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(
        int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("RssAnon")
    )


class _station:  # noqa: N801 - reads as a function in a with statement
    """A station in a folder of its own."""

    def __init__(self, connect: str = "") -> None:
        self._connect = connect

    def __enter__(self) -> "Station":
        from app.preferences import PreferenceStore
        from app.run import make_application
        from app.station import StartOptions, Station
        from telemetry.base.folders import Folders

        self._home = tempfile.TemporaryDirectory()
        folders = Folders.under(Path(self._home.name))
        preferences = PreferenceStore(folders.config / "preferences.json")
        preferences.change(connect_at_start=self._connect, theme="light")
        self._made = Station(make_application(), folders, StartOptions(size=SIZE))
        return self._made

    def __exit__(self, *_error: object) -> None:
        self._made.close()
        self._home.cleanup()


def _time_ticks(station: "Station") -> list[float]:
    """Have each tick timed from now on, with the painting that it causes, in milliseconds of
    the GUI thread's processor time; returns the growing list.
    """
    from PySide6.QtCore import QEvent

    taken: list[float] = []
    tick, timer = station.tick, station.tick._timer

    def run() -> None:
        began_ns = time.thread_time_ns()
        tick.run()
        station.app.sendPostedEvents(None, QEvent.Type.UpdateRequest)
        taken.append((time.thread_time_ns() - began_ns) / 1e6)

    timer.timeout.disconnect()
    timer.timeout.connect(run)
    return taken


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait(seconds: float) -> None:
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()


def _until(is_true: Callable[[], bool], seconds: float) -> None:
    began_s = time.monotonic()
    while not is_true():
        if time.monotonic() - began_s > seconds:
            raise TimeoutError(f"not within {seconds} s")
        _wait(0.002)


def main() -> None:
    """Run one probe."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    name, *rest = sys.argv[1:]
    probes: dict[str, Callable[..., dict[str, float]]] = {"start": start, "fly": fly}
    probes |= {"slow": slow, "flood": flood, "idle": idle, "seek": seek, "gate": gate}
    probes |= {"cycles": cycles, "hour": hour, "fleet": fleet}
    print(json.dumps(probes[name](*(float(word) for word in rest))))


if __name__ == "__main__":
    main()
