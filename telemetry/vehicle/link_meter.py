"""Link meter: rates and quality of a link over the last seconds."""

from collections import deque
from dataclasses import dataclass

from telemetry.protocol.session.statistics import Counters
from telemetry.vehicle.vehicle import QUALITY_SPAN_S

_RATE_WINDOW_S = 1.0


@dataclass(frozen=True, slots=True)
class LinkRates:
    """`quality_percent` is the share of received bytes that lay in whole frames.

    It is None where nothing arrived: a share of nothing is no good and no bad one.
    """

    objects_per_s: float = 0.0
    rx_bytes_per_s: float = 0.0
    tx_bytes_per_s: float = 0.0
    quality_percent: int | None = None


class LinkMeter:
    """Remembers totals of the last seconds."""

    def __init__(self) -> None:
        self._past: deque[tuple[float, Counters]] = deque()

    def measure(self, now: float, counters: Counters) -> LinkRates:
        """Take present totals and return what they mean since a while ago."""
        past = self._past
        past.append((now, counters))
        while now - past[0][0] > QUALITY_SPAN_S:
            past.popleft()
        then_s, then = next(item for item in past if now - item[0] <= _RATE_WINDOW_S)
        per_second = 1.0 / (now - then_s) if now > then_s else 0.0
        return LinkRates(
            objects_per_s=(counters.objects - then.objects) * per_second,
            rx_bytes_per_s=(counters.rx_bytes - then.rx_bytes) * per_second,
            tx_bytes_per_s=(counters.tx_bytes - then.tx_bytes) * per_second,
            quality_percent=_quality(past[0][1], counters),
        )


def _quality(then: Counters, now: Counters) -> int | None:
    received = now.rx_bytes - then.rx_bytes
    if received <= 0:
        return None
    lost = min(now.junk_bytes - then.junk_bytes, received)
    return round(100.0 * (received - lost) / received)
