"""Script behaviour: a user's Python script, in a process of its own, that says where the sticks
shall be.

20 times a second it is told where the aircraft is and what its sensors see, a line of JSON each
(see `telemetry.flying.behaviours.script_moment`). Each line that it prints is a message as input
devices send them: `{"axes": [roll, pitch, yaw, throttle]}`, -1 to 1. Nothing of it is run in the
station. When it ends or says nothing for a quarter of a second, its sticks are taken for lost, as
those of an input device are.
"""

import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from telemetry.flying.behaviours.pose import PilotPose
from telemetry.flying.behaviours.script_moment import MomentWriter
from telemetry.flying.behaviours.stick_behaviours import ReadPose
from telemetry.flying.inputs.device_input import DeviceInput
from telemetry.flying.inputs.reading import Reading
from telemetry.flying.inputs.stick_process import StickProcess
from telemetry.protocol.streams.samples import StreamDescription, StreamSample
from telemetry.recording.media_track import MediaTrack
from telemetry.recording.recording import Recording
from telemetry.vehicle.sticks import Sticks

TOLD_EVERY_S: Final = 0.05
THINKS_S: Final = 0.1
"""It answers what it is told, and may look at a picture first: what it says counts for so much
longer than what a device says, which speaks 50 times a second."""


class ScriptBehaviour:
    """Runs one script until it is closed. Raises OSError if it cannot be started."""

    def __init__(self, path: Path, pose: ReadPose, recording: Recording | None = None) -> None:
        """`recording` has the streams of the aircraft's sensors, if it has any."""
        self._path = path
        self._pose = pose
        self._recording = recording
        self._seen: dict[MediaTrack, int] = {}
        self._writer = MomentWriter()
        self._reading: Reading | None = None
        self._ending = threading.Event()
        self._process = StickProcess(path, self._take, is_told=True)
        self._thread = threading.Thread(target=self._tell, name="lapwing-behaviour", daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        """Its file."""
        return f"script {self._path.name}"

    @property
    def problem(self) -> str:
        """What was wrong with the last line that says no sticks."""
        return self._process.problem

    @property
    def is_running(self) -> bool:
        """Whether the process is there."""
        return self._process.is_running

    @property
    def has_spoken(self) -> bool:
        """Whether it has said sticks."""
        return self._reading is not None

    def read(self, now_s: float) -> DeviceInput | None:
        """What it said last, as if it had gone on saying it while it thinks: the transmitter does
        not fly on what is old."""
        reading = self._reading
        if reading is None or not self.is_running or self._ending.is_set():
            return None
        roll, pitch, yaw, throttle = reading.axes[:4]
        sticks = Sticks(roll, pitch, yaw, (throttle + 1.0) / 2.0)
        return DeviceInput(sticks, self.name, min(now_s, reading.read_s + THINKS_S))

    def close(self) -> None:
        """Have the process end. Closing twice is fine. Whoever has touched a stick does not wait
        for a script that does not listen."""
        self._ending.set()
        threading.Thread(target=self._finish, name="lapwing-behaviour-end").start()

    def _finish(self) -> None:
        self._process.close()
        self._thread.join()

    def _take(self, reading: Reading) -> None:
        self._reading = reading

    def _new_samples(self) -> Iterator[tuple[StreamDescription, StreamSample]]:
        """The newest of each live stream that has gone on since the last look."""
        tracks = self._recording.media_tracks() if self._recording is not None else ()
        for track in tracks:
            count, newest = track.count, track.newest
            if track.is_live and newest is not None and count != self._seen.get(track):
                self._seen[track] = count
                yield track.description, newest

    def _tell(self) -> None:
        """A script that does not read stands in the way of nothing but this thread."""
        told = self._process.told
        if told is None:
            return
        with suppress(OSError), told:
            while self.is_running and not self._ending.wait(TOLD_EVERY_S):
                pose = self._pose()
                if pose is not None:
                    told.write(self._writer.line(pose_numbers(pose), self._new_samples()))
                    told.flush()


def pose_numbers(pose: PilotPose) -> dict[str, float]:
    """What a script is told of a pose."""
    place = pose.place
    where = {} if place is None else {"latitude_deg": place[0], "longitude_deg": place[1]}
    return {
        "north_m": pose.north_m,
        "east_m": pose.east_m,
        "height_m": pose.height_m,
        "north_mps": pose.north_mps,
        "east_mps": pose.east_mps,
        "yaw_deg": pose.yaw_deg,
        **where,
    }
