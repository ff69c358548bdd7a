"""Digital twin feed: hands the sticks an aircraft received on to its simulated twin at once.

A thread of its own does that: a window that is busy neither delays nor stops them.
"""

import threading
from dataclasses import dataclass
from typing import Final

from telemetry.vehicle.sticks import STICKS_FRESH_S, Sticks
from telemetry.vehicle.vehicle import LinkState, Vehicle

COMMAND: Final = "ManualControlCommand"
PERIOD_S: Final = STICKS_FRESH_S / 10
HEARD_WITHIN_S: Final = 1.0
"""Sticks older than this are followed no further: the twin's failsafe acts, as it would have done
on the aircraft."""
_ENDED: Final = "Nothing feeds the twin any more."


@dataclass(frozen=True, slots=True)
class FedSticks:
    """What the twin was given last: how old the sticks were, and why there are none now."""

    lag_s: float | None = None
    why_none: str = ""


class TwinFeed:
    """The thread between the two. It ends by itself when either connection is closed."""

    def __init__(self, real: Vehicle, twin: Vehicle) -> None:
        self.last = FedSticks()
        """Replaced as a whole by the thread."""
        self._real = real
        self._twin = twin
        self._is_fed = False
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lapwing-twin", daemon=True)

    def start(self) -> None:
        """Begin to feed."""
        self._thread.start()

    def stop(self) -> None:
        """Feed no more; the twin's failsafe acts. Stopping twice is fine."""
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join()

    @property
    def has_ended(self) -> bool:
        """Whether a connection was closed, or a fault has ended the thread."""
        return not self._thread.is_alive()

    def step(self) -> bool:
        """Hand the newest sticks over, once. False if a connection is closed."""
        if LinkState.DISCONNECTED in (self._real.status.state, self._twin.status.state):
            return False
        sticks, lag_s, why = received_sticks(self._real)
        if sticks is not None:
            self._twin.commands.set_sticks(sticks)
        elif self._is_fed:
            self._twin.commands.stop_sticks(why)
        self._is_fed = sticks is not None
        self.last = FedSticks(lag_s, why)
        return True

    def _run(self) -> None:
        try:
            while not self._ending.wait(PERIOD_S) and self.step():
                pass
        finally:
            self._twin.commands.stop_sticks(_ENDED)


def received_sticks(real: Vehicle) -> tuple[Sticks | None, float | None, str]:
    """The newest sticks that the aircraft says it received, how old they are, and why there are
    none to follow ("" if there are)."""
    now_s = real.end_s
    sample = real.recording.latest(COMMAND, now_s)
    if sample is None:
        return None, None, "The aircraft has not said its sticks yet."
    lag_s = now_s - sample.t
    if lag_s > HEARD_WITHIN_S or not real.status.is_heard:
        return None, lag_s, f"The aircraft has not said its sticks for {lag_s:.0f} s."
    if sample.definition.has_field("Connected") and str(sample["Connected"]) == "False":
        return None, lag_s, "The aircraft's receiver hears nothing."
    position = 0
    if sample.definition.has_field("FlightModeSwitchPosition"):
        position = int(sample.raw("FlightModeSwitchPosition"))
    sticks = Sticks(
        roll=float(sample["Roll"]),
        pitch=float(sample["Pitch"]),
        yaw=float(sample["Yaw"]),
        throttle=max(0.0, float(sample["Throttle"])),
        flight_mode_position=position,
        arm=_is_armed(real, now_s),
    )
    return sticks, lag_s, ""


def _is_armed(real: Vehicle, now_s: float) -> bool:
    status = real.recording.latest("FlightStatus", now_s)
    return status is not None and str(status["Armed"]) in ("Armed", "Arming")
