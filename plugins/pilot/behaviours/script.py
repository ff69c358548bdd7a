"""A user's Python script as a behaviour: a process of its own that is told where the aircraft is
and says where the sticks shall be.

Each line on its input is a JSON object with `north_m`, `east_m`, `height_m`, `north_mps`,
`east_mps`, `yaw_deg` and, once home is known, `latitude_deg` and `longitude_deg`, 20 times a
second. Each line that it prints is a message as input devices send them:
`{"axes": [roll, pitch, yaw, throttle]}`, -1 to 1. Nothing of it is run in the station. When it ends
or says nothing, the stream of sticks stops, and the aircraft's failsafe acts.
"""

import json
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

from plugins.pilot.behaviours.flown import ReadPose
from plugins.pilot.behaviours.pose import PilotPose
from plugins.pilot.devices.default_profiles import written_profile
from plugins.pilot.devices.profile import sticks_of
from plugins.pilot.devices.reading import Reading
from plugins.pilot.devices.source import DeviceInput
from plugins.pilot.devices.written import LARGEST_MESSAGE, parse_message
from telemetry.child_process import end_process
from telemetry.clock import monotonic_s
from telemetry.text_formats import FormatError

TOLD_EVERY_S: Final = 0.05
_UNBUFFERED: Final = "-u"


class ScriptBehaviour:
    """Runs one script until it is closed. Raises OSError if it cannot be started."""

    def __init__(self, path: Path, pose: ReadPose) -> None:
        self.problem = ""
        """What was wrong with the last line that says no sticks."""
        self._path = path
        self._pose = pose
        self._profile = written_profile()
        self._reading: Reading | None = None
        self._ending = threading.Event()
        self._process = subprocess.Popen(
            [sys.executable, _UNBUFFERED, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=path.parent,
        )
        self._threads = [
            threading.Thread(target=work, name="lapwing-behaviour", daemon=True)
            for work in (self._listen, self._tell)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def name(self) -> str:
        """Its file."""
        return f"script {self._path.name}"

    @property
    def is_running(self) -> bool:
        """Whether the process is there."""
        return self._process.poll() is None

    def read(self, now_s: float) -> DeviceInput | None:
        """What it said last, with when: the transmitter does not fly on what is old."""
        reading = self._reading
        sticks = None if reading is None else sticks_of(self._profile, reading)
        if reading is None or sticks is None or not self.is_running:
            return None
        return DeviceInput(sticks, self.name, reading.read_s)

    def close(self) -> None:
        """End the process. Closing twice is fine."""
        self._ending.set()
        end_process(self._process)
        for thread in self._threads:
            thread.join()

    def _listen(self) -> None:
        lines = self._process.stdout
        if lines is None:
            return
        with lines:
            while line := lines.readline(LARGEST_MESSAGE + 1):
                self._take(line)
        self._reading = None

    def _take(self, line: bytes) -> None:
        try:
            axes, buttons = parse_message(line)
        except FormatError as error:
            self.problem = f"{line[:60].decode('utf-8', 'replace').strip()}: {error}"
        else:
            self._reading = Reading(axes, buttons, monotonic_s())

    def _tell(self) -> None:
        """A script that does not read stands in the way of nothing but this thread."""
        told = self._process.stdin
        if told is None:
            return
        with suppress(OSError), told:
            while self.is_running and not self._ending.wait(TOLD_EVERY_S):
                pose = self._pose()
                if pose is not None:
                    told.write(state_line(pose))
                    told.flush()


def state_line(pose: PilotPose) -> bytes:
    """What a script is told, as one line."""
    place = pose.place
    where = {} if place is None else {"latitude_deg": place[0], "longitude_deg": place[1]}
    state = {
        "north_m": pose.north_m,
        "east_m": pose.east_m,
        "height_m": pose.height_m,
        "north_mps": pose.north_mps,
        "east_mps": pose.east_mps,
        "yaw_deg": pose.yaw_deg,
        **where,
    }
    return json.dumps(state).encode("ascii") + b"\n"
