"""Live streams: pictures and scans of a live flight, into the recording and to disk.

They come by the connection beside its link; each way has a thread of its own, so that neither
waits for the other."""

import threading
from collections.abc import Callable
from typing import Final

from telemetry.protocol.links.link import Link, LinkClosed
from telemetry.protocol.streams.samples import StreamError
from telemetry.recording.recording import Recording
from telemetry.recording.stream_intake import StreamIntake
from telemetry.vehicle.stream_recorder import StreamRecorder

_READ_S: Final = 0.1
_RECORD_S: Final = 0.05
_PATIENCE_S: Final = 5.0


class LiveStreams:
    """Reads a connection until it is closed. `problem` says why nothing more comes, "" while it
    may."""

    def __init__(
        self,
        link: Link,
        recording: Recording,
        elapsed_s: Callable[[], float],
        recorder: StreamRecorder,
    ) -> None:
        self.problem = ""
        self._link = link
        self._intake = StreamIntake(recording)
        self._elapsed_s = elapsed_s
        self._recorder = recorder
        self._closing = threading.Event()
        self._threads = (
            threading.Thread(target=self._read, name="streams", daemon=True),
            threading.Thread(target=self._record, name="stream recorder", daemon=True),
        )
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """End the threads and finish the files. Closing twice is fine."""
        self._closing.set()
        for thread in self._threads:
            thread.join(_PATIENCE_S)

    def _read(self) -> None:
        try:
            while not self._closing.is_set():
                data = self._link.read(_READ_S)
                if data:
                    self._intake.take(data, self._elapsed_s())
        except LinkClosed as error:
            self.problem = str(error)
        except StreamError as error:
            self.problem = f"No more pictures and scans: {error}."
            self._link.close()
        finally:
            self._intake.end()

    def _record(self) -> None:
        while not self._closing.wait(_RECORD_S):
            self._recorder.catch_up()
        self._threads[0].join(_PATIENCE_S)
        self._recorder.close()
