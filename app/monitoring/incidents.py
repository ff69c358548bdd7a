"""Incidents of a flight as messages that stay: failsafes, stopped sticks, sensors, files, hangs.

All but a hang of the window are events of the recording; that becomes one.
"""

from collections.abc import Callable
from dataclasses import replace

from app.connection.armed import is_armed
from app.diagnostics.hang_watch import Hang
from app.messages import Message, Messages
from telemetry.base.finding import Level
from telemetry.recording.event_list import EventList
from telemetry.recording.events import Event, alike
from telemetry.recording.flight_state import read_flight_state
from telemetry.recording.timeline import format_time
from telemetry.vehicle.vehicle import Fleet, Vehicle

_KINDS = ("failsafe", "sticks", "sensor", "recording")
_OF_ARMED = ("failsafe", "sticks")
_HANG = "hang"


class Incidents:
    """Looks at the aircraft of the fleet that are live. For the GUI thread; call `poll` on the
    tick.
    """

    def __init__(self, fleet: Fleet, messages: Messages, now: Callable[[], float]) -> None:
        self._fleet = fleet
        self._messages = messages
        self._now = now
        self._seen: dict[Vehicle, EventList] = {}
        self._failsafes: dict[Vehicle, Message] = {}

    def poll(self) -> None:
        """Tell what has happened since the last call."""
        self._seen = {v: seen for v, seen in self._seen.items() if v in self._fleet.vehicles}
        for vehicle in self._fleet.vehicles:
            events = vehicle.recording.events() if vehicle.is_live else EventList()
            seen, self._seen[vehicle] = self._seen.get(vehicle, EventList()), events
            for event in events.since(seen):
                if event.kind in _KINDS:
                    self._tell(vehicle, event)
        self._end_failsafes()

    def take_hang(self, hang: Hang) -> None:
        """Note a hang in every live flight; it stays on screen where somebody was flying."""
        live = [vehicle for vehicle in self._fleet.vehicles if vehicle.is_live]
        text = f"The window did not answer for {hang.length_s:.1f} s ({hang.cause})"
        for vehicle in live:
            t = max(0.0, vehicle.end_s - (self._now() - hang.started_s))
            vehicle.note("hang", Level.WARNING, text, t)
        armed = [vehicle for vehicle in live if is_armed(vehicle)]
        if not armed:
            return
        t = max(0.0, armed[0].end_s - (self._now() - hang.started_s))
        words = f"At {format_time(t)}: {text}."
        whose = armed[0].name
        self._messages.put(Message(words, Level.WARNING, hang.details, topic=_HANG, about=whose))

    def _tell(self, vehicle: Vehicle, event: Event) -> None:
        if event.level < Level.WARNING:
            return
        is_armed = read_flight_state(vehicle.recording, event.t).is_armed
        if event.kind in _OF_ARMED and not is_armed:
            return
        words = f"At {format_time(event.t)}: {event.text}."
        topic = f"{event.kind}/{alike(event.text)}"
        message = Message(words, event.level, topic=topic, about=vehicle.name)
        if event.kind == "failsafe":
            message = replace(message, title=event.text, lasts=True)
            self._failsafes[vehicle] = message
        self._messages.put(message)

    def _end_failsafes(self) -> None:
        """Say of those that no longer act that they are over; of who has gone nothing is known."""
        for vehicle, told in list(self._failsafes.items()):
            has_gone = vehicle not in self._fleet.vehicles
            if has_gone or _has_sticks(vehicle):
                text = "" if has_gone else "Sticks are received again."
                over = replace(told, text=text, level=Level.INFO, lasts=False, is_over=True)
                self._messages.put(over)
                del self._failsafes[vehicle]


def _has_sticks(vehicle: Vehicle) -> bool:
    sample = vehicle.recording.latest("ManualControlCommand", vehicle.recording.last_s)
    return sample is not None and str(sample["Connected"]).upper() == "TRUE"
