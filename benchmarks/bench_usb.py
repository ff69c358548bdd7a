"""USB: telemetry by an emulated HID interface, ten minutes of it, and connecting."""

from collections.abc import Iterator

from benchmarks.result import BenchmarkResult, at_most
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.protocol.session.config import SessionState
from tests.boards.hid_telemetry import HidTelemetry
from tests.telemetry.configuration.settings.bench import large_board

_SECONDS = 600.0
_BYTES_PER_S = 12_000.0


def run() -> Iterator[BenchmarkResult]:
    """Measure in stepped time, so that no machine is too slow."""
    catalogue = load_catalogue()
    talk = HidTelemetry(catalogue, large_board(catalogue, 1000))
    took_s = talk.run(lambda: talk.state is SessionState.CONNECTED, 30.0)
    yield at_most("connecting and all settings by USB", took_s, "s", 4.0, waits=True)
    lost = talk.flood(_SECONDS, _BYTES_PER_S)
    yield at_most("frames lost in 10 min at 12 kB/s each way by USB", lost, "frames", 0)
    waiting_ms = talk.most_unsent_bytes / 62 * 4.0
    yield at_most("longest wait of what is sent by USB", waiting_ms, "ms", 16, waits=True)
