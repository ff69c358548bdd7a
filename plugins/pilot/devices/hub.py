"""Device hub: all input devices of the station, read by one thread for all aircraft and views.

SDL wants one thread, and several aircraft may be flown from one station: so devices are read here,
as often as sticks are needed, and whoever asks takes the latest reading. What a device said last
grows old if this thread stands still.
"""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from plugins.pilot.devices.joysticks import JoystickFinder, load_sdl
from plugins.pilot.devices.source import ControlSource, DeviceFinder, DeviceKind
from plugins.pilot.devices.space_mouse import SpaceMouseFinder
from telemetry.base.clock import monotonic_s
from telemetry.base.unused_names import unused_name
from telemetry.flying.inputs.reading import Reading
from telemetry.protocol.links.hid import load_hid

READ_EVERY_S: Final = 0.005
"""While somebody flies: a quarter of the transmitter's period."""
WATCH_EVERY_S: Final = 0.03
"""While devices are only looked at."""
HURRIES_S: Final = 1.0
SEARCH_EVERY_S: Final = 0.25


@dataclass(frozen=True, slots=True)
class InputDevice:
    """A device that is there, and what it said last. `key` tells two of one kind apart: where they
    have an identity for good, else as long as they are plugged in."""

    key: str
    kind: DeviceKind
    reading: Reading


def find_everything() -> Sequence[DeviceFinder]:
    """What looks for the devices that are plugged in; called in the thread that reads them."""
    finders: list[DeviceFinder] = []
    if (sdl := load_sdl()) is not None:
        finders.append(JoystickFinder(sdl))
    if (hid := load_hid()) is not None:
        finders.append(SpaceMouseFinder(hid))
    return finders


class DeviceHub:
    """Reads devices while somebody has joined."""

    def __init__(
        self,
        find: Callable[[], Sequence[DeviceFinder]] = find_everything,
        clock: Callable[[], float] = monotonic_s,
    ) -> None:
        self.devices: tuple[InputDevice, ...] = ()
        """Those that are there; replaced as a whole by the reading thread."""
        self.chosen: set[str] = set()
        """The keys of all that somebody has chosen to fly by, there or not."""
        self._find = find
        self._clock = clock
        self._joined = 0
        self._hurries_until_s = clock()
        self._lock = threading.Lock()
        self._finders: list[DeviceFinder] = []
        self._added: deque[DeviceFinder] = deque()
        self._removed: deque[DeviceFinder] = deque()
        self._sources: dict[str, ControlSource] = {}
        self._thread: threading.Thread | None = None
        self._ending = threading.Event()

    def join(self) -> None:
        """Have devices read. The first one starts the thread."""
        with self._lock:
            self._joined += 1
            if self._thread is None:
                self._ending.clear()
                self._thread = threading.Thread(target=self._run, name="lapwing-devices")
                self._thread.start()

    def leave(self) -> None:
        """Need them no more. With the last one the thread ends and devices are let go of."""
        with self._lock:
            self._joined = max(0, self._joined - 1)
            if self._joined or self._thread is None:
                return
            self._ending.set()
            self._thread.join()  # whoever joins meanwhile waits: two threads must not share SDL
            self._thread = None

    def hurry(self) -> None:
        """Somebody flies by these devices: read them as often as sticks need, for a second."""
        self._hurries_until_s = self._clock() + HURRIES_S

    def device(self, key: str) -> InputDevice | None:
        """The device of this key, or None while it is not there."""
        return next((device for device in self.devices if device.key == key), None)

    def add(self, finder: DeviceFinder) -> None:
        """Look by this too, from any thread: a port, a script. Raises nothing."""
        self._added.append(finder)

    def remove(self, finder: DeviceFinder) -> None:
        """Look by it no more; it is closed."""
        self._removed.append(finder)

    def step(self) -> None:
        """Find and read once."""
        now_s = self._clock()
        while self._added:
            self._finders.append(self._added.popleft())
        while self._removed:
            finder = self._removed.popleft()
            finder.close()
            self._finders = [other for other in self._finders if other is not finder]
        for finder in self._finders:
            for source in finder.find(now_s):
                self._take_in(source)
        devices = []
        for key, source in list(self._sources.items()):
            reading = source.poll(now_s)
            if reading is None:
                self._sources.pop(key).close()
            else:
                devices.append(InputDevice(key, source.kind, reading))
        self.devices = tuple(devices)

    def close(self) -> None:
        """Let go of everything."""
        for source in self._sources.values():
            source.close()
        for finder in (*self._finders, *self._added):
            finder.close()
        self._sources, self._finders, self.devices = {}, [], ()
        self._added.clear()

    def _take_in(self, source: ControlSource) -> None:
        """Read this one too. Of one with an identity it takes the place: it is the same device."""
        if source in self._sources.values():
            return
        identity = source.kind.identity
        before = self._sources.pop(identity, None) if identity else None
        if before is not None:
            before.close()
        self._sources[identity or self._free_key(source.kind.guid)] = source

    def _free_key(self, guid: str) -> str:
        """A key that no other device has: the one that was unplugged gets its own again."""
        return unused_name(guid, self._sources, "{}/{}")

    def _period_s(self) -> float:
        if not self.devices:
            return SEARCH_EVERY_S
        return READ_EVERY_S if self._clock() < self._hurries_until_s else WATCH_EVERY_S

    def _run(self) -> None:
        self._finders.extend(self._find())
        period_s = 0.0
        while not self._ending.wait(period_s):
            self.step()
            period_s = self._period_s()
        self.close()


HUB: Final = DeviceHub()
"""The station's. There is one of each device, and one SDL in a process."""
