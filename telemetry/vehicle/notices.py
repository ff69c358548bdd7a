"""Aircraft notices: what parts of the station have to say of an aircraft while it is so.

The alarm strip shows them beside the aircraft's own alarms."""

from telemetry.base.finding import Finding
from telemetry.vehicle.vehicle import Vehicle


class Notices:
    """Findings by who says them; `title` is their headline. For the GUI thread only."""

    def __init__(self) -> None:
        self._said: dict[str, Finding] = {}

    def say(self, key: str, found: Finding | None) -> None:
        """Say something in the place of what was said under `key`; None: nothing any more."""
        self._said.pop(key, None)
        if found is not None:
            self._said[key] = found

    @property
    def all(self) -> tuple[Finding, ...]:
        """All that is so now."""
        return tuple(self._said.values())


def notices_of(vehicle: Vehicle) -> Notices:
    """Those of one aircraft."""
    return vehicle.attachment("notices", Notices)
