"""Flight notices: what the alarm strip says of an aircraft that is flown from this station."""

from telemetry.base.finding import Finding, Level
from telemetry.base.statement import Statement
from telemetry.configuration.arming.checklist import Read
from telemetry.flying.cached_by_samples import CachedBySamples
from telemetry.flying.failsafe import danger_of_failsafe
from telemetry.vehicle.notices import notices_of
from telemetry.vehicle.vehicle import Vehicle

UNFOCUSED = Finding(
    Level.WARNING,
    "unfocused",
    "Another program has the keyboard and the mouse; the sticks of the input device go on flying.",
    "Unplug the device, or press its stop button, to end that.",
    title="Stick device flies on without focus",
)


class FlightNotices:
    """That an armed aircraft gets no sticks, that a device goes on flying while another program has
    the focus, and what is dangerous about the failsafe."""

    def __init__(self, vehicle: Vehicle) -> None:
        self._notices = notices_of(vehicle)
        self._danger = CachedBySamples(danger_of_failsafe)

    def say(self, read: Read, stopped: Statement | None, *, flies_unfocused: bool) -> None:
        """What is so now; `stopped` is why an armed aircraft does not get the pilot's sticks."""
        found = None
        if stopped is not None:
            title = "No sticks" if stopped.level is Level.ERROR else "Neutral sticks"
            found = Finding(stopped.level, "sticks", stopped.text, title=title)
        self._notices.say("pilot.sticks", found)
        self._notices.say("pilot.failsafe", self._danger.read(read))
        is_told = flies_unfocused and not stopped
        self._notices.say("pilot.focus", UNFOCUSED if is_told else None)

    def clear(self) -> None:
        """Nobody flies it from here."""
        for key in ("pilot.sticks", "pilot.failsafe", "pilot.focus"):
            self._notices.say(key, None)
