"""A peer that floods: a steady 10,000 frames a second, for benchmarks of what receives them.

`python -m benchmarks.flood ADDRESS SECONDS` serves it on TCP in a process of its own, to the
first who connects, and prints how many frames that were.
"""

import sys
import threading

from telemetry.base.clock import monotonic_s
from telemetry.protocol.links.link import Link
from telemetry.protocol.links.tcp_server import serve_tcp
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue, load_catalogue
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.values import pack_values
from telemetry.protocol.wire.frame import FrameType, encode
from telemetry.recording.recording import Recording

FRAMES_PER_S = 10_000
_BURST_S = 0.01
_OBJECTS = 40
_NOT_SENT = ("GCSTelemetryStats", "FlightTelemetryStats", "SystemStats", "ObjectPersistence")


def send_flood(link: Link, catalogue: Catalogue, seconds: float) -> int:
    """Send bursts on time; return how many frames that were."""
    objects = [d for d in catalogue.release(DEFAULT_RELEASE) if _is_suitable(d)][:_OBJECTS]
    frames = [_frame(definition) for definition in objects]
    per_burst = int(FRAMES_PER_S * _BURST_S)
    burst = b"".join(frames[index % len(frames)] for index in range(per_burst))
    pause = threading.Event()
    start_s = monotonic_s()
    bursts = int(seconds / _BURST_S)
    for number in range(bursts):
        link.write(burst)
        pause.wait(max(0.0, start_s + (number + 1) * _BURST_S - monotonic_s()))
    return bursts * per_burst


def count_flood(recording: Recording) -> int:
    """How many of the flood's frames have arrived in a recording."""
    tracks = recording.tracks()
    return sum(t.count for t in tracks if t.definition.name != "GCSTelemetryStats")


def _is_suitable(definition: ObjectDefinition) -> bool:
    is_data = definition.single_instance and not definition.settings
    return is_data and definition.name not in _NOT_SENT


def _frame(definition: ObjectDefinition) -> bytes:
    return encode(FrameType.OBJ, definition.object_id, b"\0\0" + pack_values(definition, {}))


def main() -> None:
    """Serve one flood."""
    address, seconds = sys.argv[1], float(sys.argv[2])
    link = serve_tcp(address, monotonic_s)
    while not link.read(1.0):
        pass  # a station says hello as soon as it has connected
    print(send_flood(link, load_catalogue(), seconds), flush=True)
    while link.read(0.5):
        pass  # let what is on its way arrive
    link.close()


if __name__ == "__main__":
    main()
