"""Log times: the milliseconds of a log's records as times that never run backwards.

The order of the records is the order of events; their times may be wrong: single spoilt
stamps, small steps back, a clock that started anew because two sessions share a file.
"""

import numpy as np
import numpy.typing as npt

_SPIKE_MS = 3_600_000
_RESTART_MS = 1_000


Times = npt.NDArray[np.uint32] | npt.NDArray[np.int64]


def ascending_ms(times_ms: npt.NDArray[np.uint32]) -> tuple[Times, list[str]]:
    """Return ascending times for records in file order, and a sentence for every oddity."""
    if bool(np.all(times_ms[1:] >= times_ms[:-1])):
        return times_ms, []
    times = times_ms.astype(np.int64)
    warnings = []
    spikes = _spikes(times_ms)
    if spikes.any():
        kept = np.where(spikes, 0, np.arange(len(times)))
        times = times[np.maximum.accumulate(kept)]
        warnings.append(f"{_count(spikes, 'record')} with an impossible time, put in file order.")
    steps = np.diff(times)
    restarts = steps < -_RESTART_MS
    if restarts.any():
        first_s = times[:-1][restarts][0] / 1000.0
        steps[restarts] = 1
        times = np.concatenate((times[:1], times[0] + np.cumsum(steps)))
        warnings.append(
            f"The log's clock started again {_times(restarts)}, first after {first_s:.1f} s: "
            "what follows is appended."
        )
    backwards = np.diff(times) < 0
    if backwards.any():
        times = np.maximum.accumulate(times)
        warnings.append(f"{_count(backwards, 'time')} ran backwards and was moved up in time.")
    return times, warnings


def _spikes(times_ms: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """Single records over an hour off, between two neighbours that agree with each other."""
    times = times_ms.astype(np.int64)
    spikes = np.zeros(len(times), np.bool_)
    before, here, after = times[:-2], times[1:-1], times[2:]
    agree = np.abs(after - before) < _SPIKE_MS
    spikes[1:-1] = agree & (np.abs(here - before) >= _SPIKE_MS)
    return spikes


def _count(mask: npt.NDArray[np.bool_], noun: str) -> str:
    number = int(mask.sum())
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _times(mask: npt.NDArray[np.bool_]) -> str:
    number = int(mask.sum())
    return "once" if number == 1 else f"{number} times"
